package io.storageengine.catalog.registry;

/// Where cluster storage lies among the buckets that warehouses can be in.
///
/// @param bucket its bucket; empty when it is in none of them
/// @param prefix where in it; empty for all of it, else ends with `/`
public record ClusterPlace(String bucket, String prefix) {
    /// Not among the buckets.
    public static final ClusterPlace ELSEWHERE = new ClusterPlace("", "");

    public ClusterPlace {
        if (!prefix.isEmpty() && !prefix.endsWith("/")) throw new IllegalArgumentException("a prefix ends with /");
    }

    /// Whether a place is inside this one, or this one inside it.
    public boolean overlaps(String otherBucket, String otherPrefix) {
        if (bucket.isEmpty() || !bucket.equals(otherBucket)) return false;
        return prefix.startsWith(otherPrefix) || otherPrefix.startsWith(prefix);
    }
}
