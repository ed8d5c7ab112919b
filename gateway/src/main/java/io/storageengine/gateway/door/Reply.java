package io.storageengine.gateway.door;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// A whole HTTP answer.
///
/// @param status HTTP status
/// @param headers names in lower case; `content-length` only on answers to HEAD
/// @param body may be empty
public record Reply(int status, Map<String, String> headers, Buffer body) {
    public Reply {
        headers = Map.copyOf(headers);
    }

    /// An answer without a body.
    public static Reply of(int status) {
        return new Reply(status, Map.of(), Buffer.buffer());
    }

    /// An answer with a text.
    public static Reply text(int status, String contentType, String text) {
        return new Reply(
                status, Map.of("content-type", contentType), Buffer.buffer(text.getBytes(StandardCharsets.UTF_8)));
    }
}
