/// Requests that append rows: a body comes in pieces, is decoded, checked and turned into batches as it comes,
/// and counts once its end has come and the log has it.
@NullMarked
package io.storageengine.ingest.session;

import org.jspecify.annotations.NullMarked;
