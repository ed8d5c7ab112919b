package io.storageengine.gateway.door;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/// What is done with the rest of a body when the answer comes before its end. A client that is still sending
/// sees the answer only when the connection is not reset under it: the rest is read and dropped for a while,
/// then the connection is closed.
final class EarlyAnswer {
    private static final long LINGER_MILLIS = 5_000;
    private static final long LINGER_BYTES_MAX = 256L << 20;

    private EarlyAnswer() {}

    /// Drops what is left of the body; when its end is not here yet, tells the client that the connection ends.
    static void before(HttpServerRequest request) {
        if (request.isEnded()) return;
        if (!mayHaveBody(request)) {
            request.resume();
            return;
        }
        long[] dropped = {0};
        request.exceptionHandler(e -> {});
        request.endHandler(null);
        request.handler(part -> {
            dropped[0] += part.length();
            if (dropped[0] > LINGER_BYTES_MAX) cut(request);
        });
        request.resume();
        if (!request.isEnded() && request.version() != HttpVersion.HTTP_2) {
            request.response().putHeader("connection", "close");
        }
    }

    /// HTTP/1.1 says beforehand whether a body comes; HTTP/2 does not.
    private static boolean mayHaveBody(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) return true;
        String length = request.getHeader("content-length");
        return request.getHeader("transfer-encoding") != null || !(length == null || length.equals("0"));
    }

    /// After the answer: waits a little for the end of the body, then cuts.
    static void afterEnd(HttpServerRequest request) {
        Context context = Vertx.currentContext();
        if (request.isEnded() || context == null || !mayHaveBody(request)) return;
        context.owner().setTimer(LINGER_MILLIS, timer -> {
            if (!request.isEnded()) cut(request);
        });
    }

    private static void cut(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) request.response().reset(0);
        else request.connection().close();
    }
}
