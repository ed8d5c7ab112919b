package io.storageengine.ingest.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.AwaitRows;
import io.storageengine.core.message.CallChannel;
import io.storageengine.core.message.CallChannel.Act;
import io.storageengine.core.message.ChannelStatus;
import io.storageengine.core.message.CommittedRows;
import io.storageengine.core.message.EndedRows;
import io.storageengine.core.message.OffsetGap;
import io.storageengine.core.message.RowOptions;
import io.storageengine.ingest.IngestOptions;
import io.storageengine.ingest.rows.RowLimits;
import io.storageengine.ingest.session.SessionOptions;
import io.storageengine.ingest.table.Pace;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Channels on one node and over several.
class ChannelTest {
    private static final String CHANNEL = "orders 1";
    private final World world = new World(1);

    @BeforeEach
    void theTableIsThere() throws Exception {
        try (Node node = new Node(world, 2)) {
            node.send(World.TABLE, Node.committed(), "{\"id\":-1}\n").orThrow();
            node.awaitIdle();
        }
    }

    /// Commits only what somebody waits for.
    private static IngestOptions lazy() {
        Pace never = new Pace(600_000, 1 << 30);
        return Node.options()
                .with(new SessionOptions(
                        1 << 30, 1 << 20, 4 << 20, 100, 10_000, 10_000, 10_000, 20_000, never, RowLimits.DEFAULT));
    }

    private static RowOptions at(long epoch, long offset, RowOptions.OnError onError, RowOptions.Ack ack) {
        return new RowOptions(
                RowOptions.Format.NDJSON,
                RowOptions.Encoding.IDENTITY,
                false,
                ack,
                onError,
                "",
                -1,
                Optional.of(new RowOptions.InChannel(CHANNEL, epoch, offset)));
    }

    private static Outcome<EndedRows> send(Node node, long epoch, long offset, String body) {
        return node.send(World.TABLE, at(epoch, offset, RowOptions.OnError.REFUSE, RowOptions.Ack.DURABLE), body);
    }

    private static String rows(long from, long to) {
        StringBuilder body = new StringBuilder();
        for (long id = from; id < to; id++) body.append("{\"id\":").append(id).append("}\n");
        return body.toString();
    }

    private static Outcome<ChannelStatus> call(Node node, Act act, long epoch, long offset) {
        return node.answer(new CallChannel(World.TABLE, CHANNEL, act, epoch, offset));
    }

    private static ChannelStatus open(Node node) {
        return call(node, Act.OPEN, 0, 0).orThrow();
    }

    private static ChannelStatus status(Node node) {
        return call(node, Act.STATUS, 0, 0).orThrow();
    }

