package io.storageengine.catalog.plan;

import org.apache.iceberg.DataTableScan;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.TableScanContext;

/// Iceberg's own scan of a table, on the caller's thread: a part of a table comes in the same order each time.
final class SliceScan extends DataTableScan {
    SliceScan(Table table, Schema schema, TableScanContext context) {
        super(table, schema, context);
    }

    @Override
    protected TableScan newRefinedScan(Table table, Schema schema, TableScanContext context) {
        return new SliceScan(table, schema, context);
    }

    /// The table has the specs for its schema already.
    @Override
    protected boolean useSnapshotSchema() {
        return false;
    }

    @Override
    protected boolean shouldPlanWithExecutor() {
        return false;
    }
}
