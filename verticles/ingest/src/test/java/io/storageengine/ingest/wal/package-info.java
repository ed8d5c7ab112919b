@NullMarked
package io.storageengine.ingest.wal;

import org.jspecify.annotations.NullMarked;
