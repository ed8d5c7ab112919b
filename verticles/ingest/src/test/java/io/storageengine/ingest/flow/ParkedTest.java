package io.storageengine.ingest.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CallChannel;
import io.storageengine.core.message.ListParked;
import io.storageengine.core.message.ParkedRows;
import io.storageengine.core.message.ReplayParked;
import io.storageengine.core.message.ReplayedRows;
import io.storageengine.core.message.RowOptions;
import io.storageengine.ingest.IngestOptions;
import io.storageengine.ingest.rows.RowLimits;
import io.storageengine.ingest.session.SessionOptions;
import io.storageengine.ingest.table.Pace;
import io.storageengine.store.Fault;
import io.storageengine.store.FaultPlan;
import io.storageengine.store.Operation;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Rows whose table was dropped under them, and what becomes of them once it is back.
@Timeout(60)
class ParkedTest {
    private final World world = new World(1);

    /// Commits only what somebody waits for.
    private static IngestOptions lazy() {
        Pace never = new Pace(600_000, 1 << 30);
        return Node.options()
                .with(new SessionOptions(
                        1 << 30, 1 << 20, 4 << 20, 100, 10_000, 10_000, 10_000, 20_000, never, RowLimits.DEFAULT));
    }

    private static RowOptions channel(long offset) {
        return new RowOptions(
                RowOptions.Format.NDJSON,
                RowOptions.Encoding.IDENTITY,
                false,
                RowOptions.Ack.DURABLE,
                RowOptions.OnError.REFUSE,
                "",
                -1,
                Optional.of(new RowOptions.InChannel("c", 1, offset)));
    }

    /// Rows 1 and 2 by a request, 3 and 4 by a channel: durable when the table is dropped.
    private void park() throws Exception {
        try (Node node = new Node(world, 2, lazy())) {
            node.send(World.TABLE, Node.committed(), "{\"id\":0}\n").orThrow();
            node.answer(new CallChannel(World.TABLE, "c", CallChannel.Act.OPEN, 0, 0))
                    .orThrow();
            node.send(World.TABLE, Node.plain(), "{\"id\":1}\n{\"id\":2}\n").orThrow();
            node.send(World.TABLE, channel(0), "{\"id\":3}\n{\"id\":4}\n").orThrow();
            node.drop(World.TABLE);
        }
        try (Node node = new Node(world, 3)) {
            node.awaitIdle();
        }
    }

    private static void restore(Node node) {
        CallCatalog call = new CallCatalog(
                "POST",
                "/catalogs/dev/restore",
                "",
                Map.of("content-type", "application/json"),
                ByteBuffer.wrap("{\"namespace\":[\"demo\"],\"name\":\"t\"}".getBytes(StandardCharsets.UTF_8)));
        assertThat(node.call(call).status()).isLessThan(300);
    }

    private static List<ParkedRows.Parked> listed(Node node) {
        List<ParkedRows.Parked> all = new ArrayList<>();
        String after = "";
        do {
            ParkedRows page = node.answer(new ListParked("dev", after, 1)).orThrow();
            all.addAll(page.parked());
            after = page.next();
        } while (!after.isEmpty());
        return all;
    }

    /// Rows 1 and 2, and those of the channel. Row 0 is parked too, by a node that cannot know that the table had it.
    private static List<ParkedRows.Parked> missing(Node node) {
        return listed(node).stream().filter(each -> each.rows() == 2).toList();
    }

    private static Outcome<ReplayedRows> replay(Node node, ParkedRows.Parked parked) {
        return node.answer(new ReplayParked("dev", parked.id()));
    }

    private static String code(Outcome<?> outcome) {
        return ((Outcome.Failed<?>) outcome).failure().code();
    }

    private List<Long> ids() {
        return world.rows(World.TABLE).stream()
                .map(row -> (Long) row.getField("id"))
                .sorted()
                .toList();
    }

    @Test
    void parkedRowsGoIntoTheTableOnceItIsBack() throws Exception {
        park();
        try (Node node = new Node(world, 4)) {
            List<ParkedRows.Parked> parked = listed(node);
            assertThat(parked).extracting(ParkedRows.Parked::table).containsOnly(World.TABLE);
            assertThat(parked).extracting(ParkedRows.Parked::rows).containsExactlyInAnyOrder(1L, 2L, 2L);
            assertThat(parked).extracting(ParkedRows.Parked::channel).containsExactlyInAnyOrder("", "", "c");
            assertThat(code(replay(node, parked.getFirst()))).isEqualTo("TableGoneException");
            assertThat(listed(node)).hasSize(3);
            restore(node);
            for (ParkedRows.Parked each : parked)
                assertThat(replay(node, each).orThrow().rows()).isEqualTo(each.rows() == 2 ? 2 : 0);
            assertThat(listed(node)).isEmpty();
            assertThat(code(replay(node, parked.getFirst()))).isEqualTo("NoSuchParkedRowsException");
            assertThat(code(replay(node, new ParkedRows.Parked("../x", World.TABLE, "", 0, 0, ""))))
                    .isEqualTo("NoSuchParkedRowsException");
            node.awaitIdle();
            assertThat(ids()).containsExactly(0L, 1L, 2L, 3L, 4L);
            // The channel goes on behind them.
            assertThat(node.send(World.TABLE, channel(1), "{\"id\":4}\n{\"id\":5}\n")
                            .orThrow()
                            .answer())
                    .contains("\"repeated\":1", "\"accepted\":1");
            node.awaitIdle();
            assertThat(ids()).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
        }
    }

    @Test
    void aReplayThatDiesBeforeItForgetsTheRowsAddsThemOnce() throws Exception {
        park();
        List<ParkedRows.Parked> parked;
        try (Node node = new Node(world, 4, lazy())) {
            restore(node);
            parked = missing(node);
            for (ParkedRows.Parked each : parked) {
                world.plan(FaultPlan.script(Operation.DELETE, Fault.UNAVAILABLE, Fault.UNAVAILABLE));
                assertThat(replay(node, each).failedWith(Failure.Kind.UNAVAILABLE))
                        .isTrue();
            }
            world.plan(call -> Fault.NONE);
            assertThat(missing(node)).hasSize(2);
            // Durable and in no table: the same process knows.
            assertThat(replay(node, parked.getFirst()).orThrow().rows()).isZero();
        }
        try (Node next = new Node(world, 5)) {
            assertThat(replay(next, parked.getLast()).orThrow().rows()).isZero();
            next.awaitIdle();
        }
        assertThat(ids()).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void rowsThatTheirProducerHasSentAgainAreNotAddedTwice() throws Exception {
        park();
        try (Node node = new Node(world, 4)) {
            restore(node);
            node.send(World.TABLE, channel(0), "{\"id\":3}\n{\"id\":4}\n").orThrow();
            for (ParkedRows.Parked each : missing(node))
                assertThat(replay(node, each).orThrow().rows())
                        .isEqualTo(each.channel().isEmpty() ? 2 : 0);
            node.awaitIdle();
        }
        assertThat(ids()).containsExactly(0L, 1L, 2L, 3L, 4L);
    }
}
