package io.storageengine.gateway.s3;

import java.util.List;
import java.util.function.Function;

/// What of the buckets S3 clients never see, and what they see but never write.
///
/// @param bucket the bucket that holds cluster storage; empty when none does
/// @param prefix where in it; empty for all of it, else ends with `/`
public record Hidden(String bucket, String prefix) {
    public static final Hidden NOTHING = new Hidden("", "");
    private static final String RESERVED = "/_se/";

    /// True when the whole bucket is not there for S3 clients.
    boolean hidesBucket(String name) {
        return !bucket.isEmpty() && bucket.equals(name) && prefix.isEmpty();
    }

    /// True when the key, or everything under this common prefix, is not there for S3 clients.
    boolean hides(String name, String key) {
        return !bucket.isEmpty() && bucket.equals(name) && key.startsWith(prefix);
    }

    /// True for keys with a segment `_se`: the engine's own, to be read only.
    static boolean isReserved(String key) {
        return ("/" + key + "/").contains(RESERVED);
    }

    /// Without what is hidden.
    <T> List<T> visible(String name, List<T> items, Function<T, String> key) {
        if (bucket.isEmpty() || !bucket.equals(name)) return items;
        return items.stream().filter(item -> !hides(name, key.apply(item))).toList();
    }
}
