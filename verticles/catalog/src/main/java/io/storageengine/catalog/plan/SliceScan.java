package io.storageengine.catalog.plan;

import java.util.Map;
import org.apache.iceberg.DataTableScan;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.TableScanContext;

/// Iceberg's own scan of a table, on the caller's thread: a part of a table comes in the same order each time.
final class SliceScan extends DataTableScan {
    private final boolean historic;

    /// @param historic whether the schema may be another than the table's now
    SliceScan(Table table, Schema schema, TableScanContext context, boolean historic) {
        super(table, schema, context);
        this.historic = historic;
    }

    @Override
    protected TableScan newRefinedScan(Table table, Schema schema, TableScanContext context) {
        return new SliceScan(table, schema, context, historic);
    }

    @Override
    protected boolean useSnapshotSchema() {
        return historic;
    }

    @Override
    protected boolean shouldPlanWithExecutor() {
        return false;
    }

    /// The table's partition specs, by the names of this scan's schema.
    Map<Integer, PartitionSpec> boundSpecs() {
        return specs();
    }
}
