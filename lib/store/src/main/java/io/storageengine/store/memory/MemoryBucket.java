package io.storageengine.store.memory;

import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.PutOptions;
import io.storageengine.core.store.UploadedPart;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/// What one bucket holds; whoever looks at it or changes it holds its lock.
final class MemoryBucket {
    /// @param bytes read-only
    record Stored(ObjectInfo info, ByteBuffer bytes) {}

    /// @param bytes read-only
    record Part(UploadedPart info, ByteBuffer bytes) {}

    record Upload(String key, PutOptions options, Instant initiated, TreeMap<Integer, Part> parts) {}

    final ReentrantLock lock = new ReentrantLock();
    final TreeMap<String, Stored> objectsByRawKey = new TreeMap<>();
    final TreeMap<String, Upload> uploadsById = new TreeMap<>();
    private final Instant created;
    private boolean closed;

    MemoryBucket(Instant created) {
        this.created = created;
    }

    Instant created() {
        return created;
    }

    boolean isClosed() {
        return closed;
    }

    boolean closeIfEmpty() {
        lock.lock();
        try {
            closed = objectsByRawKey.isEmpty();
            return closed;
        } finally {
            lock.unlock();
        }
    }
}
