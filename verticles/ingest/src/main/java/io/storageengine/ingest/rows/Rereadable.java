package io.storageengine.ingest.rows;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;

/// A body whose *beginning*, its first [#KEPT_BYTES], is kept so that it can be read again from its first byte.
/// Until the first [#again] it ends where the beginning ends; after that it goes on, and the beginning is kept
/// only if nothing follows it. Closing it gives the memory back and leaves the body open: decoders may not be
/// asked again after their end. Not thread-safe.
public final class Rereadable extends FilterInputStream {
    /// The longest row of [RowLimits#DEFAULT], and enough more to tell that one is longer.
    public static final int KEPT_BYTES = 17 << 20;

    private final LongConsumer memory;
    private Head head = new Head();
    private int at;
    private boolean isAgain;
    private boolean isKept = true;

    /// @param memory is told how many bytes more are kept, negative when they are given back; it may refuse
    public Rereadable(InputStream body, LongConsumer memory) {
        super(body);
        this.memory = memory;
    }

    /// What was read, for reading once more without a copy.
    private static final class Head extends ByteArrayOutputStream {
        int copy(int from, byte[] target, int offset, int length) {
            int step = Math.min(count - from, length);
            System.arraycopy(buf, from, target, offset, step);
            return step;
        }
    }

    /// Bytes read so far, while they are kept.
    int size() {
        return head.size();
    }

    /// Who is told of bytes that are held.
    LongConsumer memory() {
        return memory;
    }

    /// Whether everything that was read can be read again.
    public boolean isKept() {
        return isKept;
    }

    /// Starts from the first byte, to read no more than the beginning once more.
    public void beginning() {
        if (isAgain) throw new IllegalStateException("more than the beginning may have been read");
        at = 0;
    }

    /// Starts from the first byte, to read all of it.
    ///
    /// @throws IllegalStateException when it is no longer kept
    public void again() {
        if (!isKept) throw new IllegalStateException("the beginning is no longer kept");
        at = 0;
        isAgain = true;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (at < head.size()) {
            int step = head.copy(at, target, offset, length);
            at += step;
            return step;
        }
        if (!isAgain && head.size() >= KEPT_BYTES) return -1;
        int got = super.read(target, offset, isAgain ? length : Math.min(length, KEPT_BYTES - head.size()));
        if (got <= 0 || !isKept) return got;
        if (head.size() + got > KEPT_BYTES) forget();
        else keep(target, offset, got);
        return got;
    }

    private void keep(byte[] bytes, int offset, int count) {
        memory.accept(count);
        head.write(bytes, offset, count);
        at = head.size();
    }

    private void forget() {
        memory.accept(-head.size());
        head = new Head();
        at = 0;
        isKept = false;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    @Override
    public void close() {
        forget();
    }
}
