package io.storageengine.store.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Clock;
import io.storageengine.core.Ids;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.store.Expect;
import io.storageengine.store.SystemClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// kill -9 of a process that writes, many times: what it acknowledged is there whole, and nothing is there in part.
class KillTest {
    private static final int KILLS = 20;
    private static final String FRESH = "fresh/";
    private static final long START_MILLIS_MAX = 60_000;
    private final Clock clock = new SystemClock();

    @Test
    void afterAKillEveryAcknowledgedObjectIsWholeAndNoneIsHalf(@TempDir Path work)
            throws IOException, InterruptedException {
        long seed = clock.wallMillis();
        System.out.println("KillTest seed " + seed);
        RandomGenerator random = Expect.random(seed);
        Path data = work.resolve("data");
        Map<String, Long> acked = new HashMap<>();
        int count = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            Path log = work.resolve("victim.log");
            runAndKill(data, log, seed + kill, 1 + random.nextLong(400));
            readAcked(log, acked);
            count += acked.size();
            check(data, acked, "seed " + seed + " kill " + kill);
            acked.keySet().removeIf(key -> key.startsWith(FRESH));
        }
        System.out.println("KillTest: " + count + " acknowledged objects survived " + KILLS + " kills");
        assertThat(count).isGreaterThan(KILLS);
    }

    private void runAndKill(Path data, Path log, long seed, long millis) throws IOException, InterruptedException {
        Process victim = victim(data, log, seed);
        try {
            long end = clock.wallMillis() + START_MILLIS_MAX;
            while (!Files.readString(log).startsWith("ready")) {
                assertThat(victim.isAlive() && clock.wallMillis() < end)
                        .as(Files.readString(log))
                        .isTrue();
                clock.sleep(5);
            }
            clock.sleep(millis);
            assertThat(victim.isAlive()).as(Files.readString(log)).isTrue();
        } finally {
            victim.destroyForcibly().waitFor();
        }
    }

    static Process victim(Path data, Path log, long seed) throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KillVictim.class.getName(),
                        data.toString(),
                        Long.toString(seed)))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private static void readAcked(Path log, Map<String, Long> acked) throws IOException {
        for (String line : Files.readAllLines(log)) {
            String[] words = line.split(" ", -1);
            if (words.length == 4 && words[0].equals("acked") && words[3].equals(".")) {
                acked.put(words[1], Long.parseLong(words[2]));
            }
        }
    }

    private void check(Path data, Map<String, Long> acked, String when) throws IOException {
        LocalBuckets buckets =
                LocalBuckets.open(data, clock, new Ids(Expect.random(1))).orThrow();
        try {
            Map<String, Long> found = versions(buckets.cluster());
            acked.forEach((key, version) -> {
                assertThat(found).as(when).containsKey(key);
                if (key.startsWith(FRESH)) assertThat(found).as(when).containsEntry(key, version);
            });
            assertThat(data.resolve("temp")).as(when).isEmptyDirectory();
            List<String> checked =
                    found.keySet().stream().filter(key -> key.startsWith(FRESH)).toList();
            assertThat(buckets.cluster().deleteAll(checked).orThrow()).isEmpty();
        } finally {
            buckets.close();
        }
    }

    /// The version of each object; fails where a body is not that version's whole body.
    private static Map<String, Long> versions(ObjectStore store) {
        Map<String, Long> versions = new HashMap<>();
        ListRequest request = ListRequest.of("");
        while (true) {
            var page = store.list(request).orThrow();
            for (ObjectInfo info : page.objects()) {
                ByteBuffer body = store.read(info.key()).orThrow();
                long version = body.getLong(0);
                assertThat(body).as(info.key()).isEqualTo(ByteBuffer.wrap(KillVictim.body(version)));
                versions.put(info.key(), version);
            }
            if (page.isLast()) return versions;
            request = request.after(page.next());
        }
    }
}
