package io.storageengine.ingest.table;

import io.storageengine.core.message.TableRef;
import java.util.Map;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;

/// A table as it was when it was loaded.
///
/// @param ref its name
/// @param metadata its metadata
/// @param marks per log, up to where its rows are committed
/// @param vended what a `rest` upstream gave for reaching its files; secret
public record OpenTable(TableRef ref, TableMetadata metadata, Map<String, Long> marks, Map<String, String> vended) {
    public String uuid() {
        return metadata.uuid();
    }

    /// The current snapshot's id, -1 when there is none.
    public long snapshotId() {
        Snapshot current = metadata.currentSnapshot();
        return current == null ? -1 : current.snapshotId();
    }

    @Override
    public String toString() {
        return "OpenTable[" + ref.display() + ", " + uuid() + "]";
    }
}
