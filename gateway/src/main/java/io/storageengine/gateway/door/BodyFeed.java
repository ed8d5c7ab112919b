package io.storageengine.gateway.door;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/// A request's body pushed piece by piece on its event loop.
public final class BodyFeed {
    private final Exchange exchange;

    BodyFeed(Exchange exchange) {
        this.exchange = exchange;
    }

    /// Begins: the client is told to continue, and pieces come until [#pause].
    ///
    /// @param onBroken called when the body will not come whole
    public void start(Consumer<Buffer> onPiece, Runnable onEnd, Runnable onBroken) {
        HttpServerRequest request = exchange.request();
        if (request.isEnded()) {
            onEnd.run();
            return;
        }
        request.handler(onPiece::accept);
        request.endHandler(v -> onEnd.run());
        request.exceptionHandler(e -> onBroken.run());
        exchange.sendContinue();
        request.resume();
    }

    public void pause() {
        exchange.request().pause();
    }

    public void resume() {
        exchange.request().resume();
    }
}
