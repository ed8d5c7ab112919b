/// From durable rows to a table's snapshots: buffers per table, data files, commits, and rows parked where
/// there is no table any more.
@NullMarked
package io.storageengine.ingest.table;

import org.jspecify.annotations.NullMarked;
