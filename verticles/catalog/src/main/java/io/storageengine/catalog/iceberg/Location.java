package io.storageengine.catalog.iceberg;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.util.List;
import java.util.Locale;

/// Where something lies: `s3://bucket/key`, the key as it is (nothing in it is decoded).
///
/// @param bucket the bucket's name
/// @param key without a leading slash; may be empty
public record Location(String bucket, String key) {
    /// The prefix inside a warehouse that holds the engine's own objects: never a table's.
    public static final String RESERVED = "_se";

    private static final List<String> SCHEMES = List.of("s3://", "s3a://", "s3n://");

    /// @throws FailureException `INVALID` when this is not an `s3://` location, with what is allowed
    public static Location parse(String location) {
        for (String scheme : SCHEMES) {
            if (location.toLowerCase(Locale.ROOT).startsWith(scheme)) return parse(location, scheme.length());
        }
        throw refused(location, "only s3://bucket/path locations are allowed");
    }

    /// Whether the scheme is one that this engine writes to.
    public static boolean isS3(String location) {
        return SCHEMES.stream().anyMatch(location.toLowerCase(Locale.ROOT)::startsWith);
    }

    private static Location parse(String location, int start) {
        int slash = location.indexOf('/', start);
        String bucket = slash < 0 ? location.substring(start) : location.substring(start, slash);
        String key = slash < 0 ? "" : location.substring(slash + 1);
        if (!isBucketName(bucket)) throw refused(location, "'" + bucket + "' is not a bucket name");
        for (String segment : key.split("/", -1)) {
            if (segment.equals(RESERVED)) throw refused(location, "'_se' in a path is reserved");
            if (segment.equals(".") || segment.equals("..")) throw refused(location, "'.' and '..' are not allowed");
        }
        return new Location(bucket, key);
    }

    private static FailureException refused(String location, String why) {
        return new FailureException(new Failure(
                Failure.Kind.INVALID, "BadRequestException", "Invalid location '" + location + "': " + why));
    }

    /// Whether S3 takes a bucket of this name: 3 to 63 of `a-z 0-9 . -`, beginning and ending with a letter or
    /// digit.
    public static boolean isBucketName(String name) {
        return name.matches("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]") && !name.contains("..");
    }

    @Override
    public String toString() {
        return "s3://" + bucket + "/" + key;
    }
}
