package io.storageengine.core.message;

import java.util.Map;

/// How the files of a catalog's tables are reached. Never logged: `ioProperties` holds secrets.
///
/// @param isNative true when the files lie in this engine's own storage; then `ioProperties` is empty
/// @param ioProperties for a `rest` catalog, Iceberg FileIO properties (`s3.endpoint`, keys…), as configured;
///     what the upstream vends with a table goes above them
public record CatalogStorage(boolean isNative, Map<String, String> ioProperties) implements Answer {
    public CatalogStorage {
        ioProperties = Map.copyOf(ioProperties);
    }

    @Override
    public String toString() {
        return "CatalogStorage[isNative=" + isNative + ", " + ioProperties.size() + " properties]";
    }
}
