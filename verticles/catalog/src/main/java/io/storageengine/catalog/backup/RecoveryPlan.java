package io.storageengine.catalog.backup;

import io.storageengine.catalog.iceberg.FoundMetadata;
import io.storageengine.catalog.state.Change;
import io.storageengine.catalog.state.Space;
import io.storageengine.catalog.state.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// What a lost catalog is rebuilt as.
///
/// @param taken tables and views that the new log has
/// @param leftOut those that it has not, since a newer one has the name
/// @param otherLines metadata files as new as the one that was taken for the same table or view: one of them
///     was committed, and without the log nobody can tell which
/// @param unreadable files that are no metadata
public record RecoveryPlan(
        List<Item> taken, List<Item> leftOut, List<FoundMetadata> otherLines, List<String> unreadable) {
    public RecoveryPlan {
        taken = List.copyOf(taken);
        leftOut = List.copyOf(leftOut);
        otherLines = List.copyOf(otherLines);
        unreadable = List.copyOf(unreadable);
    }

    /// A table or view under a name.
    ///
    /// @param doubt why the name may have been another; may be empty
    public record Item(TableName name, FoundMetadata metadata, String doubt) {}

    /// @param warehouse `s3://bucket/prefix`, ending in `/`
    static RecoveryPlan of(WarehouseScan scan, String warehouse) {
        Map<UUID, FoundMetadata> newest = new TreeMap<>();
        for (FoundMetadata head : scan.heads()) newest.merge(head.uuid(), head, RecoveryPlan::newer);
        List<FoundMetadata> otherLines = scan.heads().stream()
                .filter(head -> isAsNew(head, newest.get(head.uuid())))
                .toList();
        List<FoundMetadata> byTime = new ArrayList<>(newest.values());
        byTime.sort((a, b) -> Long.compare(b.updatedMillis(), a.updatedMillis()));
        Map<String, Item> taken = new TreeMap<>();
        List<Item> leftOut = new ArrayList<>();
        for (FoundMetadata metadata : byTime) {
            PlaceName place = PlaceName.of(metadata, warehouse);
            Item item = new Item(place.name(), metadata, place.doubt());
            String path = item.name().space() + Space.SEPARATOR + item.name().name();
            if (taken.putIfAbsent(path, item) != null) leftOut.add(item);
        }
        return new RecoveryPlan(List.copyOf(taken.values()), leftOut, otherLines, scan.unreadable());
    }

    private static FoundMetadata newer(FoundMetadata a, FoundMetadata b) {
        return FoundMetadata.BY_AGE.compare(a, b) >= 0 ? a : b;
    }

    private static boolean isAsNew(FoundMetadata head, @Nullable FoundMetadata taken) {
        if (taken == null || head.file().equals(taken.file())) return false;
        return head.version() == taken.version() || head.updatedMillis() >= taken.updatedMillis();
    }

    /// The namespaces of all that is taken, with those above them.
    public List<String> spaces() {
        TreeSet<String> spaces = new TreeSet<>();
        for (Item item : taken) {
            List<String> levels = Space.levels(item.name().space());
            for (int n = 1; n <= levels.size(); n++) spaces.add(Space.path(levels.subList(0, n)));
        }
        return List.copyOf(spaces);
    }

    /// What the first entry of the new log does.
    List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        spaces().forEach(space -> changes.add(new Change.SpaceCreated(space, Map.of())));
        for (Item item : taken) {
            FoundMetadata metadata = item.metadata();
            changes.add(
                    metadata.isView()
                            ? new Change.ViewCreated(item.name(), metadata.uuid(), metadata.file())
                            : new Change.TableCreated(item.name(), metadata.uuid(), metadata.file()));
        }
        return changes;
    }
}
