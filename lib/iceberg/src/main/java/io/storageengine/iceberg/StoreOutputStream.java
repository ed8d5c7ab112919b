package io.storageengine.iceberg;

import io.storageengine.core.store.Content;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.PutOptions;
import io.storageengine.core.store.UploadedPart;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.iceberg.io.PositionOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Collects a file's bytes: up to 32 MiB become one PUT, more a multipart upload with parts of that size. After
/// a failed write nothing becomes visible.
final class StoreOutputStream extends PositionOutputStream {
    static final int PART_BYTES = 32 * 1024 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(StoreOutputStream.class);
    private static final int CHUNK_BYTES_MIN = 16 * 1024;
    private static final int CHUNK_BYTES_MAX = 1024 * 1024;
    private final ObjectStore store;
    private final String key;
    private final String location;
    private final PutOptions options;
    private final List<ByteBuffer> full = new ArrayList<>();
    private final List<UploadedPart> parts = new ArrayList<>();
    private ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES_MIN);
    private int fullBytes;
    private @Nullable String upload;
    private long position;
    private boolean failed;
    private boolean closed;

    StoreOutputStream(ObjectStore store, String key, String location, PutOptions options) {
        this.store = store;
        this.key = key;
        this.location = location;
        this.options = options;
    }

    @Override
    public long getPos() {
        return position;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, source.length);
        if (closed) throw new IOException("The stream is closed: " + location);
        for (int done = 0; done < count; ) {
            if (!chunk.hasRemaining()) turnChunk();
            int step = Math.min(count - done, chunk.remaining());
            chunk.put(source, offset + done, step);
            done += step;
        }
        position += count;
    }

    private void turnChunk() throws IOException {
        int size = Math.min(chunk.capacity() * 2, CHUNK_BYTES_MAX);
        take();
        if (fullBytes >= PART_BYTES) sendPart();
        chunk = ByteBuffer.allocate(Math.min(size, PART_BYTES - fullBytes));
    }

    private void take() {
        fullBytes += chunk.position();
        full.add(chunk.flip());
    }

    private void sendPart() throws IOException {
        String id = upload;
        if (id == null) id = begin();
        int number = parts.size() + 1;
        failed = true;
        parts.add(StoreFailures.orThrowIo(store.uploadPart(key, id, number, new Content.Memory(full)), location));
        failed = false;
        full.clear();
        fullBytes = 0;
    }

    private String begin() throws IOException {
        failed = true;
        String id = StoreFailures.orThrowIo(store.createUpload(key, options), location);
        failed = false;
        upload = id;
        return id;
    }

    @Override
    public void close() throws IOException {
        if (closed) return;
        closed = true;
        String id = upload;
        try {
            if (id == null && !failed) putWhole();
            else if (id != null) finish(id);
        } finally {
            full.clear();
        }
    }

    private void putWhole() {
        take();
        StoreFailures.orThrow(store.put(key, new Content.Memory(full), options), location);
    }

    private void finish(String id) throws IOException {
        if (failed) {
            abort(id);
            return;
        }
        try {
            take();
            if (fullBytes > 0) sendPart();
        } catch (IOException broken) {
            abort(id);
            throw broken;
        }
        StoreFailures.orThrow(store.completeUpload(key, id, parts, options.precondition()), location);
    }

    private void abort(String id) {
        if (!store.abortUpload(key, id).isOk()) LOG.warn("An upload could not be aborted: {}", location);
    }
}
