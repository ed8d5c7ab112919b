package io.storageengine.catalog.plan;

import io.storageengine.catalog.iceberg.Refusals;
import java.util.List;
import java.util.Objects;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.expressions.Binder;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.ExpressionParser;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.rest.requests.PlanTableScanRequest;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/// What is scanned. It names a snapshot and a schema, so that it means the same whatever is committed later.
/// Which columns are selected is not in it: that changes nothing about the files.
///
/// @param table its uuid
/// @param snapshot [#NONE] for a table without rows
/// @param start the snapshot after which appended files count; [#NONE] for everything in the snapshot
/// @param schema the id of the schema that names in the filter are of
/// @param exact whether those names are told apart by case
/// @param filter as JSON; empty for none
/// @param stats columns whose metrics come with each file
record Scanned(String table, long snapshot, long start, int schema, boolean exact, String filter, List<String> stats) {
    static final long NONE = -1;

    private static final int FILTER_CHARS_MAX = 1 << 20;

    Scanned {
        Objects.requireNonNull(table);
        Objects.requireNonNull(filter);
        stats = List.copyOf(stats);
    }

    /// What a request asks for.
    ///
    /// @throws io.storageengine.core.FailureException `INVALID`, as when the snapshot is unknown or expired, or
    ///     the filter names no column
    static Scanned of(TableMetadata metadata, PlanTableScanRequest request) {
        Long start = request.startSnapshotId();
        Snapshot snapshot = snapshot(metadata, start == null ? request.snapshotId() : request.endSnapshotId());
        if (start != null && snapshot != null) checkStart(metadata, start, snapshot);
        Schema schema = request.useSnapshotSchema() ? schemaOf(metadata, snapshot) : metadata.schema();
        Expression filter = request.filter();
        if (filter != null) Refusals.of(() -> Binder.bind(schema.asStruct(), filter, request.caseSensitive()));
        List<String> stats = request.statsFields() == null ? List.of() : request.statsFields();
        for (String column : stats) {
            if (schema.findField(column) == null) throw Refusals.bad("stats-fields: there is no column " + column);
        }
        String text = filter == null ? "" : Refusals.of(() -> ExpressionParser.toJson(filter));
        if (text.length() > FILTER_CHARS_MAX) {
            throw Refusals.bad("The filter is longer than " + FILTER_CHARS_MAX + " characters: shorten it");
        }
        return new Scanned(
                metadata.uuid(),
                snapshot == null ? NONE : snapshot.snapshotId(),
                start == null ? NONE : start,
                schema.schemaId(),
                request.caseSensitive(),
                text,
                stats);
    }

    private static @Nullable Snapshot snapshot(TableMetadata metadata, @Nullable Long asked) {
        if (asked == null) return metadata.currentSnapshot();
        Snapshot found = metadata.snapshot(asked);
        if (found == null) throw Refusals.bad("Cannot find snapshot with ID " + asked + ": it may have expired");
        return found;
    }

    private static void checkStart(TableMetadata metadata, long start, Snapshot end) {
        for (Snapshot snapshot : SnapshotUtil.ancestorsOf(end.snapshotId(), metadata::snapshot)) {
            if (Objects.equals(snapshot.parentId(), start)) return;
        }
        throw Refusals.bad("start-snapshot-id " + start + " comes not before end-snapshot-id " + end.snapshotId()
                + " in the table's history, as far as that is kept");
    }

    private static Schema schemaOf(TableMetadata metadata, @Nullable Snapshot snapshot) {
        Integer id = snapshot == null ? null : snapshot.schemaId();
        Schema schema = id == null ? null : metadata.schemasById().get(id);
        return schema == null ? metadata.schema() : schema;
    }

    /// Whether the table is that one and still has the snapshot and the schema.
    boolean isIn(TableMetadata metadata) {
        return table.equals(metadata.uuid())
                && (snapshot == NONE || metadata.snapshot(snapshot) != null)
                && metadata.schemasById().containsKey(schema);
    }

    boolean isIncremental() {
        return start != NONE;
    }

    Expression expression() {
        return filter.isEmpty() ? Expressions.alwaysTrue() : ExpressionParser.fromJson(filter);
    }
}
