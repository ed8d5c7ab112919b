/// The ingest room: requests, write-ahead log, batches, commits.
@NullMarked
package io.storageengine.ingest;

import org.jspecify.annotations.NullMarked;
