package io.storageengine.ingest.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.AbortRows;
import io.storageengine.core.message.BeginRows;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.EndRows;
import io.storageengine.core.message.EndedRows;
import io.storageengine.core.message.Question;
import io.storageengine.core.message.RowOptions;
import io.storageengine.core.message.SendRows;
import io.storageengine.core.message.TableRef;
import io.storageengine.ingest.IngestOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// `create=true`: the first rows of a table that is not there.
class FirstRowsTest {
    private static final RowOptions SKIP =
            Node.with(RowOptions.OnError.SKIP, RowOptions.Ack.COMMITTED, RowOptions.Encoding.IDENTITY);
    private static final TableRef KNOWN = new TableRef("dev", List.of("known"), "t");
    private final World world = new World(1);
    private final Node node = new Node(world, 2);

    @AfterEach
    void end() {
        node.close();
    }

    private static byte[] bytes(String body) {
        return body.getBytes(StandardCharsets.ISO_8859_1);
    }

    private int status(String path) {
        return node.call(new CallCatalog("GET", "/catalogs/dev/v1/" + path, "", Map.of(), ByteBuffer.allocate(0)))
                .status();
    }

    private void assertNothingWasMade() throws Exception {
        node.awaitIdle();
        assertThat(status("namespaces/demo/tables/t")).isEqualTo(404);
        assertThat(status("namespaces/demo")).isEqualTo(404);
        assertThat(world.keys("dev", "").stream().filter(key -> !key.startsWith("_se/")))
                .filteredOn(key -> !key.startsWith("known"))
                .isEmpty();
        assertThat(node.ingest.memoryBytes()).isZero();
    }

    private EndedRows refused(TableRef table, byte[] body) {
        EndedRows ended = node.send(table, Node.plain(), body, 7).orThrow();
        assertThat(ended.taken()).isFalse();
        return ended;
    }

    @Test
    void aRowThatNeverEndsIsRefusedAsTooLongAndHeldInPart() throws Exception {
        long most = 0;
        String session =
                node.answer(new BeginRows(World.TABLE, Node.plain())).orThrow().session();
        for (int i = 0; i < 160; i++) {
            String piece = i == 0 ? "{\"id\":\"" : " ".repeat(1 << 20);
            node.answer(new SendRows(session, "dev", ByteBuffer.wrap(bytes(piece))))
                    .orThrow();
            most = Math.max(most, node.ingest.memoryBytes());
        }
        EndedRows ended = node.answer(new EndRows(session, "dev")).orThrow();
        assertThat(ended.taken()).isFalse();
        assertThat(ended.answer()).contains("RowTooLong").contains("\"rejected-count\":1");
        assertThat(most).isLessThan(100 << 20);
        assertNothingWasMade();
    }

    @Test
    void longFirstRowsPastTheMemoryAreToldToComeBack() throws Exception {
        IngestOptions base = Node.options();
        IngestOptions small = new IngestOptions(
                "node", 16 << 20, 16 << 20, 4, 5_000, 10_000, base.backoff(), base.sessions(), base.wal());
        try (Node tight = new Node(world, 3, small)) {
            byte[] body = bytes("{\"id\":\"" + " ".repeat(15 << 20) + "\"}\n");
            assertThat(tight.send(World.TABLE, Node.plain(), body, 1 << 20).failedWith(Failure.Kind.THROTTLED))
                    .isTrue();
            tight.awaitIdle();
            assertThat(tight.ingest.memoryBytes()).isZero();
            tight.send(World.TABLE, Node.committed(), "{\"id\":1}\n").orThrow();
        }
    }

