package io.storageengine.gateway.door;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;

/// An answer of unknown length that goes on as long as there is something to tell. For one virtual thread; the
/// socket's pace is the sender's, so that a slow reader costs a few pieces of memory and no more.
public final class LiveAnswer {
    private final Exchange exchange;
    private final ResponsePipe pipe;

    LiveAnswer(Exchange exchange) {
        this.exchange = exchange;
        this.pipe = new ResponsePipe(exchange);
    }

    /// Sends a piece; waits while too many are under way.
    ///
    /// @throws IOException when the client went away
    public void send(Buffer piece) throws IOException {
        pipe.send(piece);
    }

    /// The client went away: nothing more is sent.
    public void cut() {
        exchange.onLoop(pipe::cut);
    }

    /// Ends the answer as it should end.
    public void end() {
        exchange.onLoop(() -> exchange.request().response().end().onComplete(done -> exchange.ended()));
    }
}
