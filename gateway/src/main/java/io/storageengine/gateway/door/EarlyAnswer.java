package io.storageengine.gateway.door;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/// What is done with the rest of a body when the answer comes before its end. A client that is still sending
/// sees the answer only when the connection is not reset under it: the rest is read and dropped for a while,
/// then the connection is closed. Lives on the request's event loop.
final class EarlyAnswer {
    private static final long LINGER_MILLIS = 5_000;
    private static final long LINGER_BYTES_MAX = 256L << 20;

    private final HttpServerRequest request;
    private boolean closes;
    private long dropped;

    EarlyAnswer(HttpServerRequest request) {
        this.request = request;
    }

    /// Drops what is left of the body; when its end is not here yet, tells the client that the connection ends.
    void begin() {
        if (request.isEnded()) return;
        if (!mayHaveBody()) {
            request.resume();
            return;
        }
        request.exceptionHandler(e -> {});
        request.endHandler(null);
        request.handler(part -> {
            dropped += part.length();
            if (dropped > LINGER_BYTES_MAX) cut();
        });
        request.resume();
        closes = !request.isEnded();
        if (closes && isHttp1()) request.response().putHeader("connection", "close");
    }

    /// HTTP/1.1 says beforehand whether a body comes; HTTP/2 does not.
    private boolean mayHaveBody() {
        if (!isHttp1()) return true;
        String length = request.getHeader("content-length");
        return request.getHeader("transfer-encoding") != null || !(length == null || length.equals("0"));
    }

    private boolean isHttp1() {
        return request.version() != HttpVersion.HTTP_2;
    }

    /// After the answer: waits a little for the end of the body, then cuts.
    void end(Vertx vertx) {
        if (!closes) return;
        if (request.isEnded()) {
            close();
            return;
        }
        request.endHandler(v -> close());
        vertx.setTimer(LINGER_MILLIS, timer -> {
            if (!request.isEnded()) cut();
        });
    }

    /// The body came whole after all: HTTP/2 goes on, HTTP/1.1 does as it was told to the client.
    private void close() {
        if (isHttp1()) cut();
    }

    private void cut() {
        if (isHttp1()) request.connection().close();
        else request.response().reset(0);
    }
}
