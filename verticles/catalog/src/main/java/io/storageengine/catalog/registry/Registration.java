package io.storageengine.catalog.registry;

import java.util.LinkedHashMap;
import java.util.Map;

/// A catalog that was registered.
///
/// @param id its id
/// @param registration tells this registration from an earlier or later one of the same id
/// @param config without secrets' values where it comes from storage, until they are asked for
public record Registration(String id, String registration, CatalogConfig config) {
    /// As the API shows it.
    Map<String, Object> shown() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", "catalogs/" + id);
        shown.put("config", config.shown());
        return shown;
    }
}
