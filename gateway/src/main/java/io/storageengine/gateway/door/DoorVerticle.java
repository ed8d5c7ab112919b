package io.storageengine.gateway.door;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One event loop of the one port; several instances share it.
public final class DoorVerticle extends VerticleBase {
    private static final int IDLE_SECONDS = 300;
    private static final int LINE_BYTES_MAX = 16 << 10;
    private static final int HEADERS_BYTES_MAX = 64 << 10;
    private static final int PIECE_BYTES = 64 << 10;

    private final String host;
    private final int port;
    private final Handler<HttpServerRequest> handler;
    private @Nullable HttpServer server;

    public DoorVerticle(String host, int port, Handler<HttpServerRequest> handler) {
        this.host = host;
        this.port = port;
        this.handler = handler;
    }

    @Override
    public Future<?> start() {
        HttpServer listening = vertx.createHttpServer(options()).requestHandler(handler);
        server = listening;
        return listening.listen(port, host);
    }

    private static HttpServerOptions options() {
        return new HttpServerOptions()
                .setIdleTimeout(IDLE_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setMaxInitialLineLength(LINE_BYTES_MAX)
                .setMaxHeaderSize(HEADERS_BYTES_MAX)
                .setMaxChunkSize(PIECE_BYTES)
                .setTcpNoDelay(true)
                .setHttp2ClearTextEnabled(true)
                .setHandle100ContinueAutomatically(false)
                .setCompressionSupported(false)
                .setDecompressionSupported(false);
    }

    /// The port that is listened on: the chosen one where 0 was asked for.
    public int port() {
        return server == null ? port : server.actualPort();
    }

    @Override
    public Future<?> stop() {
        return server == null ? Future.succeededFuture() : server.shutdown(1, TimeUnit.SECONDS);
    }
}
