package io.storageengine.store.local;

import io.storageengine.core.Clock;
import io.storageengine.store.Names;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/// What all stores of one data directory share.
record LocalParts(Disk disk, Clock clock, Names names, Locks locks, Locks uploadLocks) {
    LocalParts(Disk disk, Clock clock, Names names) {
        this(disk, clock, names, new Locks(), new Locks());
    }

    Instant now() {
        return Instant.ofEpochMilli(clock.wallMillis());
    }

    /// A lock for each key, several keys to a lock.
    static final class Locks {
        private static final int STRIPES = 256;
        private final ReentrantLock[] stripes =
                Stream.generate(ReentrantLock::new).limit(STRIPES).toArray(ReentrantLock[]::new);

        ReentrantLock of(Object key) {
            return stripes[Math.floorMod(key.hashCode() * 0x9e3779b9, STRIPES)];
        }
    }
}
