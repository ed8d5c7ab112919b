package io.storageengine.ingest.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.log.Appended;
import io.storageengine.core.log.LogOptions;
import io.storageengine.core.log.ObjectLog;
import io.storageengine.core.message.BeginRows;
import io.storageengine.core.message.CommitFiles;
import io.storageengine.core.message.EndRows;
import io.storageengine.core.message.EndedRows;
import io.storageengine.core.message.LoadTable;
import io.storageengine.core.message.Question;
import io.storageengine.core.message.SendRows;
import io.storageengine.core.message.TableRef;
import io.storageengine.ingest.IngestOptions;
import io.storageengine.ingest.rows.RowLimits;
import io.storageengine.ingest.session.SessionOptions;
import io.storageengine.ingest.table.Pace;
import io.storageengine.store.Fault;
import io.storageengine.store.Operation;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Tables that cannot commit, tables that are gone, logs that somebody ended, clients that fall silent.
class TroubleTest {
    private static final TableRef OTHER = new TableRef("dev", List.of("demo"), "other");
    private final World world = new World(1);

    private static SessionOptions sessions(long idleMillis, long commitIntervalMillis) {
        return new SessionOptions(
                1 << 30,
                1 << 20,
                4 << 20,
                100,
                idleMillis,
                2_000,
                5_000,
                5_000,
                new Pace(commitIntervalMillis, 1 << 30),
                RowLimits.DEFAULT);
    }

    private static Function<Question<?>, Optional<Failure>> wedged(TableRef table, Failure.Kind kind) {
        return question ->
                question instanceof CommitFiles commit && commit.table().equals(table)
                        ? Optional.of(new Failure(kind, "wedged"))
                        : Optional.empty();
    }

    @Test
    void aTableThatCannotCommitIsRefusedMoreRowsAndBlocksNoOther() throws Exception {
        IngestOptions base = Node.options();
        IngestOptions small = new IngestOptions(
                "node", 64 << 20, 200_000, 4, 5_000, 10_000, base.backoff(), base.sessions(), base.wal());
        try (Node node = new Node(world, 2, small)) {
            node.send(World.TABLE, Node.committed(), "{\"id\":0}\n").orThrow();
            node.refuse(wedged(World.TABLE, Failure.Kind.UNAVAILABLE));
            String rows = "{\"id\":1}\n".repeat(2_000);
            int taken = 0;
            Outcome<EndedRows> outcome = node.send(World.TABLE, Node.plain(), rows);
            for (; outcome.isOk() && taken < 1_000; taken++) outcome = node.send(World.TABLE, Node.plain(), rows);
            assertThat(outcome.failedWith(Failure.Kind.THROTTLED)).isTrue();
            assertThat(taken).isBetween(1, 100);
            node.send(OTHER, Node.committed(), "{\"id\":5}\n").orThrow();
            node.refuse(question -> Optional.empty());
            node.awaitIdle();
            assertThat(world.rows(World.TABLE)).hasSize(1 + taken * 2_000);
            assertThat(node.ingest.memoryBytes()).isZero();
            node.send(World.TABLE, Node.committed(), "{\"id\":0}\n").orThrow();
        }
    }

    @Test
    void pastTheMemoryBudgetNothingIsTaken() throws Exception {
        IngestOptions base = Node.options();
        IngestOptions small = new IngestOptions(
                "node", 16 << 20, 16 << 20, 4, 5_000, 10_000, base.backoff(), base.sessions(), base.wal());
        try (Node node = new Node(world, 2, small)) {
            node.send(World.TABLE, Node.committed(), "{\"id\":0}\n").orThrow();
            node.refuse(wedged(World.TABLE, Failure.Kind.UNKNOWN));
            String rows = ("{\"text\":\"" + "x".repeat(500) + "\"}\n").repeat(2_000);
            node.send(OTHER, Node.plain(), rows);
            int taken = 0;
            Outcome<EndedRows> outcome = node.send(World.TABLE, Node.plain(), "{\"id\":1}\n".repeat(20_000));
            for (; outcome.isOk() && taken < 1_000; taken++)
                outcome = node.send(World.TABLE, Node.plain(), "{\"id\":1}\n".repeat(20_000));
            assertThat(outcome.failedWith(Failure.Kind.THROTTLED)).isTrue();
            node.refuse(question -> Optional.empty());
            node.awaitIdle();
            assertThat(world.rows(World.TABLE)).hasSize(1 + taken * 20_000);
            assertThat(node.ingest.memoryBytes()).isZero();
        }
    }

