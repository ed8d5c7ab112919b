package io.storageengine.gateway.door;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A request's body pulled by one virtual thread: the event loop puts pieces in, at most [#PIECES_MAX] wait.
final class BodyStream extends InputStream {
    /// A piece is at most 64 KiB.
    private static final int PIECES_MAX = 16;

    private static final int FETCH = PIECES_MAX / 2;

    private final Exchange exchange;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<Buffer> pieces = new ArrayDeque<>();
    private boolean started;
    private boolean ended;
    private @Nullable Throwable broken;
    private @Nullable Buffer piece;
    private int offset;
    private int consumed;

    BodyStream(Exchange exchange) {
        this.exchange = exchange;
    }

    private void start() {
        started = true;
        exchange.onLoop(() -> {
            HttpServerRequest request = exchange.request();
            exchange.onGone(() -> put(() -> broken = new EOFException("the connection was closed")));
            if (request.isEnded()) {
                put(() -> ended = true);
                return;
            }
            if (request.response().closed()) {
                put(() -> broken = new EOFException("the connection was closed"));
                return;
            }
            request.handler(part -> put(() -> pieces.add(part)));
            request.endHandler(v -> put(() -> ended = true));
            request.exceptionHandler(e -> put(() -> broken = e));
            exchange.sendContinue();
            request.fetch(PIECES_MAX);
        });
    }

    private void put(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
        if (length == 0) return 0;
        if (!started) start();
        Buffer current = current();
        if (current == null) return -1;
        int count = Math.min(length, current.length() - offset);
        current.getBytes(offset, offset + count, target, from);
        offset += count;
        return count;
    }

    private @Nullable Buffer current() throws IOException {
        while (piece == null || offset == piece.length()) {
            Buffer next = take();
            if (next == null) return null;
            piece = next;
            offset = 0;
        }
        return piece;
    }

    private @Nullable Buffer take() throws IOException {
        lock.lock();
        try {
            while (pieces.isEmpty() && !ended && broken == null) changed.await();
            Buffer next = pieces.poll();
            if (next == null && !ended) throw new EOFException("the client went away: " + broken);
            if (next != null) fetchMore();
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        } finally {
            lock.unlock();
        }
    }

    private void fetchMore() {
        if (++consumed < FETCH) return;
        consumed = 0;
        exchange.onLoop(() -> exchange.request().fetch(FETCH));
    }
}
