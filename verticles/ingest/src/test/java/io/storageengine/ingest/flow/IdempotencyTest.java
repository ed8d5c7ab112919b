package io.storageengine.ingest.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.BeginRows;
import io.storageengine.core.message.EndRows;
import io.storageengine.core.message.EndedRows;
import io.storageengine.core.message.RowOptions;
import io.storageengine.core.message.SendRows;
import io.storageengine.ingest.rows.RowLimits;
import io.storageengine.ingest.session.SessionOptions;
import io.storageengine.ingest.table.Pace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class IdempotencyTest {
    private final World world = new World(1);

    private static final SessionOptions LAZY = new SessionOptions(
            1 << 30,
            1 << 20,
            4 << 20,
            100,
            10_000,
            10_000,
            5_000,
            5_000,
            new Pace(600_000, 1 << 30),
            RowLimits.DEFAULT);

    @Test
    void aRepeatGetsTheSameAnswerAndAddsNoRows() throws Exception {
        try (Node node = new Node(world, 2)) {
            String first = answer(node.send(World.TABLE, Node.keyed("k"), "{\"id\":1}\n"));
            assertThat(answer(node.send(World.TABLE, Node.keyed("k"), "{\"id\":1}\n")))
                    .as("while it waits")
                    .isEqualTo(first);
            node.awaitIdle();
            assertThat(answer(node.send(World.TABLE, Node.keyed("k"), "{\"id\":1}\n")))
                    .as("once it is committed")
                    .isEqualTo(first);
            node.awaitIdle();
        }
        assertThat(world.rows(World.TABLE)).hasSize(1);
    }

    @Test
    void anotherBodyOrOtherOptionsAreRefused() throws Exception {
        try (Node node = new Node(world, 2)) {
            node.send(World.TABLE, Node.keyed("k"), "{\"id\":1}\n").orThrow();
            assertReused(node.send(World.TABLE, Node.keyed("k"), "{\"id\":2}\n"));
            node.awaitIdle();
            assertReused(node.send(World.TABLE, Node.keyed("k"), "{\"id\":2}\n"));
            RowOptions skip = new RowOptions(
                    RowOptions.Format.NDJSON,
                    RowOptions.Encoding.IDENTITY,
                    true,
                    RowOptions.Ack.DURABLE,
                    RowOptions.OnError.SKIP,
                    "k",
                    -1);
            assertReused(node.send(World.TABLE, skip, "{\"id\":1}\n"));
        }
        assertThat(world.rows(World.TABLE)).hasSize(1);
    }

    private static void assertReused(Outcome<EndedRows> outcome) {
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.failure().kind()).isEqualTo(Failure.Kind.INVALID);
            assertThat(failed.failure().code()).isEqualTo("IdempotencyKeyReused");
        });
    }

    @Test
    void theSameBodyInAnotherCodingIsTheSameRequest() throws Exception {
        byte[] body = "{\"id\":1}\n".getBytes(StandardCharsets.UTF_8);
        RowOptions gzip = new RowOptions(
                RowOptions.Format.NDJSON,
                RowOptions.Encoding.GZIP,
                true,
                RowOptions.Ack.COMMITTED,
                RowOptions.OnError.REFUSE,
                "k",
                -1);
        try (Node node = new Node(world, 2)) {
            String first = answer(node.send(World.TABLE, Node.keyed("k"), body, 3));
            EndedRows repeat = node.send(World.TABLE, gzip, gzip(body), 2).orThrow();
            assertThat(repeat.answer()).isEqualTo(first);
            assertThat(repeat.snapshotId())
                    .isEqualTo(world.metadata(World.TABLE).currentSnapshot().snapshotId());
        }
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    @Test
    void theKeyIsKnownAfterAKillBeforeTheCommit() throws Exception {
        String first;
        try (Node node = new Node(world, 2, Node.options().with(LAZY))) {
            first = answer(node.send(World.TABLE, Node.keyed("k"), "{\"id\":1}\n"));
        }
        try (Node next = new Node(world, 3)) {
            assertThat(answer(next.send(World.TABLE, Node.keyed("k"), "{\"id\":1}\n")))
                    .isEqualTo(first);
            assertReused(next.send(World.TABLE, Node.keyed("k"), "{\"id\":2}\n"));
            next.awaitIdle();
        }
        assertThat(world.rows(World.TABLE)).hasSize(1);
    }

    @Test
    void ofTwoAtOnceTheSecondWaitsForTheFirst() throws Exception {
        try (Node node = new Node(world, 2);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            node.send(World.TABLE, Node.plain(), "{\"id\":0}\n").orThrow();
            List<Future<Outcome<EndedRows>>> sent = new ArrayList<>();
            for (int i = 0; i < 8; i++)
                sent.add(threads.submit(() -> node.send(World.TABLE, Node.keyed("k"), "{\"id\":1}\n")));
            List<String> answers = new ArrayList<>();
            for (Future<Outcome<EndedRows>> each : sent) answers.add(answer(each.get()));
            assertThat(answers).hasSize(8).containsOnly(answers.getFirst());
            node.awaitIdle();
        }
        assertThat(world.rows(World.TABLE)).hasSize(2);
    }

    @Test
    void whenTheFirstFailsTheSecondIsTaken() throws Exception {
        try (Node node = new Node(world, 2);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            node.send(World.TABLE, Node.plain(), "{\"id\":0}\n").orThrow();
            String session = node.answer(new BeginRows(World.TABLE, Node.keyed("k")))
                    .orThrow()
                    .session();
            Future<Outcome<EndedRows>> second =
                    threads.submit(() -> node.send(World.TABLE, Node.keyed("k"), "{\"id\":1}\n"));
            ByteBuffer bad = ByteBuffer.wrap("nonsense\n".getBytes(StandardCharsets.UTF_8));
            node.answer(new SendRows(session, "dev", bad)).orThrow();
            assertThat(node.answer(new EndRows(session, "dev")).orThrow().taken())
                    .isFalse();
            assertThat(second.get().orThrow().taken()).isTrue();
        }
    }

    @Test
    void aTableMadeAnewKnowsNoneOfTheOldKeys() throws Exception {
        try (Node node = new Node(world, 2)) {
            node.send(World.TABLE, Node.keyed("k"), "{\"id\":1}\n").orThrow();
            node.awaitIdle();
            node.drop(World.TABLE);
            assertThat(node.send(World.TABLE, Node.keyed("k"), "{\"id\":2}\n")
                            .orThrow()
                            .taken())
                    .isTrue();
            node.awaitIdle();
        }
        assertThat(world.rows(World.TABLE)).hasSize(1);
    }

    private static String answer(Outcome<EndedRows> outcome) {
        EndedRows ended = outcome.orThrow();
        assertThat(ended.taken()).isTrue();
        return ended.answer();
    }
}
