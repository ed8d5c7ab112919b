package io.storageengine.catalog.plan;

import java.util.List;
import java.util.Map;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.io.FileIO;
import org.jspecify.annotations.Nullable;

/// A table whose snapshots show only some data manifests, under a schema of choice.
@SuppressWarnings("serial") // Iceberg's class can be serialized; this never leaves the process
final class SlicedTable extends BaseTable {
    private final transient TableMetadata metadata;
    private final transient Schema schema;
    private final transient Map<Integer, PartitionSpec> specs;
    private final transient List<ManifestFile> data;
    private final transient List<ManifestFile> deletes;

    /// @param specs by the names of the schema
    SlicedTable(
            TableMetadata metadata,
            Schema schema,
            Map<Integer, PartitionSpec> specs,
            FileIO io,
            List<ManifestFile> data,
            List<ManifestFile> deletes) {
        super(new StaticTableOperations(metadata, io), metadata.uuid(), report -> {});
        this.metadata = metadata;
        this.schema = schema;
        this.specs = specs;
        this.data = data;
        this.deletes = deletes;
    }

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public Map<Integer, PartitionSpec> specs() {
        return specs;
    }

    @Override
    public @Nullable Snapshot snapshot(long id) {
        Snapshot whole = metadata.snapshot(id);
        return whole == null ? null : new Slice(whole, data, deletes);
    }
}
