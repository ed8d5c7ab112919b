/// Column batches turned into Iceberg data files.
@NullMarked
package io.storageengine.ingest.encode;

import org.jspecify.annotations.NullMarked;