    @Test
    void commitsWhoseAnswersGotLostAreNotRepeated() throws Exception {
        AtomicBoolean once = new AtomicBoolean();
        try (Node node = new Node(world, 2)) {
            node.send(World.TABLE, Node.committed(), "{\"id\":0}\n").orThrow();
            node.loseAnswer(question -> question instanceof CommitFiles && once.compareAndSet(false, true));
            EndedRows ended =
                    node.send(World.TABLE, Node.committed(), "{\"id\":1}\n").orThrow();
            assertThat(once).isTrue();
            assertThat(ended.snapshotId())
                    .isEqualTo(world.metadata(World.TABLE).currentSnapshot().snapshotId());
        }
        assertThat(world.rows(World.TABLE)).hasSize(2);
    }

    @Test
    void rowsOfADroppedTableAreParkedAndOthersGoOn() throws Exception {
        try (Node node = new Node(world, 2, Node.options().with(sessions(5_000, 300)))) {
            node.send(OTHER, Node.plain(), "{\"id\":7}\n").orThrow();
            node.send(World.TABLE, Node.keyed("k"), "{\"id\":1}\n").orThrow();
            node.drop(World.TABLE);
            node.awaitIdle();
            assertThat(node.ingest.memoryBytes()).isZero();
        }
        assertThat(world.keys("cluster", "parked/dev/")).hasSize(1);
        assertThat(world.rows(OTHER)).hasSize(1);
    }

    @Test
    void rowsOfATableDroppedWhileTheNodeWasDownAreParked() throws Exception {
        try (Node node = new Node(world, 2, Node.options().with(sessions(5_000, 600_000)))) {
            node.send(OTHER, Node.plain(), "{\"id\":7}\n").orThrow();
            node.send(World.TABLE, Node.plain(), "{\"id\":1}\n{\"id\":2}\n").orThrow();
            node.send(World.TABLE, Node.plain(), "{\"id\":3}\n").orThrow();
            node.drop(World.TABLE);
        }
        try (Node next = new Node(world, 3)) {
            next.awaitIdle();
        }
        assertThat(world.keys("cluster", "parked/dev/")).hasSize(2);
        assertThat(world.rows(OTHER)).hasSize(1);
        assertThat(world.keys("cluster", "wal/")).as("the log is done").hasSize(3);
    }

    @Test
    void rowsWaitForACatalogThatIsRegisteredAgain() throws Exception {
        try (Node node = new Node(world, 2, Node.options().with(sessions(5_000, 300)))) {
            node.send(World.TABLE, Node.committed(), "{\"id\":1}\n").orThrow();
            node.send(World.TABLE, Node.keyed("k"), "{\"id\":2}\n").orThrow();
            node.unregister("dev");
            assertThat(node.send(World.TABLE, Node.plain(), "{\"id\":3}\n").failedWith(Failure.Kind.NOT_FOUND))
                    .isTrue();
            // Longer than the commit interval: the commit was tried, and its rows wait.
            TimeUnit.MILLISECONDS.sleep(500);
            assertThat(node.ingest.isIdle()).isFalse();
            node.register("dev");
            node.awaitIdle();
            node.send(World.TABLE, Node.keyed("k"), "{\"id\":2}\n").orThrow();
            node.awaitIdle();
        }
        assertThat(world.keys("cluster", "parked/")).isEmpty();
        assertThat(world.rows(World.TABLE)).hasSize(2);
    }

    @Test
    void rowsInADeadLogWaitForTheirCatalogAndHoldUpNoOther() throws Exception {
        try (Node node = new Node(world, 2, Node.options().with(sessions(5_000, 600_000)))) {
            node.send(World.TABLE, Node.plain(), "{\"id\":1}\n").orThrow();
            node.send(OTHER, Node.plain(), "{\"id\":7}\n").orThrow();
            node.unregister("dev");
        }
        try (Node next = new Node(world, 3)) {
            TimeUnit.MILLISECONDS.sleep(300);
            assertThat(next.ingest.isIdle()).isFalse();
            next.register("dev");
            next.awaitIdle();
        }
        assertThat(world.keys("cluster", "parked/")).isEmpty();
        assertThat(world.rows(World.TABLE)).hasSize(1);
        assertThat(world.rows(OTHER)).hasSize(1);
    }