    @Test
    void aViewOfThatNameIsSaidToBeThere() {
        node.send(KNOWN, Node.committed(), "{\"a\":1}\n").orThrow();
        String view =
                "{\"name\":\"v\",\"schema\":{\"type\":\"struct\",\"schema-id\":0,\"fields\":[]},\"properties\":{},"
                        + "\"view-version\":{\"version-id\":1,\"timestamp-ms\":1,\"schema-id\":0,\"summary\":{},\"default-namespace\":"
                        + "[\"known\"],\"representations\":[{\"type\":\"sql\",\"sql\":\"SELECT 1\",\"dialect\":\"spark\"}]}}";
        CallCatalog create = new CallCatalog(
                "POST",
                "/catalogs/dev/v1/namespaces/known/views",
                "",
                Map.of("content-type", "application/json"),
                ByteBuffer.wrap(bytes(view)));
        assertThat(node.call(create).status()).isEqualTo(200);
        Outcome<EndedRows> outcome = node.send(new TableRef("dev", List.of("known"), "v"), Node.plain(), "{\"a\":1}\n");
        assertThat(outcome.failedWith(Failure.Kind.EXISTS)).isTrue();
        assertThat(outcome.toString()).contains("View");
    }

    @Test
    void badRowsAreReportedAsAnExistingTableReportsThem() throws Exception {
        node.send(KNOWN, Node.committed(), "{\"a\":1}\n").orThrow();
        for (String body : new String[] {
            "{\"a\":1\n",
            "{\"a\":1}\n{\"a\":",
            "[{\"a\":1}]\n",
            "{\"\u00ff\":1}\n",
            "{\"a\":1,\"A\":2}\n",
            "{\"a\":1}\n{\"A\":2}\n",
            "{\"a\":1,\"a\":2}\n",
            "{\"a\":1}\n{\"a\":1,\"a\":\"x\"}\n",
            "5\n\"x\"\nnull\n",
            "{\"a\":1} {\"a\":2}\n",
            "{\"a\":}\n",
            "{\"a\" 1}\n",
            "{a:1}\n",
            "x\n".repeat(150),
            "{}\nx\n",
        }) {
            assertThat(refused(World.TABLE, bytes(body)).answer())
                    .as(body)
                    .isEqualTo(refused(KNOWN, bytes(body)).answer())
                    .contains("\"rejected\":[{\"row\":");
            assertNothingWasMade();
        }
        assertThat(refused(World.TABLE, bytes("{\"a\":\"\u00ff\"}\n")).answer())
                .contains("\"row\":0,\"field\":\"a\",\"code\":\"InvalidUtf8\"");
        assertNothingWasMade();
        String deep = "{\"a\":" + "[".repeat(70) + "]".repeat(70) + "}\n";
        assertThat(refused(World.TABLE, bytes(deep)).answer()).contains("\"row\":0", "\"code\":\"TooDeep\"");
        assertNothingWasMade();
    }

    @Test
    void withSkipTheGoodRowsMakeTheTable() {
        String body = "x\n[1]\n{\"a\":1,\"a\":\"x\"}\n{\"a\":1,\"A\":2}\n\n{\"a\":7}\n{\"a\":\n{\"a\":8}\n";
        EndedRows ended = node.send(World.TABLE, SKIP, body).orThrow();
        assertThat(ended.taken()).isTrue();
        assertThat(ended.answer())
                .startsWith("{\"accepted\":2,\"rejected-count\":5,")
                .contains("{\"row\":0,", "{\"row\":1,", "{\"row\":2,", "{\"row\":3,", "{\"row\":5,")
                .contains("DuplicateKey", "UnknownField");
        assertThat(world.rows(World.TABLE)).extracting(row -> row.getField("a")).containsExactly(7L, 8L);
    }

    @Test
    void goodRowsBehindAThousandBadOnesMakeTheTable() {
        node.send(World.TABLE, SKIP, "x\n".repeat(3_000) + "{\"a\":7}\n").orThrow();
        assertThat(world.rows(World.TABLE)).hasSize(1);
    }

    @Test
    void withSkipAndNoGoodRowNothingIsMade() throws Exception {
        for (String body : new String[] {"x\n[1]\n", "{\"a\":1,\"a\":2}\n", "{\"a\":1,\"A\":2}\n", "{}\n5\n"}) {
            EndedRows ended = node.send(World.TABLE, SKIP, body).orThrow();
            assertThat(ended.taken()).as(body).isFalse();
            assertThat(ended.answer()).startsWith("{\"accepted\":0,").contains("\"rejected\":[{\"row\":");
            assertNothingWasMade();
        }
    }

