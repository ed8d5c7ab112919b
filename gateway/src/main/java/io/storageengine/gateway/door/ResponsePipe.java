package io.storageengine.gateway.door;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.buffer.BufferInternal;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.Semaphore;

/// Sends a response's body from a virtual thread: a few chunks are under way at once, and the socket's pace is
/// the reader's.
final class ResponsePipe {
    private static final int CHUNK_BYTES = 128 << 10;
    private static final int UNDER_WAY_MAX = 4;

    private final Exchange exchange;
    private final Semaphore room = new Semaphore(UNDER_WAY_MAX);
    private volatile boolean broken;

    ResponsePipe(Exchange exchange) {
        this.exchange = exchange;
        exchange.onLoop(() -> exchange.request().response().closeHandler(v -> fail()));
    }

    private void fail() {
        broken = true;
        room.release(UNDER_WAY_MAX);
    }

    void copy(InputStream body, long length) throws IOException {
        try {
            long left = length;
            while (left > 0) {
                byte[] chunk = new byte[(int) Math.min(CHUNK_BYTES, left)];
                int count = body.readNBytes(chunk, 0, chunk.length);
                if (count < chunk.length) throw new EOFException("the object ended early");
                send(BufferInternal.buffer(Unpooled.wrappedBuffer(chunk)));
                left -= count;
            }
            exchange.onLoop(() -> exchange.request().response().end().onComplete(done -> exchange.ended()));
        } catch (IOException | RuntimeException e) {
            exchange.onLoop(this::cut);
            throw e;
        }
    }

    void send(Buffer chunk) throws IOException {
        try {
            room.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
        if (broken) throw new EOFException("the client went away");
        exchange.onLoop(() -> exchange.request().response().write(chunk).onComplete(done -> {
            if (done.failed()) fail();
            else room.release();
        }));
    }

    void cut() {
        exchange.ended();
        HttpServerRequest request = exchange.request();
        if (request.version() == HttpVersion.HTTP_2) request.response().reset(2);
        else request.connection().close();
    }
}
