package io.storageengine.core.message;

import java.nio.ByteBuffer;
import java.util.Map;

/// The HTTP answer to a [CallCatalog].
///
/// @param status HTTP status
/// @param headers names in lower case; no `content-length`
/// @param body may be empty
public record CatalogReply(int status, Map<String, String> headers, ByteBuffer body) implements Answer {
    public CatalogReply {
        headers = Map.copyOf(headers);
    }
}
