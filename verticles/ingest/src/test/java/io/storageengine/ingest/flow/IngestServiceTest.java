package io.storageengine.ingest.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.EndedRows;
import io.storageengine.core.message.RowOptions;
import io.storageengine.core.message.TableRef;
import io.storageengine.ingest.rows.RowLimits;
import io.storageengine.ingest.session.SessionOptions;
import io.storageengine.ingest.table.Pace;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IngestServiceTest {
    private final World world = new World(1);
    private Node node = new Node(world, 2);

    @AfterEach
    void end() {
        node.close();
    }

    @Test
    void rowsSentAreRowsRead() throws Exception {
        EndedRows ended = node.send(World.TABLE, Node.plain(), "{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b\"}\n")
                .orThrow();
        assertThat(ended.taken()).isTrue();
        assertThat(ended.answer()).startsWith("{\"accepted\":2,\"rejected-count\":0,\"rejected\":[],\"token\":\"node-");
        node.awaitIdle();
        assertThat(world.rows(World.TABLE))
                .extracting(row -> row.getField("id"), row -> row.getField("name"))
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(1L, "a"), org.assertj.core.groups.Tuple.tuple(2L, "b"));
        assertThat(world.metadata(World.TABLE).formatVersion()).isEqualTo(3);
    }

    @Test
    void committedRowsAreInTheSnapshotThatIsNamed() {
        EndedRows ended =
                node.send(World.TABLE, Node.committed(), "{\"id\":1}\n").orThrow();
        assertThat(ended.snapshotId())
                .isEqualTo(world.metadata(World.TABLE).currentSnapshot().snapshotId());
    }

    @Test
    void aBadRowRefusesTheWholeRequest() throws Exception {
        node.send(World.TABLE, Node.committed(), "{\"id\":1}\n").orThrow();
        EndedRows refused = node.send(World.TABLE, Node.plain(), "{\"id\":2}\n{\"id\":\"x\"}\n")
                .orThrow();
        assertThat(refused.taken()).isFalse();
        assertThat(refused.answer())
                .startsWith("{\"accepted\":0,\"rejected-count\":1,\"rejected\":[{\"row\":1,\"field\":\"id\"");
        node.awaitIdle();
        assertThat(world.rows(World.TABLE)).hasSize(1);
    }

    @Test
    void skipTakesTheGoodRows() throws Exception {
        RowOptions skip = Node.with(RowOptions.OnError.SKIP, RowOptions.Ack.DURABLE, RowOptions.Encoding.IDENTITY);
        EndedRows ended = node.send(World.TABLE, skip, "{\"id\":1}\nnonsense\n{\"id\":3}\n")
                .orThrow();
        assertThat(ended.taken()).isTrue();
        assertThat(ended.answer()).startsWith("{\"accepted\":2,\"rejected-count\":1,");
        node.awaitIdle();
        assertThat(world.rows(World.TABLE)).hasSize(2);
    }

    @Test
    void withoutCreateAMissingTableIsNotFound() {
        RowOptions options = new RowOptions(
                RowOptions.Format.NDJSON,
                RowOptions.Encoding.IDENTITY,
                false,
                RowOptions.Ack.DURABLE,
                RowOptions.OnError.REFUSE,
                "",
                -1);
        Outcome<EndedRows> refused = node.send(World.TABLE, options, "{\"id\":1}\n");
        assertThat(refused.failedWith(Failure.Kind.NOT_FOUND)).isTrue();
        TableRef elsewhere = new TableRef("nowhere", List.of("demo"), "t");
        assertThat(node.send(elsewhere, Node.plain(), "{\"id\":1}\n").failedWith(Failure.Kind.NOT_FOUND))
                .isTrue();
    }

    /// A mark covers an entry whole: it must not move when only some of the entry's rows have come to their table.
    @Test
    void requestsThatShareAnEntryAreAllCommittedThoughEachIsDueAtOnce() throws Exception {
        node.close();
        SessionOptions atOnce = new SessionOptions(
                1 << 30, 1 << 20, 4 << 20, 400, 60_000, 60_000, 60_000, 60_000, new Pace(0, 1), RowLimits.DEFAULT);
        node = new Node(world, 3, Node.options().with(atOnce));
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Outcome<EndedRows>>> sent = IntStream.range(0, 300)
                    .mapToObj(
                            n -> clients.submit(() -> node.send(World.TABLE, Node.committed(), "{\"id\":" + n + "}\n")))
                    .toList();
            for (Future<Outcome<EndedRows>> answer : sent)
                assertThat(answer.get()).isInstanceOf(Outcome.Ok.class);
        }
        node.awaitIdle();
        assertThat(world.rows(World.TABLE)).hasSize(300);
    }
}
