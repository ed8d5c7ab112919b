package io.storageengine.catalog.tables;

import io.storageengine.catalog.iceberg.Location;
import io.storageengine.catalog.iceberg.TablePaths;
import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ListRequest;

/// A native catalog's own warehouse among those of others, which are known by the log that lies in each.
///
/// @param paths this catalog's
/// @param buckets the account
record Warehouse(TablePaths paths, Buckets buckets) {
    /// Whether the innermost warehouse around a location is another catalog's. A LIST for each folder above it.
    boolean isForeign(Location place) {
        String key = place.key() + "/";
        for (int end = key.length(); end >= 0; end = end == 0 ? -1 : key.lastIndexOf('/', end - 2) + 1) {
            String prefix = key.substring(0, end);
            if (place.bucket().equals(paths.bucket()) && prefix.equals(paths.prefix())) return false;
            if (hasLog(place.bucket(), prefix)) return true;
        }
        return false;
    }

    private boolean hasLog(String bucket, String prefix) {
        ListRequest first = new ListRequest(prefix + TablePaths.LOG, "", "", 1);
        return !buckets.bucket(bucket).list(first).orThrow().objects().isEmpty();
    }
}