    @Test
    void nothingToGoByIsSaid() throws Exception {
        for (String body : new String[] {"", "\n", "{}\n{}\n"}) {
            assertThat(node.send(World.TABLE, Node.plain(), body).toString()).contains("SchemaNotInferred");
            assertNothingWasMade();
        }
    }

    @Test
    void aBadRowAnywhereMakesNoTable() throws Exception {
        String good = "{\"a\":1,\"text\":\"" + "x".repeat(300) + "\"}\n";
        for (int row : new int[] {5, 1_500, 50_000}) {
            EndedRows ended = refused(row, good);
            assertThat(ended.answer()).contains("\"rejected\":[{\"row\":" + row + ",");
            assertNothingWasMade();
        }
    }

    private EndedRows refused(int row, String good) {
        byte[] body = bytes(good.repeat(row) + "{\"a\":}\n" + good);
        EndedRows ended = node.send(World.TABLE, Node.plain(), body, 1 << 16).orThrow();
        assertThat(ended.taken()).isFalse();
        return ended;
    }

    @Test
    void aRequestThatBreaksOffMakesNoTable() throws Exception {
        for (int rows : new int[] {5, 1_500, 50_000}) {
            byte[] body = bytes(("{\"a\":1,\"text\":\"" + "x".repeat(300) + "\"}\n").repeat(rows));
            String session = node.answer(new BeginRows(World.TABLE, Node.plain()))
                    .orThrow()
                    .session();
            for (int at = 0; at < body.length; at += 1 << 16) {
                ByteBuffer piece = ByteBuffer.wrap(body, at, Math.min(1 << 16, body.length - at));
                node.answer(new SendRows(session, "dev", piece)).orThrow();
            }
            node.answer(new AbortRows(session, "dev")).orThrow();
            assertNothingWasMade();
        }
    }

