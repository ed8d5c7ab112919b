package io.storageengine.iceberg;

/// A file's place, `s3://bucket/key`; the key is taken as it stands, nothing is decoded or normalised.
///
/// @param bucket the bucket's name
/// @param key the object's key, not empty
record S3Location(String bucket, String key) {
    S3Location {
        if (bucket.isEmpty() || key.isEmpty()) throw new IllegalArgumentException("a location has a bucket and a key");
    }

    /// Reads a location; `s3a` and `s3n`, as older engines write, mean the same as `s3`.
    ///
    /// @throws IllegalArgumentException when it is no such location
    static S3Location parse(String location) {
        int scheme = location.indexOf("://");
        int slash = location.indexOf('/', scheme + 3);
        if (scheme < 0 || slash < 0 || !isS3(location.substring(0, scheme)))
            throw new IllegalArgumentException("Not a location like s3://bucket/key: " + location);
        return new S3Location(location.substring(scheme + 3, slash), location.substring(slash + 1));
    }

    private static boolean isS3(String scheme) {
        return scheme.equals("s3") || scheme.equals("s3a") || scheme.equals("s3n");
    }
}
