package io.storageengine.ingest.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.CommitFiles;
import io.storageengine.core.message.EndedRows;
import io.storageengine.core.message.LoadTable;
import io.storageengine.core.message.Question;
import io.storageengine.core.message.RowOptions;
import io.storageengine.ingest.IngestOptions;
import io.storageengine.ingest.rows.RowLimits;
import io.storageengine.ingest.session.SessionOptions;
import io.storageengine.ingest.table.Pace;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Several nodes over one storage: rows that another one has brought in, and what is told of them.
class OtherNodesTest {
    private static final String ROW = "{\"id\":1}\n";
    private static final Failure NOT_YET = new Failure(Failure.Kind.UNAVAILABLE, "not yet");
    private final World world = new World(1);

    /// Commits only what is asked for with `ack=committed`.
    private static IngestOptions lazy() {
        Pace never = new Pace(600_000, 1 << 30);
        return Node.options()
                .with(new SessionOptions(
                        1 << 30, 1 << 20, 4 << 20, 100, 10_000, 10_000, 10_000, 20_000, never, RowLimits.DEFAULT));
    }

    private static RowOptions committed(String key) {
        return new RowOptions(
                RowOptions.Format.NDJSON,
                RowOptions.Encoding.IDENTITY,
                true,
                RowOptions.Ack.COMMITTED,
                RowOptions.OnError.REFUSE,
                key,
                -1);
    }

    private static Optional<Failure> loadedByReplay(Question<?> question) {
        boolean isReplay = Thread.currentThread().getName().startsWith("recovery");
        return isReplay && question instanceof LoadTable ? Optional.of(NOT_YET) : Optional.empty();
    }

    private static Optional<Failure> committing(Question<?> question) {
        return question instanceof CommitFiles ? Optional.of(NOT_YET) : Optional.empty();
    }

    private List<Long> snapshots() {
        return world.metadata(World.TABLE).snapshots().stream()
                .map(snapshot -> snapshot.snapshotId())
                .toList();
    }

    @Test
    void ofTwoThatReplayOneLogTheSlowerTellsTheSnapshotThatTheFasterMade() throws Exception {
        try (Node node = new Node(world, 2, lazy())) {
            for (int i = 0; i < 3; i++)
                node.send(World.TABLE, Node.keyed("k" + i), ROW).orThrow();
        }
        try (Node slower = new Node(world, 3, Node.options(), OtherNodesTest::loadedByReplay);
                Node faster = new Node(world, 4);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            slower.send(World.TABLE, Node.keyed("k0"), ROW).orThrow();
            Future<Outcome<EndedRows>> repeat = threads.submit(() -> slower.send(World.TABLE, committed("k0"), ROW));
            faster.awaitIdle();
            List<Long> made = snapshots();
            assertThat(world.keys("cluster", "wal/dev/")).anyMatch(key -> key.endsWith("/done"));
            faster.send(World.TABLE, Node.committed(), ROW).orThrow();
            assertThat(repeat.isDone()).isFalse();
            slower.refuse(question -> Optional.empty());
            assertThat(repeat.get(30, TimeUnit.SECONDS).orThrow().snapshotId()).isIn(made);
            slower.awaitIdle();
        }
        assertThat(world.rows(World.TABLE)).hasSize(4);
    }

    @Test
    @Timeout(60)
    void aNodeWhoseRowsAnotherHasBroughtInGoesOn() throws Exception {
        try (Node node = new Node(world, 2)) {
            node.send(World.TABLE, Node.committed(), "{\"id\":0}\n").orThrow();
            node.refuse(OtherNodesTest::committing);
            // One batch is tried again and again, the next one waits behind it.
            for (int id = 1; id <= 3; id++) {
                node.send(World.TABLE, Node.plain(), "{\"id\":" + id + "}\n").orThrow();
                TimeUnit.MILLISECONDS.sleep(100);
            }
            try (Node other = new Node(world, 3)) {
                other.awaitIdle();
            }
            node.refuse(question -> Optional.empty());
            node.send(World.TABLE, Node.committed(), "{\"id\":4}\n").orThrow();
            node.awaitIdle();
        }
        assertThat(world.rows(World.TABLE)).hasSize(5);
    }

    @Test
    void whatIsToldOfACommitWhoseAnswerGotLostIsItsOwnSnapshot() throws Exception {
        AtomicBoolean isFirst = new AtomicBoolean(true);
        try (Node node = new Node(world, 2);
                Node other = new Node(world, 3);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            node.send(World.TABLE, Node.committed(), "{\"id\":0}\n").orThrow();
            node.loseAnswer(question -> {
                if (!(question instanceof CommitFiles) || !isFirst.compareAndSet(true, false)) return false;
                node.refuse(OtherNodesTest::committing);
                return true;
            });
            Future<Outcome<EndedRows>> first = threads.submit(() -> node.send(World.TABLE, committed("k"), ROW));
            while (snapshots().size() < 2) TimeUnit.MILLISECONDS.sleep(5);
            Long own = snapshots().getLast();
            other.send(World.TABLE, Node.committed(), "{\"id\":2}\n").orThrow();
            node.refuse(question -> Optional.empty());
            assertThat(first.get(30, TimeUnit.SECONDS).orThrow().snapshotId()).isEqualTo(own);
            assertThat(other.send(World.TABLE, committed("k"), ROW).orThrow().snapshotId())
                    .isEqualTo(own);
        }
        assertThat(world.rows(World.TABLE)).hasSize(3);
    }
}
