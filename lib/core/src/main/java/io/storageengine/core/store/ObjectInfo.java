package io.storageengine.core.store;

import java.time.Instant;
import java.util.Map;

/// What a store knows of an object.
///
/// @param key the key
/// @param sizeBytes the body's length in bytes
/// @param etag the entity tag, without quotes
/// @param lastModified when it was written, by the store's clock
/// @param contentType the media type; `application/octet-stream` where none was given
/// @param metadata user metadata, names in lower case without a protocol's prefix; empty in a listing
public record ObjectInfo(
        String key,
        long sizeBytes,
        String etag,
        Instant lastModified,
        String contentType,
        Map<String, String> metadata) {
    public ObjectInfo {
        metadata = Map.copyOf(metadata);
    }
}
