package io.storageengine.ingest.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Outcome;
import io.storageengine.core.message.CallChannel;
import io.storageengine.core.message.CallChannel.Act;
import io.storageengine.core.message.ChannelStatus;
import io.storageengine.core.message.EndedRows;
import io.storageengine.core.message.RowOptions;
import io.storageengine.ingest.IngestOptions;
import io.storageengine.ingest.rows.RowLimits;
import io.storageengine.ingest.session.SessionOptions;
import io.storageengine.ingest.table.Pace;
import io.storageengine.store.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Two producers fight for each channel over two nodes that die at any store call: every offset is in the table
/// once, with the row of whoever was told that it is durable.
class ChannelCrashTest {
    private static final int ROUNDS = 3;
    private static final int CHANNELS = 3;
    private static final int SENDS = 12;
    private static final long ROUND_MILLIS = 3_000;
    private static final long CHANNEL_IDS = 1_000_000;

    static List<Long> seeds() {
        return CrashTest.seeds(6);
    }

    /// Whose row each offset has, as the producers were told.
    private final Map<Long, Integer> told = new ConcurrentHashMap<>();
    private final Queue<AssertionError> wrong = new ConcurrentLinkedQueue<>();

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyOffsetIsInTheTableOnceWithTheRowOfWhoWasToldSo(long seed) throws Exception {
        World world = new World(seed);
        Random random = new Random(seed);
        try (Node first = new Node(world, seed * 100)) {
            first.send(World.TABLE, Node.committed(), "{\"id\":-1,\"by\":-1}\n").orThrow();
            first.awaitIdle();
        }
        for (int round = 0; round < ROUNDS; round++) {
            world.plan(CrashTest.dying(random, 60 + random.nextInt(600)));
            try (Node a = new Node(world, seed * 100 + 10 + round, options());
                    Node b = new Node(world, seed * 100 + 20 + round, options())) {
                produce(List.of(a, b), random, round);
                if (random.nextBoolean()) world.land();
            }
            world.land();
        }
        world.plan(call -> Fault.NONE);
        Map<String, Long> durable = new TreeMap<>();
        try (Node last = new Node(world, seed * 100 + 99)) {
            for (int channel = 0; channel < CHANNELS; channel++)
                durable.put("c" + channel, open(last, "c" + channel).orThrow().durable());
            last.awaitIdle();
        }
        check(world, durable);
    }

    /// Commits come often, so that a death finds some done and some not.
    private static IngestOptions options() {
        SessionOptions quick = new SessionOptions(
                1 << 30, 1 << 20, 4 << 20, 100, 5_000, 300, 1_000, 1_500, new Pace(10, 1 << 20), RowLimits.DEFAULT);
        return Node.options().with(quick);
    }

    /// Lets the producers work until they are done, or the nodes have been dead for a while: then they end where
    /// they are.
    private void produce(List<Node> nodes, Random random, int round) throws Exception {
        List<Future<?>> producers = new ArrayList<>();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        try {
            for (int channel = 0; channel < CHANNELS; channel++)
                for (int rival = 0; rival < 2; rival++) {
                    int by = 10 * round + rival;
                    Producer producer =
                            new Producer(nodes, "c" + channel, channel * CHANNEL_IDS, random.nextLong(), by);
                    producers.add(threads.submit(producer::run));
                }
            for (Future<?> producer : producers) producer.get(ROUND_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException dead) {
            nodes.forEach(Node::kill);
        } finally {
            threads.shutdownNow();
            assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    /// A client of one channel: opens it when it is fenced, sends again when it does not know.
    private final class Producer {
        private final List<Node> nodes;
        private final String channel;
        private final long ids;
        private final Random random;
        private final int by;
        private long epoch;
        private long next;

        Producer(List<Node> nodes, String channel, long ids, long seed, int by) {
            this.nodes = nodes;
            this.channel = channel;
            this.ids = ids;
            this.random = new Random(seed);
            this.by = by;
        }

        void run() {
            try {
                work();
            } catch (AssertionError found) {
                wrong.add(found);
            }
        }

        private void work() {
            int failures = 0;
            for (int i = 0; i < SENDS && failures < 3; i++) {
                boolean isDone = epoch > 0 || reopen();
                // Rows that were tried and not told of may be taken: the same are sent again, or the channel opened.
                int rows = 1 + random.nextInt(5);
                for (int tries = 0; tries < 3 && epoch > 0; tries++) {
                    isDone = isSent(rows);
                    if (isDone) break;
                }
                if (!isDone && epoch > 0) epoch = 0;
                failures = isDone ? 0 : failures + 1;
            }
        }

        private boolean reopen() {
            if (!(open(node(), channel) instanceof Outcome.Ok<ChannelStatus>(ChannelStatus status))) return false;
            epoch = status.epoch();
            next = status.durable();
            return true;
        }

        private Node node() {
            return nodes.get(random.nextInt(4) == 0 ? 1 : 0);
        }

        private boolean isSent(int rows) {
            StringBuilder body = new StringBuilder();
            for (int i = 0; i < rows; i++)
                body.append("{\"id\":")
                        .append(ids + next + i)
                        .append(",\"by\":")
                        .append(by)
                        .append("}\n");
            Outcome<EndedRows> outcome = node().send(World.TABLE, at(), body.toString());
            if (!(outcome instanceof Outcome.Ok<EndedRows>(EndedRows ended))) {
                epoch = random.nextInt(3) == 0
                                || ((Outcome.Failed<EndedRows>) outcome)
                                        .failure()
                                        .code()
                                        .endsWith("Exception")
                        ? 0
                        : epoch;
                return false;
            }
            assertThat(ended.taken()).isTrue();
            for (int i = 0; i < rows; i++) {
                Integer other = told.putIfAbsent(ids + next + i, by);
                assertThat(other)
                        .as("offset %d of %s was told twice", next + i, channel)
                        .isNull();
            }
            next += rows;
            return true;
        }

        private RowOptions at() {
            return new RowOptions(
                    RowOptions.Format.NDJSON,
                    RowOptions.Encoding.IDENTITY,
                    false,
                    RowOptions.Ack.DURABLE,
                    RowOptions.OnError.REFUSE,
                    "",
                    -1,
                    Optional.of(new RowOptions.InChannel(channel, epoch, next)));
        }
    }

    private static Outcome<ChannelStatus> open(Node node, String channel) {
        return node.answer(new CallChannel(World.TABLE, channel, Act.OPEN, 0, 0));
    }

    private void check(World world, Map<String, Long> durable) {
        Map<Long, Integer> read = new TreeMap<>();
        world.rows(World.TABLE).forEach(row -> {
            long id = (Long) row.getField("id");
            Integer before = id < 0 ? null : read.put(id, ((Long) row.getField("by")).intValue());
            assertThat(before).as("row %d is there twice", id).isNull();
        });
        durable.forEach((channel, end) -> {
            long ids = Long.parseLong(channel.substring(1)) * CHANNEL_IDS;
            for (long offset = 0; offset < end; offset++)
                assertThat(read).as("offset %d of %s", offset, channel).containsKey(ids + offset);
            assertThat(read.keySet().stream().filter(id -> id / CHANNEL_IDS == ids / CHANNEL_IDS && id >= 0))
                    .hasSize((int) (long) end);
        });
        told.forEach(
                (id, by) -> assertThat(read).as("what was told of row %d", id).containsEntry(id, by));
        assertThat(wrong).isEmpty();
    }
}
