package io.storageengine.ingest.session;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.TakenRows;
import io.storageengine.ingest.table.Memory;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A body on its way from those who send its pieces to the one thread that reads it. Holds little: a piece is
/// answered when there is room for another.
final class BodyPipe extends InputStream {
    private static final long ROOM_BYTES = 1 << 20;
    private final Memory memory;
    private final long idleMillis;
    private final long roomMillis;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<ByteBuffer> pieces = new ArrayDeque<>();
    private long bytes;
    private boolean isEnded;
    private @Nullable Failure broken;

    /// @param idleMillis how long the reader waits for a next piece
    /// @param roomMillis how long a sender waits for room
    BodyPipe(Memory memory, long idleMillis, long roomMillis) {
        this.memory = memory;
        this.idleMillis = idleMillis;
        this.roomMillis = roomMillis;
    }

    /// Takes a piece, and answers when there is room for the next.
    Outcome<TakenRows> send(ByteBuffer piece) {
        lock.lock();
        try {
            if (isEnded && broken == null) return Outcome.failed(Failure.Kind.INVALID, "The body has ended already");
            if (broken == null && piece.hasRemaining()) {
                pieces.add(piece.duplicate());
                count(piece.remaining());
                changed.signalAll();
            }
            long left = TimeUnit.MILLISECONDS.toNanos(roomMillis);
            while (bytes > ROOM_BYTES && broken == null && left > 0) left = changed.awaitNanos(left);
            if (broken == null && bytes > ROOM_BYTES) close(tooSlow());
            return broken == null ? Outcome.ok(new TakenRows()) : Outcome.failed(broken);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return Outcome.failed(Failure.Kind.UNAVAILABLE, "The node is stopping");
        } finally {
            lock.unlock();
        }
    }

    private static Failure tooSlow() {
        return new Failure(Failure.Kind.THROTTLED, "Rows come faster than they can be stored: try again later");
    }

    /// The body is complete.
    void end() {
        lock.lock();
        try {
            isEnded = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// No more of the body is sent or read; the first reason given counts.
    void close(Failure reason) {
        lock.lock();
        try {
            if (broken == null) broken = reason;
            isEnded = true;
            pieces.clear();
            count(-bytes);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void count(long more) {
        bytes += more;
        memory.count(more);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    /// Reads what is there, waiting for the next piece when nothing is.
    @Override
    @SuppressWarnings("ThreadPriorityCheck") // a busy reader would keep its carrier thread from all others
    public int read(byte[] target, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, target.length);
        if (count == 0) return 0;
        Thread.yield();
        return take(target, offset, count);
    }

    private int take(byte[] target, int offset, int count) throws IOException {
        lock.lock();
        try {
            ByteBuffer head = awaitPiece();
            if (head == null) return -1;
            int step = Math.min(count, head.remaining());
            head.get(target, offset, step);
            count(-step);
            if (!head.hasRemaining()) pieces.remove();
            changed.signalAll();
            return step;
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the node is stopping");
        } finally {
            lock.unlock();
        }
    }

    /// Waits as [#read] does: Java's gzip decoder takes 0 for the end of the body.
    @Override
    public int available() throws IOException {
        lock.lock();
        try {
            ByteBuffer head = awaitPiece();
            return head == null ? 0 : head.remaining();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the node is stopping");
        } finally {
            lock.unlock();
        }
    }

    private @Nullable ByteBuffer awaitPiece() throws InterruptedException, IOException {
        long left = TimeUnit.MILLISECONDS.toNanos(idleMillis);
        while (pieces.isEmpty() && !isEnded && left > 0) left = changed.awaitNanos(left);
        if (broken == null && pieces.isEmpty() && !isEnded)
            close(new Failure(Failure.Kind.NOT_FOUND, "NoSuchSession", "The request was idle for too long"));
        if (broken != null) throw new IOException("the body broke off", new FailureException(broken));
        return pieces.peek();
    }
}
