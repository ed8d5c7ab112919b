package io.storageengine.catalog.rest;

import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.Change;
import io.storageengine.catalog.state.Space;
import io.storageengine.catalog.state.TableName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A change as the catalog's history tells it: `{"operation","namespace" or "identifier","uuid",
/// "metadata-location"}`. The log knows tables and views by uuid: their identifier is the name that they have
/// now, or had when they were dropped.
final class ToldChange {
    private ToldChange() {}

    /// Empty for what changes nothing that a client sees.
    static Optional<Map<String, Object>> of(Change change, CatalogState names) {
        return switch (change) {
            case Change.SpaceCreated c -> space("create-namespace", c.space());
            case Change.SpaceChanged c -> space("update-namespace-properties", c.space());
            case Change.SpaceDropped c -> space("drop-namespace", c.space());
            case Change.TableCreated c -> thing("create-table", c.table(), c.uuid(), c.location());
            case Change.TableCommitted c -> thing("update-table", table(names, c.uuid()), c.uuid(), c.location());
            case Change.TableRenamed c -> thing("rename-table", c.to(), c.uuid(), "");
            case Change.TableDropped c -> thing("drop-table", c.table(), c.uuid(), "");
            case Change.ViewCreated c -> thing("create-view", c.view(), c.uuid(), c.location());
            case Change.ViewCommitted c -> thing("update-view", view(names, c.uuid()), c.uuid(), c.location());
            case Change.ViewRenamed c -> thing("rename-view", c.to(), c.uuid(), "");
            case Change.ViewDropped c -> thing("drop-view", c.view(), c.uuid(), "");
            case Change.ReplyKept c -> Optional.empty();
            case Change.ChannelHeld c -> Optional.empty();
        };
    }

    private static @Nullable TableName table(CatalogState names, UUID uuid) {
        return names.nameOf(uuid).orElseGet(() -> dropped(names, uuid));
    }

    private static @Nullable TableName view(CatalogState names, UUID uuid) {
        return names.viewNameOf(uuid).orElseGet(() -> dropped(names, uuid));
    }

    private static @Nullable TableName dropped(CatalogState names, UUID uuid) {
        CatalogState.Dropped found = names.dropped().get(uuid);
        return found == null ? null : found.name();
    }

    private static Optional<Map<String, Object>> space(String operation, String path) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("operation", operation);
        told.put("namespace", Space.levels(path));
        return Optional.of(told);
    }

    private static Optional<Map<String, Object>> thing(
            String operation, @Nullable TableName name, UUID uuid, String location) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("operation", operation);
        if (name != null) {
            List<String> levels = Space.levels(name.space());
            told.put("identifier", Map.of("namespace", levels, "name", name.name()));
        }
        told.put("uuid", uuid.toString());
        if (!location.isEmpty()) told.put("metadata-location", location);
        return Optional.of(told);
    }
}
