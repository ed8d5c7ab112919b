package io.storageengine.catalog.rebase;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.MetadataUpdate.AddSnapshot;
import org.apache.iceberg.MetadataUpdate.SetSnapshotRef;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.UpdateRequirement.AssertRefSnapshotID;
import org.apache.iceberg.UpdateRequirement.AssertTableUUID;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.jspecify.annotations.Nullable;

/// A commit that, by its request and the table's metadata alone, is an append to `main` that lost to other
/// appends only. Pure; its manifests are looked at by [NewManifests].
///
/// @param snapshot as the client made it
/// @param ref the update that moves `main` to it
/// @param between ids of the snapshots on `main` that came after the client's parent; empty when only the
///     table's numbers went on, by another branch
record LostAppend(Snapshot snapshot, SetSnapshotRef ref, Set<Long> between) {
    private static final int BETWEEN_MAX = 1_000;
    private static final int FORMAT_VERSION_LEAST = 2;
    private static final int FORMAT_VERSION_MOST = 3;

    /// Summary fields of what is more than an append.
    private static final Set<String> MORE =
            Set.of("wap.id", "published-wap-id", "source-snapshot-id", "replace-partitions", "deleted-duplicate-files");

    private static final List<String> MORE_PREFIXES = List.of("deleted-", "removed-", "added-delete");
    private static final Set<String> MORE_ADDED = Set.of(
            "added-equality-delete-files",
            "added-position-delete-files",
            "added-dvs",
            "added-position-deletes",
            "added-equality-deletes");

    LostAppend {
        between = Set.copyOf(between);
    }

    static Optional<LostAppend> of(TableMetadata base, UpdateTableRequest request) {
        if (base.formatVersion() < FORMAT_VERSION_LEAST || base.formatVersion() > FORMAT_VERSION_MOST)
            return Optional.empty();
        if (request.updates().size() != 2
                || !(request.updates().getFirst() instanceof AddSnapshot add)
                || !(request.updates().getLast() instanceof SetSnapshotRef ref)) return Optional.empty();
        Snapshot snapshot = add.snapshot();
        boolean fits = isAppend(snapshot)
                && base.snapshot(snapshot.snapshotId()) == null
                && Objects.equals(snapshot.schemaId(), base.currentSchemaId())
                && movesMain(base, ref, snapshot.snapshotId())
                && areOrdinary(base, request.requirements(), snapshot.parentId());
        if (!fits) return Optional.empty();
        return between(base, snapshot.parentId()).map(ids -> new LostAppend(snapshot, ref, ids));
    }

    private static boolean isAppend(Snapshot snapshot) {
        Map<String, String> summary = snapshot.summary();
        return DataOperations.APPEND.equals(snapshot.operation())
                && snapshot.keyId() == null
                && summary != null
                && summary.keySet().stream().noneMatch(LostAppend::isMore);
    }

    private static boolean isMore(String field) {
        return MORE.contains(field)
                || MORE_ADDED.contains(field)
                || MORE_PREFIXES.stream().anyMatch(field::startsWith);
    }

    /// Whether the update moves `main` to the snapshot and leaves how long its snapshots are kept.
    private static boolean movesMain(TableMetadata base, SetSnapshotRef set, long snapshotId) {
        SnapshotRef main = base.ref(SnapshotRef.MAIN_BRANCH);
        return main != null
                && set.name().equals(SnapshotRef.MAIN_BRANCH)
                && set.type().equals("branch")
                && set.snapshotId() == snapshotId
                && Objects.equals(set.minSnapshotsToKeep(), main.minSnapshotsToKeep())
                && Objects.equals(set.maxSnapshotAgeMs(), main.maxSnapshotAgeMs())
                && Objects.equals(set.maxRefAgeMs(), main.maxRefAgeMs());
    }

    /// Whether nothing is required but the table's uuid and that `main` is at the snapshot's parent.
    private static boolean areOrdinary(
            TableMetadata base, List<UpdateRequirement> requirements, @Nullable Long parentId) {
        boolean isMainRequired = false;
        for (UpdateRequirement requirement : requirements) {
            switch (requirement) {
                case AssertTableUUID table -> {
                    if (!table.uuid().equalsIgnoreCase(base.uuid())) return false;
                }
                case AssertRefSnapshotID ref -> {
                    isMainRequired =
                            ref.refName().equals(SnapshotRef.MAIN_BRANCH) && Objects.equals(ref.snapshotId(), parentId);
                    if (!isMainRequired) return false;
                }
                default -> {
                    return false;
                }
            }
        }
        return isMainRequired;
    }

    /// The snapshots from the head down to the parent; nothing when one of them is no append, or the way is
    /// lost or long.
    private static Optional<Set<Long>> between(TableMetadata base, @Nullable Long parentId) {
        Set<Long> between = new HashSet<>();
        Snapshot at = base.currentSnapshot();
        while (at != null && !Objects.equals(at.snapshotId(), parentId)) {
            if (!DataOperations.APPEND.equals(at.operation()) || between.size() >= BETWEEN_MAX) return Optional.empty();
            between.add(at.snapshotId());
            Long next = at.parentId();
            if (next == null) return parentId == null ? Optional.of(between) : Optional.empty();
            at = base.snapshot(next);
        }
        return at == null ? Optional.empty() : Optional.of(between);
    }
}
