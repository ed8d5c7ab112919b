package io.storageengine.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.storageengine.catalog.secrets.EncryptedSecrets;
import io.storageengine.catalog.threads.Threads;
import io.storageengine.core.Ids;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.store.Buckets;
import io.storageengine.store.memory.MemoryBuckets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.apache.iceberg.catalog.SessionCatalog;

/// A catalog room over a memory store, and short ways to ask it. Another room on the same store is made by
/// [#restarted].
final class Room {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    final MachineClock clock;
    final Watched buckets;
    final CatalogService service;
    final MeterRegistry meters = new SimpleMeterRegistry();
    private final CatalogOptions options;
    private final long seed;

    private Room(MachineClock clock, Watched buckets, CatalogOptions options, long seed) {
        this.clock = clock;
        this.buckets = buckets;
        this.options = options;
        this.seed = seed;
        RandomGenerator random = new Locked(seed);
        var cluster = buckets.bucket("cluster-storage");
        this.service = new CatalogService(
                cluster,
                buckets,
                new EncryptedSecrets(cluster, KEY, random),
                options,
                meters,
                clock,
                Threads.VIRTUAL,
                random);
    }

    /// A room of its own with a catalog `dev`.
    static Room dev() {
        return dev(options -> options);
    }

    static Room dev(UnaryOperator<CatalogOptions> change) {
        MachineClock clock = new MachineClock();
        Buckets memory = new MemoryBuckets(clock, new Ids(new Locked(1)));
        memory.create("cluster-storage").orThrow();
        CatalogOptions options = change.apply(CatalogOptions.dev("node-1", Map.of("s3.secret-access-key", "s3cr3t")));
        Room room = new Room(clock, new Watched(memory), options, 7);
        room.service.ensureNative("dev").orThrow();
        room.buckets.drain();
        return room;
    }

    /// Another process on the same storage.
    Room restarted(CatalogOptions other) {
        return new Room(clock, buckets, other, seed * 31 + 1);
    }

    Room restarted() {
        return restarted(options);
    }

    CatalogReply call(String method, String path, String body) {
        return call(method, path, Map.of("content-type", "application/json"), body);
    }

    CatalogReply call(String method, String path, Map<String, String> headers, String body) {
        int question = path.indexOf('?');
        String bare = question < 0 ? path : path.substring(0, question);
        String query = question < 0 ? "" : path.substring(question + 1);
        ByteBuffer bytes = ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8));
        return (CatalogReply) service.answer(new CallCatalog(method, bare, query, headers, bytes))
                .orThrow();
    }

    CatalogReply get(String path) {
        return call("GET", path, "");
    }

    CatalogReply post(String path, String body) {
        return call("POST", path, body);
    }

    static String text(CatalogReply reply) {
        return StandardCharsets.UTF_8.decode(reply.body().duplicate()).toString();
    }

    static JsonNode json(CatalogReply reply) {
        try {
            return JSON.readTree(text(reply));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static SessionCatalog.SessionContext anybody() {
        return SessionCatalog.SessionContext.createEmpty();
    }

    /// A seeded source that threads may share.
    private static final class Locked implements RandomGenerator {
        private final SplittableRandom random;
        private final ReentrantLock lock = new ReentrantLock();

        Locked(long seed) {
            this.random = new SplittableRandom(seed);
        }

        @Override
        public long nextLong() {
            lock.lock();
            try {
                return random.nextLong();
            } finally {
                lock.unlock();
            }
        }
    }
}
