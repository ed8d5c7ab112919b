package io.storageengine.catalog.rebase;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.storageengine.catalog.iceberg.IcebergJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotParser;
import org.apache.iceberg.SnapshotSummary;
import org.jspecify.annotations.Nullable;

/// A client's snapshot as it is on the head: id, schema and what the client says of it stay; place, numbers
/// and totals are new. Pure.
final class MovedSnapshot {
    /// Each total, and the field that adds to it; an append adds no deletes.
    private static final Map<String, String> TOTALS = Map.of(
            SnapshotSummary.TOTAL_RECORDS_PROP,
            SnapshotSummary.ADDED_RECORDS_PROP,
            SnapshotSummary.TOTAL_FILE_SIZE_PROP,
            SnapshotSummary.ADDED_FILE_SIZE_PROP,
            SnapshotSummary.TOTAL_DATA_FILES_PROP,
            SnapshotSummary.ADDED_FILES_PROP,
            SnapshotSummary.TOTAL_DELETE_FILES_PROP,
            "",
            SnapshotSummary.TOTAL_POS_DELETES_PROP,
            "",
            SnapshotSummary.TOTAL_EQ_DELETES_PROP,
            "");

    private static final List<String> COUNTS = List.of(
            SnapshotSummary.CREATED_MANIFESTS_COUNT,
            SnapshotSummary.KEPT_MANIFESTS_COUNT,
            SnapshotSummary.REPLACED_MANIFESTS_COUNT);

    private MovedSnapshot() {}

    /// @param theirs the client's
    /// @param head what it is put on
    /// @param made what Iceberg's library made of its manifests on the head: has the list, the numbers and the
    ///     counts of manifests
    static Snapshot of(Snapshot theirs, Snapshot head, Snapshot made) {
        ObjectNode tree = tree(theirs);
        tree.put("sequence-number", made.sequenceNumber());
        tree.put("parent-snapshot-id", head.snapshotId());
        // History does not go back in time, whatever the client's clock says.
        tree.put("timestamp-ms", Math.max(theirs.timestampMillis(), head.timestampMillis()));
        tree.put("manifest-list", made.manifestListLocation());
        if (made.firstRowId() != null) {
            tree.put("first-row-id", made.firstRowId());
            tree.put("added-rows", made.addedRows());
        }
        ObjectNode summary = tree.withObjectProperty("summary");
        Map<String, String> before = head.summary() == null ? Map.of() : head.summary();
        TOTALS.forEach((total, added) -> {
            summary.remove(total);
            total(before.get(total), theirs.summary().getOrDefault(added, "0"))
                    .ifPresent(sum -> summary.put(total, Long.toString(sum)));
        });
        for (String count : COUNTS) {
            if (summary.has(count)) summary.put(count, made.summary().get(count));
        }
        return SnapshotParser.fromJson(tree.toString());
    }

    private static ObjectNode tree(Snapshot snapshot) {
        String json = SnapshotParser.toJson(snapshot, false);
        return IcebergJson.read(ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8)), ObjectNode.class);
    }

    /// As Iceberg's library does it: a total that is not known before is not known after.
    private static OptionalLong total(@Nullable String before, String added) {
        if (before == null) return OptionalLong.empty();
        try {
            long sum = Math.addExact(Long.parseLong(before), Long.parseLong(added));
            return sum < 0 ? OptionalLong.empty() : OptionalLong.of(sum);
        } catch (NumberFormatException | ArithmeticException e) {
            return OptionalLong.empty();
        }
    }
}
