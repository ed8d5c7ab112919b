package io.storageengine.iceberg;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.ByteRange;
import io.storageengine.core.store.ObjectBody;
import io.storageengine.core.store.ObjectStore;
import java.io.EOFException;
import java.io.IOException;
import java.util.Objects;
import org.apache.iceberg.io.RangeReadable;
import org.apache.iceberg.io.SeekableInputStream;
import org.jspecify.annotations.Nullable;

/// Reads one object from any position: sequential reads share one request, a jump opens a new one.
///
/// For one thread, but for the positioned reads of [RangeReadable]. A body that breaks is opened again where it
/// broke.
final class StoreInputStream extends SeekableInputStream implements RangeReadable {
    /// Jumps forward up to this far are read over: cheaper than a request.
    private static final int SKIP_BYTES_MAX = 512 * 1024;

    private static final int BREAKS_MAX = 3;
    private final ObjectStore store;
    private final String key;
    private final String location;
    private @Nullable ObjectBody body;
    private long bodyAt;
    private long position;
    private boolean closed;

    StoreInputStream(ObjectStore store, String key, String location) {
        this.store = store;
        this.key = key;
        this.location = location;
    }

    @Override
    public long getPos() {
        return position;
    }

    @Override
    public void seek(long target) {
        if (target < 0) throw new IllegalArgumentException("negative position");
        position = target;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, target.length);
        if (count == 0) return 0;
        for (int breaks = 0; ; breaks++) {
            try {
                int got = readOnce(target, offset, count);
                if (got > 0) position += got;
                return got;
            } catch (IOException broken) {
                drop();
                if (closed || breaks == BREAKS_MAX) throw broken;
            }
        }
    }

    private int readOnce(byte[] target, int offset, int count) throws IOException {
        ObjectBody open = bodyAtPosition();
        if (open == null) return -1;
        int got = open.stream().read(target, offset, count);
        if (got > 0) bodyAt += got;
        return got;
    }

    private @Nullable ObjectBody bodyAtPosition() throws IOException {
        if (closed) throw new IOException("The stream is closed: " + location);
        ObjectBody open = body;
        if (open != null && position >= bodyAt && position - bodyAt <= SKIP_BYTES_MAX) {
            bodyAt += open.stream().skip(position - bodyAt);
            if (bodyAt == position) return open;
        }
        drop();
        return open();
    }

    private @Nullable ObjectBody open() throws IOException {
        Outcome<ObjectBody> got = store.get(key, new ByteRange.From(position));
        if (got instanceof Outcome.Failed<ObjectBody>(Failure failure)
                && failure.code().equals("InvalidRange")) return null;
        ObjectBody open = StoreFailures.orThrowIo(got, location);
        body = open;
        bodyAt = position;
        return open;
    }

    @Override
    public void readFully(long from, byte[] target, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, target.length);
        if (count == 0) return;
        int got = readRange(new ByteRange.Between(from, from + count - 1), target, offset, count);
        if (got < count) throw new EOFException(location + " ends before " + (from + count));
    }

    @Override
    public int readTail(byte[] target, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, target.length);
        return count == 0 ? 0 : readRange(new ByteRange.Suffix(count), target, offset, count);
    }

    private int readRange(ByteRange range, byte[] target, int offset, int count) throws IOException {
        try (ObjectBody part = StoreFailures.orThrowIo(store.get(key, range), location)) {
            return part.stream().readNBytes(target, offset, count);
        }
    }

    private void drop() throws IOException {
        ObjectBody open = body;
        body = null;
        if (open != null) open.close();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        drop();
    }
}
