package io.storageengine.catalog.registry;

import io.storageengine.catalog.iceberg.Refusals;

/// The rule for catalogs' ids: `[a-z][a-z0-9_-]*`, at most 63 characters.
public final class CatalogId {
    private CatalogId() {}

    public static boolean isValid(String id) {
        return id.matches("[a-z][a-z0-9_-]{0,62}");
    }

    /// @throws FailureException `INVALID` for what can be no id
    public static String checked(String id) {
        if (isValid(id)) return id;
        throw Refusals.bad("Invalid catalog id: an id is [a-z][a-z0-9_-]* and at most 63 characters long");
    }
}
