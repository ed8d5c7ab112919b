package io.storageengine.catalog.iceberg;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.rest.requests.CreateTableRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.jspecify.annotations.Nullable;

/// Turns requests into table metadata, by Iceberg's own builder and with the checks that it leaves to a
/// catalog. Pure but for the library's own clock.
public final class TableChanges {
    /// The newest table format that this engine writes.
    public static final int FORMAT_VERSION_MAX = 3;

    private TableChanges() {}

    /// The metadata of a table to be created.
    public static TableMetadata created(CreateTableRequest request, String location, UUID uuid) {
        Map<String, String> properties = new HashMap<>(request.properties());
        checkFormat(properties.get(TableProperties.FORMAT_VERSION));
        checkMetadataPath(properties);
        return Refusals.of(() -> {
            PartitionSpec spec = request.spec();
            SortOrder order = request.writeOrder();
            TableMetadata fresh = TableMetadata.newTableMetadata(
                    request.schema(),
                    spec == null ? PartitionSpec.unpartitioned() : spec,
                    order == null ? SortOrder.unsorted() : order,
                    location,
                    properties);
            return TableMetadata.buildFrom(fresh)
                    .assignUUID(uuid.toString())
                    .discardChanges()
                    .build();
        });
    }

    /// Whether a commit creates the table that it names.
    public static boolean isCreate(UpdateTableRequest request) {
        boolean create = request.requirements().stream().anyMatch(TableChanges::isAssertCreate);
        if (create && !request.requirements().stream().allMatch(TableChanges::isAssertCreate)) {
            throw Refusals.bad("Invalid create requirements: assert-create stands with others");
        }
        return create;
    }

    /// Ids of the snapshots that a commit adds.
    public static Set<Long> addedSnapshots(UpdateTableRequest request) {
        return request.updates().stream()
                .filter(MetadataUpdate.AddSnapshot.class::isInstance)
                .map(update -> ((MetadataUpdate.AddSnapshot) update).snapshot().snapshotId())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean isAssertCreate(UpdateRequirement requirement) {
        return requirement instanceof UpdateRequirement.AssertTableDoesNotExist;
    }

    /// The metadata of a table that a staged create makes.
    ///
    /// @param uuid for the case that the updates assign none
    public static TableMetadata createdBy(List<MetadataUpdate> updates, UUID uuid) {
        updates.forEach(TableChanges::check);
        return Refusals.of(() -> {
            int version = updates.stream()
                    .filter(MetadataUpdate.UpgradeFormatVersion.class::isInstance)
                    .map(update -> ((MetadataUpdate.UpgradeFormatVersion) update).formatVersion())
                    .findFirst()
                    .orElse(2);
            TableMetadata.Builder builder = TableMetadata.buildFromEmpty(version);
            builder.assignUUID(uuid.toString());
            updates.forEach(update -> update.applyTo(builder));
            TableMetadata made = builder.build();
            return RowIds.beyond(0, made);
        });
    }

    /// The metadata after a commit.
    ///
    /// @param isChange false when the commit changes nothing: then `metadata` is what it was made on
    public record Committed(TableMetadata metadata, boolean isChange) {}

    /// What a commit makes of a table.
    ///
    /// @param updates those of the request that count
    public static Committed committed(TableMetadata base, UpdateTableRequest request, List<MetadataUpdate> updates) {
        return Refusals.of(() -> {
            request.requirements().forEach(requirement -> requirement.validate(base));
            updates.forEach(TableChanges::check);
            updates.forEach(update -> checkUuid(base, update));
            updates.forEach(update -> checkSequence(base, update));
            TableMetadata.Builder builder = TableMetadata.buildFrom(base);
            updates.forEach(update -> update.applyTo(builder));
            TableMetadata after = builder.build();
            if (after.changes().isEmpty()) return new Committed(base, false);
            checkRefs(base, updates, after);
            return new Committed(RowIds.beyond(base.nextRowId(), after), true);
        });
    }

    /// The library lets a snapshot without a parent (a replaced table, a new branch) take the table's last sequence
    /// number down with it. It may bring the last one again: of two clients that replace a table at once, as the
    /// compatibility kit has it, both are done, and neither's files are in the other's snapshot.
    private static void checkSequence(TableMetadata base, MetadataUpdate update) {
        if (base.formatVersion() < 2 || !(update instanceof MetadataUpdate.AddSnapshot add)) return;
        long number = add.snapshot().sequenceNumber();
        if (number >= base.lastSequenceNumber()) return;
        throw Refusals.conflict("Validation failed, please retry: sequence number " + number
                + " is behind the table's last one, " + base.lastSequenceNumber());
    }

    /// The library drops a branch or tag in silence when its snapshot is removed: one that somebody made meanwhile,
    /// since clients keep what is pointed at.
    private static void checkRefs(TableMetadata base, List<MetadataUpdate> updates, TableMetadata after) {
        for (String name : base.refs().keySet()) {
            boolean isAsked = updates.stream()
                    .anyMatch(update -> update instanceof MetadataUpdate.RemoveSnapshotRef ref
                            && ref.name().equals(name));
            if (after.ref(name) != null || isAsked) continue;
            throw Refusals.conflict("Validation failed, please retry: the branch or tag " + name
                    + " points at a snapshot that is to be removed");
        }
    }

    private static void checkUuid(TableMetadata base, MetadataUpdate update) {
        if (update instanceof MetadataUpdate.AssignUUID assign && !assign.uuid().equalsIgnoreCase(base.uuid())) {
            throw Refusals.bad("Cannot reassign the table's uuid from " + base.uuid() + " to " + assign.uuid());
        }
    }

    private static void check(MetadataUpdate update) {
        switch (update) {
            case MetadataUpdate.UpgradeFormatVersion upgrade -> checkFormat(String.valueOf(upgrade.formatVersion()));
            case MetadataUpdate.SetLocation location -> Location.parse(location.location());
            case MetadataUpdate.SetProperties properties -> checkMetadataPath(properties.updated());
            case MetadataUpdate.SetSnapshotRef ref -> {
                if (ref.name().isBlank()) throw Refusals.bad("Invalid name of a branch or tag: it is empty");
            }
            default -> {}
        }
    }

    private static void checkMetadataPath(Map<String, String> properties) {
        String path = properties.get(TableProperties.WRITE_METADATA_LOCATION);
        if (path != null) Location.parse(path);
    }

    private static void checkFormat(@Nullable String version) {
        if (version == null) return;
        if (!version.matches("[1-9]") || Integer.parseInt(version) > FORMAT_VERSION_MAX) {
            throw Refusals.bad("Format version " + version + " is not supported: use 1, 2 or 3");
        }
    }
}
