package io.storageengine.store.local;

import io.storageengine.core.Ids;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.Precondition;
import io.storageengine.core.store.PutOptions;
import io.storageengine.store.Expect;
import io.storageengine.store.SystemClock;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;

/// A process that writes until it is killed, and says what was acknowledged: `acked <key> <version> .`
final class KillVictim {
    private static final int WRITERS = 4;
    private static final int SMALL_BYTES_MAX = 10_000;
    private static final int BODY_BYTES_MAX = 4_000_000;

    private KillVictim() {}

    /// @param args data directory, seed
    public static void main(String[] args) throws InterruptedException {
        long seed = Long.parseLong(args[1]);
        Ids ids = new Ids(Expect.random(seed));
        ObjectStore store = LocalBuckets.open(Path.of(args[0]), new SystemClock(), ids)
                .orThrow()
                .cluster();
        System.out.println("ready");
        Thread[] writers = new Thread[WRITERS];
        for (int i = 0; i < WRITERS; i++) {
            RandomGenerator random = Expect.random(seed * WRITERS + i);
            String name = "writer-" + i;
            writers[i] = Thread.ofVirtual().start(() -> write(store, name, random));
        }
        for (Thread writer : writers) writer.join();
    }

    private static void write(ObjectStore store, String name, RandomGenerator random) {
        long version = 1 + random.nextLong(1L << 40);
        while (true) {
            version++;
            byte[] body = body(version);
            String fresh = "fresh/" + name + "/" + random.nextInt(10) + "/" + version;
            switch (random.nextInt(4)) {
                case 0 ->
                    acked(
                            store.put(fresh, Content.of(body), PutOptions.IF_ABSENT)
                                    .isOk(),
                            fresh,
                            version);
                case 1 -> acked(store.put(name, stream(body), PutOptions.PLAIN).isOk(), name, version);
                case 2 -> acked(upload(store, fresh, body), fresh, version);
                default -> store.delete(fresh);
            }
        }
    }

    private static Content stream(byte[] body) {
        return new Content.Stream(body.length, new ByteArrayInputStream(body));
    }

    private static boolean upload(ObjectStore store, String key, byte[] body) {
        String id = store.createUpload(key, PutOptions.PLAIN).orThrow();
        var part = store.uploadPart(key, id, 1, Content.of(body)).orThrow();
        return store.completeUpload(key, id, List.of(part), new Precondition.IfAbsent())
                .isOk();
    }

    private static void acked(boolean isOk, String key, long version) {
        if (isOk) System.out.println("acked " + key + " " + version + " .");
    }

    /// The only body that a version has: it tells its version, and nothing can be missing unseen.
    static byte[] body(long version) {
        RandomGenerator random = Expect.random(version);
        byte[] body = new byte[8 + random.nextInt(version % 4 == 0 ? SMALL_BYTES_MAX : BODY_BYTES_MAX)];
        random.nextBytes(body);
        ByteBuffer.wrap(body).putLong(version);
        return body;
    }
}