    @Test
    void manyWhoMakeTheSameTableAtOnceAllSucceed() throws Exception {
        assertAllSucceed(
                IntStream.range(0, 30).mapToObj(n -> "{\"a\":" + n + "}\n").toList());
        assertThat(world.rows(World.TABLE))
                .extracting(row -> row.getField("a"))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 30).mapToObj(n -> (Object) (long) n).toList());
    }

    @Test
    void soDoThoseWhoseRowsComeInOtherOrders() throws Exception {
        List<String> bodies = new ArrayList<>();
        for (int n = 0; n < 10; n++) {
            bodies.add("{\"a\":" + n + ",\"b\":\"x\"}\n");
            bodies.add("{\"b\":\"y\",\"a\":" + n + "}\n");
        }
        assertAllSucceed(bodies);
        assertThat(world.rows(World.TABLE)).hasSize(20);
    }

    @Test
    void soDoLargeOnes() throws Exception {
        String rows = ("{\"a\":1,\"text\":\"" + "x".repeat(300) + "\"}\n").repeat(40_000);
        assertAllSucceed(List.of(rows, rows, rows));
        assertThat(world.rows(World.TABLE)).hasSize(120_000);
        assertThat(world.metadata(World.TABLE).location()).isNotEmpty();
    }

    private void assertAllSucceed(List<String> bodies) throws Exception {
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Outcome<EndedRows>>> answers = bodies.stream()
                    .map(body -> clients.submit(() -> node.send(World.TABLE, Node.committed(), body)))
                    .toList();
            List<String> failed = new ArrayList<>();
            for (Future<Outcome<EndedRows>> answer : answers)
                if (!answer.get().isOk()) failed.add(answer.get().toString());
            assertThat(failed.stream().collect(Collectors.groupingBy(failure -> failure, Collectors.counting())))
                    .isEmpty();
        }
        node.awaitIdle();
    }

    /// The other one comes while this one is about to make the table.
    private void whenOthersSend(TableRef table, String theirs, String question) {
        AtomicBoolean isFirst = new AtomicBoolean(true);
        node.refuse(asked -> {
            if (isMaking(asked, question) && isFirst.getAndSet(false)) {
                node.refuse(any -> Optional.empty());
                node.send(table, Node.committed(), theirs).orThrow();
            }
            return Optional.empty();
        });
    }

    private static boolean isMaking(Question<?> asked, String question) {
        return asked instanceof CallCatalog call
                && call.method().equals("POST")
                && call.path().endsWith(question);
    }

    @Test
    void whoIsSecondIsCheckedAgainstTheFirstOnesColumns() {
        whenOthersSend(World.TABLE, "{\"b\":\"x\",\"a\":1}\n", "/tables");
        node.send(World.TABLE, Node.keyed("k"), "{\"a\":2,\"b\":\"y\"}\n").orThrow();
        assertThat(node.send(World.TABLE, Node.keyed("k"), "{\"a\":2,\"b\":\"y\"}\n")
                        .isOk())
                .isTrue();
        assertThat(node.send(World.TABLE, Node.keyed("k"), "{\"a\":3,\"b\":\"y\"}\n")
                        .toString())
                .contains("IdempotencyKeyReused");
    }

    @Test
    void whoIsSecondAndDoesNotFitIsRefused() throws Exception {
        whenOthersSend(World.TABLE, "{\"b\":\"x\"}\n", "/tables");
        EndedRows refused = node.send(World.TABLE, Node.plain(), "{\"a\":2}\n").orThrow();
        assertThat(refused.answer()).contains("UnknownField");
        node.awaitIdle();
        assertThat(world.rows(World.TABLE)).hasSize(1);
    }

    @Test
    void aLargeSecondWithOtherColumnsIsToBeSentAgain() throws Exception {
        String large = ("{\"a\":1,\"text\":\"" + "x".repeat(300) + "\"}\n").repeat(60_000);
        whenOthersSend(World.TABLE, "{\"text\":\"x\",\"a\":1}\n", "/tables/t");
        Outcome<EndedRows> again = node.send(World.TABLE, Node.plain(), large);
        assertThat(again.failedWith(Failure.Kind.THROTTLED)).isTrue();
        assertThat(again.toString()).contains("send it again");
        node.awaitIdle();
        assertThat(world.rows(World.TABLE)).hasSize(1);
        node.send(World.TABLE, Node.committed(), large).orThrow();
        assertThat(world.rows(World.TABLE)).hasSize(60_001);
    }

    @Test
    void aLostAnswerToTheMakingCostsNothing() {
        node.send(new TableRef("dev", List.of("demo"), "u"), Node.committed(), "{\"a\":1}\n")
                .orThrow();
        node.loseAnswer(asked -> isMaking(asked, "/tables"));
        node.send(World.TABLE, Node.committed(), "{\"a\":1}\n").orThrow();
        assertThat(world.rows(World.TABLE)).hasSize(1);
    }

    /// The namespace goes away while a request of another table in it is about to be taken.
    @Test
    void aRefusedRequestTakesNoNamespaceFromOthers() throws Exception {
        TableRef neighbour = new TableRef("dev", List.of("demo"), "u");
        String large = ("{\"a\":1,\"text\":\"" + "x".repeat(300) + "\"}\n").repeat(60_000);
        AtomicBoolean isFirst = new AtomicBoolean(true);
        node.refuse(asked -> {
            if (asked instanceof CallCatalog call && call.method().equals("DELETE") && isFirst.getAndSet(false))
                node.send(neighbour, Node.committed(), "{\"a\":1}\n").orThrow();
            return Optional.empty();
        });
        assertThat(node.send(World.TABLE, Node.plain(), large + "x\n").orThrow().taken())
                .isFalse();
        assertThat(isFirst).isFalse();
        assertThat(status("namespaces/demo/tables/t")).isEqualTo(404);
        assertThat(world.rows(neighbour)).hasSize(1);
    }
}
