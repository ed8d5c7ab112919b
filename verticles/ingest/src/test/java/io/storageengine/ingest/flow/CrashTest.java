package io.storageengine.ingest.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Outcome;
import io.storageengine.core.message.EndedRows;
import io.storageengine.core.message.TableRef;
import io.storageengine.ingest.IngestOptions;
import io.storageengine.ingest.rows.RowLimits;
import io.storageengine.ingest.session.SessionOptions;
import io.storageengine.ingest.table.Pace;
import io.storageengine.store.Fault;
import io.storageengine.store.FaultPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Processes die at any store call, requests and answers get lost, come late or are refused; whoever comes
/// after them must bring every acknowledged row into its table exactly once, and no row twice.
class CrashTest {
    private static final int ROUNDS = 3;
    private static final int SENDERS = 4;
    private static final int REQUESTS = 15;
    private static final List<TableRef> TABLES = List.of(
            World.TABLE, new TableRef("dev", List.of("demo"), "u"), new TableRef("dev", List.of("a", "b"), "v"));

    /// A request, whether it was acknowledged, and the rows it has.
    private static final class Sent {
        final TableRef table;
        final String key;
        final long first;
        final int rows;
        boolean isAcked;

        Sent(TableRef table, String key, long first, int rows) {
            this.table = table;
            this.key = key;
            this.first = first;
            this.rows = rows;
        }

        String body() {
            StringBuilder body = new StringBuilder();
            for (int i = 0; i < rows; i++)
                body.append("{\"id\":")
                        .append(first + i)
                        .append(",\"text\":\"row ")
                        .append(i)
                        .append("\"}\n");
            return body.toString();
        }
    }

    static List<Long> seeds() {
        return seeds(12);
    }

    static List<Long> seeds(int usual) {
        String given = System.getProperty("seed");
        if (given != null) return List.of(Long.valueOf(given));
        int count = Integer.getInteger("seeds", usual);
        List<Long> seeds = new ArrayList<>();
        for (long seed = 1; seed <= count; seed++) seeds.add(seed);
        return seeds;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyAcknowledgedRowIsInItsTableOnce(long seed) throws Exception {
        World world = new World(seed);
        Random random = new Random(seed);
        AtomicLong nextRow = new AtomicLong();
        List<Sent> all = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            long nodeSeed = seed * 100 + round;
            world.plan(dying(random, 20 + random.nextInt(300)));
            try (Node node = new Node(world, nodeSeed, options())) {
                List<Sent> again = all.stream()
                        .filter(sent -> !sent.isAcked && !sent.key.isEmpty())
                        .toList();
                all.addAll(sendFrom(node, random, nextRow, again));
                if (random.nextBoolean()) world.land();
            }
            world.land();
        }
        world.plan(call -> Fault.NONE);
        try (Node last = new Node(world, seed * 100 + 99)) {
            for (Sent sent : all) {
                if (sent.isAcked || sent.key.isEmpty()) continue;
                last.send(sent.table, Node.keyed(sent.key), sent.body()).orThrow();
                sent.isAcked = true;
            }
            last.awaitIdle();
        }
        check(world, all, seed);
    }

    /// Commits come often, so that a death finds some done and some not.
    private static IngestOptions options() {
        SessionOptions quick = new SessionOptions(
                1 << 30, 1 << 20, 4 << 20, 100, 5_000, 300, 2_000, 2_000, new Pace(10, 1 << 20), RowLimits.DEFAULT);
        return Node.options().with(quick);
    }

    /// Faults now and then, and after so many calls nothing arrives any more.
    static FaultPlan dying(Random random, int calls) {
        FaultPlan now = FaultPlan.seeded(random, 20, 3);
        int[] left = {calls};
        return call -> --left[0] < 0 ? Fault.LOST_REQUEST : now.next(call);
    }

    private static List<Sent> sendFrom(Node node, Random random, AtomicLong nextRow, List<Sent> again)
            throws Exception {
        List<Future<List<Sent>>> senders = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < SENDERS; i++) {
                long seed = random.nextLong();
                senders.add(threads.submit(() -> send(node, new Random(seed), nextRow)));
            }
            for (Sent sent : again) attempt(node, sent);
            List<Sent> all = new ArrayList<>();
            for (Future<List<Sent>> sender : senders) all.addAll(sender.get());
            return all;
        }
    }

    private static List<Sent> send(Node node, Random random, AtomicLong nextRow) {
        List<Sent> all = new ArrayList<>();
        int failures = 0;
        for (int i = 0; i < REQUESTS && failures < 3; i++) {
            int rows = 1 + random.nextInt(20);
            String key = random.nextInt(4) == 0 ? "" : "key-" + Long.toHexString(random.nextLong());
            Sent sent = new Sent(TABLES.get(random.nextInt(TABLES.size())), key, nextRow.getAndAdd(rows), rows);
            all.add(sent);
            for (int tries = 0; tries < 2 && !sent.isAcked; tries++) {
                attempt(node, sent);
                if (sent.key.isEmpty()) break;
            }
            failures = sent.isAcked ? 0 : failures + 1;
        }
        return all;
    }

    private static void attempt(Node node, Sent sent) {
        Outcome<EndedRows> outcome =
                node.send(sent.table, sent.key.isEmpty() ? Node.plain() : Node.keyed(sent.key), sent.body());
        if (outcome instanceof Outcome.Ok<EndedRows>(EndedRows ended)) {
            assertThat(ended.taken()).isTrue();
            sent.isAcked = true;
        }
    }

    private static void check(World world, List<Sent> all, long seed) {
        assertThat(world.keys("cluster", "parked")).as("parked").isEmpty();
        Map<TableRef, Map<Long, Integer>> read = new HashMap<>();
        for (TableRef table : TABLES) {
            if (all.stream().noneMatch(sent -> sent.isAcked && sent.table.equals(table))) continue;
            Map<Long, Integer> counts = new TreeMap<>();
            world.rows(table).forEach(row -> counts.merge((Long) row.getField("id"), 1, Integer::sum));
            read.put(table, counts);
        }
        for (Sent sent : all)
            for (long id = sent.first; id < sent.first + sent.rows; id++) {
                int times = read.getOrDefault(sent.table, Map.of()).getOrDefault(id, 0);
                assertThat(times)
                        .as("seed %d: row %d of %s, acknowledged: %s", seed, id, sent.table.display(), sent.isAcked)
                        .isBetween(sent.isAcked ? 1 : 0, 1);
            }
    }
}
