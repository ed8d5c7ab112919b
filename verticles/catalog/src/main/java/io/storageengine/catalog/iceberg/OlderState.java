package io.storageengine.catalog.iceberg;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;

/// A table's earlier state as its next one. What must never be given twice stays as high as it has come (table
/// spec, "Table Metadata Fields"): sequence numbers, row ids, the ids of columns and partition fields.
public final class OlderState {
    private OlderState() {}

    /// Whether the earlier metadata may simply be pointed at again.
    public static boolean isAsHigh(TableMetadata then, TableMetadata now) {
        return then.lastSequenceNumber() >= now.lastSequenceNumber()
                && then.nextRowId() >= now.nextRowId()
                && then.lastColumnId() >= now.lastColumnId()
                && then.lastAssignedPartitionId() >= now.lastAssignedPartitionId();
    }

    /// The earlier metadata to be written anew, after the present one.
    public static TableMetadata raised(StoredMetadata then, StoredMetadata now) {
        TableMetadata old = then.metadata();
        TableMetadata present = now.metadata();
        ObjectNode tree = IcebergJson.read(then.json().duplicate(), ObjectNode.class);
        if (old.formatVersion() > 1) {
            tree.put("last-sequence-number", Math.max(old.lastSequenceNumber(), present.lastSequenceNumber()));
        }
        if (old.formatVersion() > 2) tree.put("next-row-id", Math.max(old.nextRowId(), present.nextRowId()));
        tree.put("last-column-id", Math.max(old.lastColumnId(), present.lastColumnId()));
        tree.put("last-partition-id", Math.max(old.lastAssignedPartitionId(), present.lastAssignedPartitionId()));
        tree.put("last-updated-ms", Math.max(old.lastUpdatedMillis(), present.lastUpdatedMillis()));
        ArrayNode log = tree.putArray("metadata-log");
        present.previousFiles()
                .forEach(file -> log.addObject()
                        .put("timestamp-ms", file.timestampMillis())
                        .put("metadata-file", file.file()));
        log.addObject().put("timestamp-ms", present.lastUpdatedMillis()).put("metadata-file", now.location());
        return TableMetadataParser.fromJson(tree);
    }
}
