package io.storageengine.commit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;

/// How much of a table's history is kept: its newest snapshots, and others until they are too old; of too many
/// the oldest go earlier.
///
/// @param keptMillis older snapshots go: `history.expire.max-snapshot-age-ms`, a day when it is not set
/// @param keptCount so many newest ones stay: `history.expire.min-snapshots-to-keep`, 100 when it is not set
/// @param countMax of more the oldest go: [#COUNT_MAX], 1,000 when it is not set
record HistoryRule(long keptMillis, int keptCount, int countMax) {
    /// Turns all of it off with `false`, and on for a table of a catalog elsewhere with `true`.
    static final String ENABLED = "se.history.expire";
    /// The name of the property for [#countMax].
    static final String COUNT_MAX = "se.history.max-snapshots";

    private static final long DAY_MILLIS = 24 * 3_600_000L;
    private static final int KEPT_COUNT = 100;
    private static final int USUAL_COUNT_MAX = 1_000;

    static HistoryRule of(Map<String, String> properties) {
        int kept = (int) number(properties, TableProperties.MIN_SNAPSHOTS_TO_KEEP, KEPT_COUNT, Integer.MAX_VALUE);
        return new HistoryRule(
                number(properties, TableProperties.MAX_SNAPSHOT_AGE_MS, DAY_MILLIS, Long.MAX_VALUE),
                kept,
                Math.max(kept, (int) number(properties, COUNT_MAX, USUAL_COUNT_MAX, Integer.MAX_VALUE)));
    }

    /// What is set and no number counts as not set.
    private static long number(Map<String, String> properties, String name, long otherwise, long most) {
        String text = properties.getOrDefault(name, "");
        return text.matches("[0-9]{1,18}") ? Math.clamp(Long.parseLong(text), 1, most) : otherwise;
    }

    /// Snapshots of the main branch's history that need not be kept, the oldest first. What another branch or a tag
    /// has in its history is left to Iceberg's rules for that branch.
    List<Snapshot> spare(TableMetadata table, long wallMillis) {
        Set<Long> others = new HashSet<>();
        table.refs().forEach((name, ref) -> {
            if (!name.equals(SnapshotRef.MAIN_BRANCH))
                history(table, ref.snapshotId()).forEach(snapshot -> others.add(snapshot.snapshotId()));
        });
        SnapshotRef main = table.ref(SnapshotRef.MAIN_BRANCH);
        List<Snapshot> newestFirst = main == null ? List.of() : history(table, main.snapshotId());
        List<Snapshot> spare = new ArrayList<>();
        for (int i = newestFirst.size() - 1; i >= keptCount; i--) {
            Snapshot snapshot = newestFirst.get(i);
            boolean isOld = snapshot.timestampMillis() < wallMillis - keptMillis;
            if ((isOld || i >= countMax) && !others.contains(snapshot.snapshotId())) spare.add(snapshot);
        }
        return spare;
    }

    /// A snapshot and those before it, as far as they are there.
    private static List<Snapshot> history(TableMetadata table, long newest) {
        List<Snapshot> history = new ArrayList<>();
        for (Snapshot at = table.snapshot(newest); at != null; ) {
            history.add(at);
            Long parent = at.parentId();
            at = parent == null ? null : table.snapshot(parent);
        }
        return history;
    }
}
