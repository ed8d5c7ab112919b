@NullMarked
package io.storageengine.ingest.session;

import org.jspecify.annotations.NullMarked;
