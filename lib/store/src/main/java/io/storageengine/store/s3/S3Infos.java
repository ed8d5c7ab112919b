package io.storageengine.store.s3;

import io.storageengine.core.store.ByteRange;
import io.storageengine.core.store.ObjectInfo;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Object;

/// What the service's answers say of an object.
final class S3Infos {
    private static final String NO_TYPE = "application/octet-stream";

    private S3Infos() {}

    static ObjectInfo of(String key, HeadObjectResponse head) {
        return of(key, head.contentLength(), head.eTag(), head.lastModified(), head.contentType(), head.metadata());
    }

    /// @param size of the whole object
    static ObjectInfo of(String key, long size, GetObjectResponse get) {
        return of(key, size, get.eTag(), get.lastModified(), get.contentType(), get.metadata());
    }

    static ObjectInfo of(S3Object listed) {
        return of(listed.key(), listed.size(), listed.eTag(), listed.lastModified(), null, Map.of());
    }

    private static ObjectInfo of(
            String key,
            long size,
            @Nullable String etag,
            @Nullable Instant modified,
            @Nullable String type,
            Map<String, String> metadata) {
        return new ObjectInfo(
                key,
                size,
                bare(etag),
                Optional.ofNullable(modified).orElse(Instant.EPOCH),
                Optional.ofNullable(type).orElse(NO_TYPE),
                metadata);
    }

    static String bare(@Nullable String etag) {
        if (etag == null) return "";
        return etag.length() > 1 && etag.startsWith("\"") && etag.endsWith("\"")
                ? etag.substring(1, etag.length() - 1)
                : etag;
    }

    static String quoted(String etag) {
        return '"' + etag + '"';
    }

    /// The `Range` header; none for the whole object, which an empty one has too.
    static @Nullable String header(ByteRange range) {
        if (range.equals(ByteRange.ALL)) return null;
        return switch (range) {
            case ByteRange.From(long first) -> "bytes=" + first + "-";
            case ByteRange.Between(long first, long last) -> "bytes=" + first + "-" + last;
            case ByteRange.Suffix(long length) -> "bytes=-" + length;
        };
    }

    /// The first offset in `bytes 10-19/1000`.
    static long first(String contentRange) {
        return Long.parseLong(contentRange.substring(contentRange.indexOf(' ') + 1, contentRange.indexOf('-')));
    }

    /// The object's size in `bytes 10-19/1000`.
    static long size(String contentRange) {
        return Long.parseLong(contentRange.substring(contentRange.indexOf('/') + 1));
    }
}
