package io.storageengine.store.memory;

import io.storageengine.core.Clock;
import io.storageengine.core.Done;
import io.storageengine.core.Ids;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.BucketInfo;
import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.store.BucketNames;
import io.storageengine.store.Failures;
import io.storageengine.store.Names;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/// Buckets in memory, for tests and simulations: the same promises as a real store, gone with the process.
public final class MemoryBuckets implements Buckets {
    private final Clock clock;
    private final Names names;
    private final ReentrantLock lock = new ReentrantLock();
    private final TreeMap<String, MemoryBucket> buckets = new TreeMap<>();

    public MemoryBuckets(Clock clock, Ids ids) {
        this.clock = clock;
        this.names = new Names(ids);
    }

    /// One store over a bucket of its own.
    public static ObjectStore oneStore(Clock clock, Ids ids) {
        MemoryBuckets buckets = new MemoryBuckets(clock, ids);
        buckets.create("bucket").orThrow();
        return buckets.bucket("bucket");
    }

    @Override
    public ObjectStore bucket(String name) {
        return new MemoryStore(name, () -> find(name), clock, names);
    }

    private Optional<MemoryBucket> find(String name) {
        lock.lock();
        try {
            return Optional.ofNullable(buckets.get(name));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Outcome<Done> create(String name) {
        if (!BucketNames.isValid(name)) return Outcome.failed(Failures.invalidBucketName());
        lock.lock();
        try {
            if (buckets.containsKey(name)) return Outcome.failed(Failures.bucketExists(name));
            buckets.put(name, new MemoryBucket(Instant.ofEpochMilli(clock.wallMillis())));
            return Outcome.done();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Outcome<Done> head(String name) {
        return find(name).isPresent() ? Outcome.done() : Outcome.failed(Failures.noSuchBucket(name));
    }

    @Override
    public Outcome<Done> delete(String name) {
        lock.lock();
        try {
            MemoryBucket bucket = buckets.get(name);
            if (bucket == null) return Outcome.failed(Failures.noSuchBucket(name));
            if (!bucket.closeIfEmpty()) return Outcome.failed(Failures.bucketNotEmpty(name));
            buckets.remove(name);
            return Outcome.done();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Outcome<List<BucketInfo>> list() {
        lock.lock();
        try {
            return Outcome.ok(buckets.entrySet().stream()
                    .map(entry ->
                            new BucketInfo(entry.getKey(), entry.getValue().created()))
                    .toList());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {}
}