    @Test
    void aTableThatCannotBeLoadedWaitsInItsLogAndHoldsUpNoOther() throws Exception {
        try (Node node = new Node(world, 2, Node.options().with(sessions(5_000, 600_000)))) {
            node.send(World.TABLE, Node.plain(), "{\"id\":1}\n").orThrow();
            node.send(OTHER, Node.plain(), "{\"id\":7}\n").orThrow();
        }
        try (Node next = new Node(world, 3)) {
            next.refuse(question ->
                    question instanceof LoadTable load && load.table().equals(World.TABLE)
                            ? Optional.of(new Failure(Failure.Kind.CORRUPT, "its metadata cannot be read"))
                            : Optional.empty());
            while (world.rows(OTHER).isEmpty()) TimeUnit.MILLISECONDS.sleep(5);
            assertThat(world.rows(World.TABLE)).isEmpty();
            next.refuse(question -> Optional.empty());
            next.awaitIdle();
        }
        assertThat(world.keys("cluster", "parked/")).isEmpty();
        assertThat(world.rows(World.TABLE)).hasSize(1);
    }

    @Test
    void aLogThatSomebodyEndedIsFollowedByAnother() throws Exception {
        try (Node node = new Node(world, 2, Node.options().with(sessions(5_000, 100)))) {
            node.send(World.TABLE, Node.plain(), "{\"id\":1}\n").orThrow();
            String key = world.keys("cluster", "wal/dev/").getFirst();
            String prefix = key.substring(0, key.indexOf("log/"));
            ObjectLog log = new ObjectLog(
                    world.seen().bucket("cluster"),
                    prefix,
                    "stranger",
                    LogOptions.WRITE_AHEAD,
                    world.clock,
                    new Random(5));
            assertThat(log.seal(0, 9)).isInstanceOf(Appended.Won.class);
            for (int i = 2; i < 5; i++)
                node.send(World.TABLE, Node.plain(), "{\"id\":" + i + "}\n").orThrow();
            node.awaitIdle();
        }
        assertThat(world.rows(World.TABLE)).hasSize(4);
    }

    @Test
    void anEntryNobodyKnowsOfEndsTheLogAndIsInOnce() throws Exception {
        for (Fault fault : List.of(Fault.LOST_ANSWER, Fault.LOST_REQUEST)) {
            World fresh = new World(3);
            try (Node node = new Node(fresh, 2)) {
                node.send(World.TABLE, Node.committed(), "{\"id\":0}\n").orThrow();
                long end = fresh.clock.nanos() + 400_000_000;
                fresh.plan(call ->
                        call.operation() == Operation.PUT && call.key().startsWith("wal/") && fresh.clock.nanos() < end
                                ? fault
                                : call.operation() == Operation.GET
                                                && call.key().startsWith("wal/")
                                                && fresh.clock.nanos() < end
                                        ? Fault.UNAVAILABLE
                                        : Fault.NONE);
                node.send(World.TABLE, Node.plain(), "{\"id\":1}\n").orThrow();
                node.awaitIdle();
            }
            assertThat(fresh.rows(World.TABLE)).as("%s", fault).hasSize(2);
        }
    }

    @Test
    void aSilentClientsRequestExpires() throws Exception {
        try (Node node = new Node(world, 2, Node.options().with(sessions(100, 50)))) {
            String session = node.answer(new BeginRows(World.TABLE, Node.plain()))
                    .orThrow()
                    .session();
            ByteBuffer piece = ByteBuffer.wrap("{\"id\":1}\n".getBytes(StandardCharsets.UTF_8));
            node.answer(new SendRows(session, "dev", piece)).orThrow();
            node.awaitIdle();
            assertThat(node.answer(new EndRows(session, "dev")).failedWith(Failure.Kind.NOT_FOUND))
                    .isTrue();
            assertThat(node.ingest.memoryBytes()).isZero();
        }
    }

    @Test
    void aStopCommitsWhatWasAccepted() throws Exception {
        try (Node node = new Node(world, 2, Node.options().with(sessions(5_000, 600_000)));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            node.send(World.TABLE, Node.plain(), "{\"id\":1}\n").orThrow();
            String session = node.answer(new BeginRows(World.TABLE, Node.plain()))
                    .orThrow()
                    .session();
            Future<?> stop = threads.submit(() -> {
                node.ingest.stop(10_000);
                return true;
            });
            ByteBuffer piece = ByteBuffer.wrap("{\"id\":2}\n".getBytes(StandardCharsets.UTF_8));
            node.answer(new SendRows(session, "dev", piece)).orThrow();
            assertThat(node.answer(new EndRows(session, "dev")).orThrow().taken())
                    .isTrue();
            stop.get(10, TimeUnit.SECONDS);
            assertThat(node.answer(new BeginRows(World.TABLE, Node.plain())).failedWith(Failure.Kind.UNAVAILABLE))
                    .isTrue();
        }
        assertThat(world.rows(World.TABLE)).hasSize(2);
    }
}