    private static Failure failure(Outcome<?> outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Failed.class);
        return ((Outcome.Failed<?>) outcome).failure();
    }

    private List<Long> ids() {
        return world.rows(World.TABLE).stream()
                .map(row -> (Long) row.getField("id"))
                .filter(id -> id >= 0)
                .sorted()
                .toList();
    }

    private static List<Long> range(long to) {
        return LongStream.range(0, to).boxed().toList();
    }

    @Test
    void aRepeatAddsNothingAndAGapIsRefused() throws Exception {
        try (Node node = new Node(world, 3)) {
            ChannelStatus opened = open(node);
            assertThat(opened).isEqualTo(new ChannelStatus(CHANNEL, 1, 0, 0, opened.snapshotId(), 0));
            EndedRows first = send(node, 1, 0, rows(0, 3)).orThrow();
            assertThat(first.answer()).contains("\"accepted\":3", "\"repeated\":0", "\"durable\":3");
            EndedRows repeat = send(node, 1, 0, rows(0, 3)).orThrow();
            assertThat(repeat.answer()).contains("\"accepted\":0", "\"repeated\":3", "\"durable\":3");
            EndedRows overlap = send(node, 1, 1, rows(1, 6)).orThrow();
            assertThat(overlap.answer()).contains("\"accepted\":3", "\"repeated\":2", "\"durable\":6");
            Failure gap = failure(send(node, 1, 8, rows(8, 9)));
            assertThat(OffsetGap.expected(gap)).hasValue(6);
            assertThat(status(node).durable()).isEqualTo(6);
            ChannelStatus closed = call(node, Act.CLOSE, 1, 0).orThrow();
            assertThat(closed.committed()).isEqualTo(6);
            assertThat(ids()).isEqualTo(range(6));
        }
    }

    @Test
    void theRepeatOfRowsThatWaitForTheirCommitWaitsToo() throws Exception {
        try (Node node = new Node(world, 3, lazy())) {
            open(node);
            send(node, 1, 0, rows(0, 3)).orThrow();
            RowOptions committed = at(1, 0, RowOptions.OnError.REFUSE, RowOptions.Ack.COMMITTED);
            EndedRows repeat = node.send(World.TABLE, committed, rows(0, 3)).orThrow();
            assertThat(repeat.snapshotId()).isPositive();
            assertThat(ids()).isEqualTo(range(3));
        }
    }

    @Test
    void rowsOfOtherFormatsAreCountedAlike() throws Exception {
        RowOptions csv = new RowOptions(
                RowOptions.Format.CSV,
                RowOptions.Encoding.IDENTITY,
                false,
                RowOptions.Ack.COMMITTED,
                RowOptions.OnError.SKIP,
                "",
                -1,
                Optional.of(new RowOptions.InChannel(CHANNEL, 1, 0)));
        try (Node node = new Node(world, 3)) {
            open(node);
            assertThat(node.send(World.TABLE, csv, "id\n0\nx\n1\n").orThrow().answer())
                    .contains("\"accepted\":2", "\"repeated\":0", "\"durable\":3");
            assertThat(node.send(World.TABLE, csv, "id\n0\nx\n1\n2\n").orThrow().answer())
                    .contains("\"accepted\":1", "\"repeated\":3", "\"durable\":4");
            assertThat(ids()).isEqualTo(range(3));
        }
    }

    @Test
    void refusedRowsTakeTheirOffsetsWhenTheyAreSkippedAndNoneElse() throws Exception {
        String body = "{\"id\":0}\n{\"id\":\"x\"}\n{\"id\":1}\n";
        try (Node node = new Node(world, 3)) {
            open(node);
            EndedRows refused = send(node, 1, 0, body).orThrow();
            assertThat(refused.taken()).isFalse();
            assertThat(status(node).durable()).isZero();
            RowOptions skip = at(1, 0, RowOptions.OnError.SKIP, RowOptions.Ack.COMMITTED);
            EndedRows skipped = node.send(World.TABLE, skip, body).orThrow();
            assertThat(skipped.answer()).contains("\"accepted\":2", "\"durable\":3", "\"rejected-count\":1");
            EndedRows repeat =
                    node.send(World.TABLE, skip, body + "{\"id\":2}\n").orThrow();
            assertThat(repeat.answer()).contains("\"accepted\":1", "\"repeated\":3", "\"durable\":4");
            assertThat(status(node)).extracting(ChannelStatus::rejected).isEqualTo(1L);
            RowOptions onlyBad = at(1, 4, RowOptions.OnError.SKIP, RowOptions.Ack.COMMITTED);
            assertThat(node.send(World.TABLE, onlyBad, "{\"id\":\"y\"}\n")
                            .orThrow()
                            .answer())
                    .contains("\"accepted\":0", "\"durable\":5");
            assertThat(ids()).isEqualTo(range(3));
        }
        try (Node other = new Node(world, 4)) {
            ChannelStatus later = open(other);
            assertThat(later.durable()).isEqualTo(5);
            assertThat(later.rejected()).isEqualTo(2);
        }
    }

    @Test
    void offsetsAreAdvancedWithoutRows() throws Exception {
        try (Node node = new Node(world, 3)) {
            open(node);
            assertThat(call(node, Act.ADVANCE, 1, 50).orThrow().durable()).isEqualTo(50);
            assertThat(call(node, Act.ADVANCE, 1, 20).orThrow().durable()).isEqualTo(50);
            send(node, 1, 50, rows(0, 2)).orThrow();
            assertThat(call(node, Act.CLOSE, 0, 0).orThrow().committed()).isEqualTo(52);
            assertThat(ids()).isEqualTo(range(2));
            assertThat(failure(call(node, Act.ADVANCE, 2, 60)).code()).isEqualTo("ChannelFencedException");
        }
        try (Node other = new Node(world, 4)) {
            assertThat(open(other).durable()).isEqualTo(52);
        }
    }

    @Test
    void aNewOpeningFencesTheOneBefore() throws Exception {
        try (Node node = new Node(world, 3, lazy())) {
            open(node);
            send(node, 1, 0, rows(0, 3)).orThrow();
            ChannelStatus second = open(node);
            assertThat(second.epoch()).isEqualTo(2);
            assertThat(second.durable()).isEqualTo(3);
            assertThat(failure(send(node, 1, 3, rows(3, 4))).code()).isEqualTo("ChannelFencedException");
            send(node, 2, 3, rows(3, 5)).orThrow();
            call(node, Act.CLOSE, 2, 0).orThrow();
            assertThat(ids()).isEqualTo(range(5));
        }
    }

    @Test
    void anotherNodeTakesWhatTheFirstMadeDurableAndTheFirstCanAddNothingAnyMore() throws Exception {
        try (Node first = new Node(world, 3, lazy());
                Node second = new Node(world, 4, lazy())) {
            open(first);
            send(first, 1, 0, rows(0, 3)).orThrow();
            ChannelStatus taken = open(second);
            assertThat(taken)
                    .extracting(ChannelStatus::epoch, ChannelStatus::durable)
                    .containsExactly(2L, 3L);
            assertThat(failure(send(first, 1, 3, rows(100, 101))).kind()).isEqualTo(Failure.Kind.UNAVAILABLE);
            assertThat(failure(send(first, 1, 3, rows(100, 101))).code()).isEqualTo("ChannelFencedException");
            send(second, 2, 3, rows(3, 5)).orThrow();
            call(second, Act.CLOSE, 2, 0).orThrow();
            // Other rows of the first node go on in a new log.
            first.send(World.TABLE, Node.committed(), "{\"id\":5}\n").orThrow();
        }
        assertThat(ids()).isEqualTo(range(6));
    }

    @Test
    void aClientGoesOnAtAnotherNodeWithoutOpening() throws Exception {
        try (Node first = new Node(world, 3, lazy())) {
            open(first);
            send(first, 1, 0, rows(0, 3)).orThrow();
        }
        try (Node second = new Node(world, 4)) {
            send(second, 1, 2, rows(2, 5)).orThrow();
            call(second, Act.CLOSE, 1, 0).orThrow();
        }
        assertThat(ids()).isEqualTo(range(5));
    }

    @Test
    void aRetiredChannelBeginsAnewUnderAHigherEpoch() throws Exception {
        try (Node node = new Node(world, 3)) {
            open(node);
            open(node);
            send(node, 2, 0, rows(0, 3)).orThrow();
            assertThat(call(node, Act.RETIRE, 0, 0).orThrow().epoch()).isEqualTo(2);
            assertThat(failure(call(node, Act.STATUS, 0, 0)).code()).isEqualTo("NoSuchChannelException");
            assertThat(failure(send(node, 2, 3, rows(3, 4))).code()).isEqualTo("NoSuchChannelException");
            ChannelStatus next = open(node);
            assertThat(next)
                    .extracting(ChannelStatus::epoch, ChannelStatus::durable)
                    .containsExactly(3L, 0L);
            send(node, 3, 0, rows(3, 4)).orThrow();
            call(node, Act.CLOSE, 3, 0).orThrow();
            assertThat(ids()).isEqualTo(range(4));
        }
    }

    @Test
    void aTableThatIsMadeAgainUnderItsNameHasNoChannels() throws Exception {
        try (Node node = new Node(world, 3)) {
            open(node);
            send(node, 1, 0, rows(0, 3)).orThrow();
            call(node, Act.CLOSE, 1, 0).orThrow();
            node.drop(World.TABLE);
            node.send(World.TABLE, Node.committed(), "{\"id\":-1}\n").orThrow();
            assertThat(failure(send(node, 1, 3, rows(3, 4))).code()).isEqualTo("NoSuchChannelException");
            assertThat(open(node).durable()).isZero();
        }
    }

    @Test
    void aTokenIsWaitedForAtAnyNode() throws Exception {
        try (Node node = new Node(world, 3, lazy());
                Node other = new Node(world, 4)) {
            String answer =
                    node.send(World.TABLE, Node.plain(), rows(0, 2)).orThrow().answer();
            String token = answer.replaceAll(".*\"token\":\"([^\"]+)\".*", "$1");
            assertThat(other.answer(new AwaitRows(World.TABLE, token, 50)).orThrow())
                    .isEqualTo(new CommittedRows(false, -1));
            CommittedRows committed =
                    node.answer(new AwaitRows(World.TABLE, token, 10_000)).orThrow();
            assertThat(committed.committed()).isTrue();
            assertThat(other.answer(new AwaitRows(World.TABLE, token, 0)).orThrow())
                    .isEqualTo(committed);
            assertThat(failure(other.answer(new AwaitRows(World.TABLE, "nonsense", 0)))
                            .kind())
                    .isEqualTo(Failure.Kind.INVALID);
        }
    }
}
