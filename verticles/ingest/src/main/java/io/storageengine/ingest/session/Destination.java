package io.storageengine.ingest.session;

import io.storageengine.ingest.table.OpenTable;
import org.apache.iceberg.Schema;

/// Where the rows of one request go. Failures are thrown as `FailureException`.
sealed interface Destination permits Destination.Existing, NewTable {
    /// What the rows are checked against.
    Schema schema();

    /// The table as data files are written for it; it need not be there yet.
    OpenTable forFiles();

    /// The table, which is there now: rows of it may be put into the log.
    OpenTable forLog();

    /// A table that was there when the request began.
    record Existing(OpenTable table) implements Destination {
        @Override
        public Schema schema() {
            return table.metadata().schema();
        }

        @Override
        public OpenTable forFiles() {
            return table;
        }

        @Override
        public OpenTable forLog() {
            return table;
        }
    }
}
