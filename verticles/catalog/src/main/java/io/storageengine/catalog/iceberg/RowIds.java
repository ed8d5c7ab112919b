package io.storageengine.catalog.iceberg;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;

/// Row ids of format 3 are given once. A snapshot may begin beyond the table's next row id (DuckDB leaves
/// gaps); the library then adds only its rows to the next id, so that later snapshots would give some ids
/// again. The next id is what the specification says: beyond every id of every snapshot that was added.
final class RowIds {
    private static final int FORMAT_VERSION_LEAST = 3;

    private RowIds() {}

    /// `after` with a next row id beyond all that its new snapshots use.
    ///
    /// @param start the next row id before them
    static TableMetadata beyond(long start, TableMetadata after) {
        if (after.formatVersion() < FORMAT_VERSION_LEAST) return after;
        long next = start;
        for (MetadataUpdate update : after.changes()) {
            if (update instanceof MetadataUpdate.AddSnapshot add) next = after(add.snapshot(), next);
        }
        return next > after.nextRowId() ? with(after, next) : after;
    }

    private static long after(Snapshot snapshot, long next) {
        Long first = snapshot.firstRowId();
        Long added = snapshot.addedRows();
        if (first == null || added == null) return next;
        if (first < next) {
            throw Refusals.conflict("Validation failed, please retry: first-row-id " + first
                    + " is behind the table's next-row-id " + next);
        }
        return Math.addExact(first, added);
    }

    /// The library has no way to set it: through the file's own form.
    private static TableMetadata with(TableMetadata metadata, long nextRowId) {
        ByteBuffer json = ByteBuffer.wrap(TableMetadataParser.toJson(metadata).getBytes(StandardCharsets.UTF_8));
        ObjectNode tree = IcebergJson.read(json, ObjectNode.class);
        tree.put("next-row-id", nextRowId);
        return TableMetadataParser.fromJson(tree);
    }
}
