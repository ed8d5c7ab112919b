package io.storageengine.ingest.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.AbortRows;
import io.storageengine.core.message.BeginRows;
import io.storageengine.core.message.EndedRows;
import io.storageengine.core.message.RowOptions;
import io.storageengine.core.message.SendRows;
import io.storageengine.ingest.rows.RowLimits;
import io.storageengine.ingest.session.SessionOptions;
import io.storageengine.ingest.table.Pace;
import io.storageengine.store.Operation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.apache.iceberg.data.Record;
import org.junit.jupiter.api.Test;

/// Requests of more rows than go inline: their rows are written as data files while the body comes in.
class LargeRequestTest {
    private static final int ROWS = 200_000;
    private final World world = new World(1);

    private static byte[] body(int rows) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < rows; i++)
            body.append("{\"id\":")
                    .append(i)
                    .append(",\"text\":\"some text for row ")
                    .append(i)
                    .append("\"}\n");
        return body.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void assertAllRows(int rows) {
        List<Record> read = world.rows(World.TABLE);
        Set<Object> ids = new HashSet<>();
        for (Record row : read) {
            assertThat(ids.add(row.getField("id"))).isTrue();
            assertThat(row.getField("text")).isEqualTo("some text for row " + row.getField("id"));
        }
        assertThat(ids).hasSize(rows);
    }

    @Test
    void itIsOneEntryAndOneCommit() throws Exception {
        try (Node node = new Node(world, 2)) {
            EndedRows ended = node.send(World.TABLE, Node.committed(), body(ROWS), 1 << 16)
                    .orThrow();
            assertThat(ended.answer()).startsWith("{\"accepted\":" + ROWS);
            assertThat(world.metadata(World.TABLE).snapshots()).hasSize(1);
            assertThat(world.metadata(World.TABLE).currentSnapshot().summary())
                    .containsEntry("total-records", "" + ROWS);
            assertThat(world.counted("cluster").count(Operation.PUT)).isLessThan(10);
            node.awaitIdle();
            assertThat(node.ingest.memoryBytes()).isZero();
        }
        assertAllRows(ROWS);
    }

    @Test
    void itSurvivesAKillBeforeItsCommit() throws Exception {
        SessionOptions lazy = new SessionOptions(
                1 << 30,
                1 << 20,
                4 << 20,
                9,
                10_000,
                10_000,
                9_000,
                9_000,
                new Pace(600_000, 1 << 30),
                RowLimits.DEFAULT);
        try (Node node = new Node(world, 2, Node.options().with(lazy))) {
            node.send(World.TABLE, Node.keyed("k"), body(ROWS), 1 << 16).orThrow();
        }
        try (Node next = new Node(world, 3)) {
            next.send(World.TABLE, Node.keyed("k"), body(ROWS), 1 << 16).orThrow();
            next.awaitIdle();
        }
        assertAllRows(ROWS);
    }

    @Test
    void aBadRowAtItsEndLeavesNothingOfIt() throws Exception {
        byte[] good = body(ROWS);
        byte[] bad = Arrays.copyOf(good, good.length + 2);
        bad[good.length] = '?';
        bad[good.length + 1] = '\n';
        try (Node node = new Node(world, 2)) {
            node.send(World.TABLE, Node.committed(), "{\"id\":1,\"text\":\"x\"}\n")
                    .orThrow();
            EndedRows ended = node.send(World.TABLE, Node.plain(), bad, 1 << 16).orThrow();
            assertThat(ended.taken()).isFalse();
            assertThat(ended.answer()).contains("\"row\":" + ROWS);
            node.awaitIdle();
            assertThat(node.ingest.memoryBytes()).isZero();
        }
        assertThat(world.rows(World.TABLE)).hasSize(1);
        assertThat(dataFiles()).as("written files are deleted").hasSize(1);
    }

    @Test
    void anAbortLeavesNothingOfIt() throws Exception {
        byte[] body = body(ROWS);
        try (Node node = new Node(world, 2)) {
            String session = node.answer(new BeginRows(World.TABLE, Node.plain()))
                    .orThrow()
                    .session();
            node.answer(new SendRows(session, "dev", ByteBuffer.wrap(body))).orThrow();
            node.answer(new AbortRows(session, "dev")).orThrow();
            node.awaitIdle();
            assertThat(node.ingest.memoryBytes()).isZero();
        }
        assertThat(dataFiles()).isEmpty();
    }

    private List<String> dataFiles() {
        return world.keys("dev", "").stream()
                .filter(key -> key.endsWith(".parquet"))
                .toList();
    }

    @Test
    void withSkipItIsTakenSegmentBySegment() throws Exception {
        byte[] good = body(ROWS);
        byte[] bad = Arrays.copyOf(good, good.length + 2);
        bad[good.length] = '?';
        bad[good.length + 1] = '\n';
        RowOptions skip = Node.with(RowOptions.OnError.SKIP, RowOptions.Ack.COMMITTED, RowOptions.Encoding.IDENTITY);
        try (Node node = new Node(world, 2)) {
            EndedRows ended = node.send(World.TABLE, skip, bad, 1 << 16).orThrow();
            assertThat(ended.answer()).startsWith("{\"accepted\":" + ROWS + ",\"rejected-count\":1,");
            assertThat(ended.snapshotId())
                    .isEqualTo(world.metadata(World.TABLE).currentSnapshot().snapshotId());
        }
        assertAllRows(ROWS);
    }

    @Test
    void pastTheAtomicLimitItIsRefusedUnlessBadRowsAreSkipped() throws Exception {
        SessionOptions small = new SessionOptions(
                1 << 20, 1 << 20, 4 << 20, 9, 10_000, 10_000, 9_000, 9_000, new Pace(50, 1 << 30), RowLimits.DEFAULT);
        byte[] body = body(ROWS);
        try (Node node = new Node(world, 2, Node.options().with(small))) {
            assertTooLarge(node.send(World.TABLE, Node.plain(), body, 1 << 16));
            RowOptions gzip = Node.with(RowOptions.OnError.REFUSE, RowOptions.Ack.DURABLE, RowOptions.Encoding.GZIP);
            assertTooLarge(node.send(World.TABLE, gzip, gzip(body), 1 << 16));
            RowOptions announced = new RowOptions(
                    RowOptions.Format.NDJSON,
                    RowOptions.Encoding.IDENTITY,
                    true,
                    RowOptions.Ack.DURABLE,
                    RowOptions.OnError.REFUSE,
                    "",
                    body.length);
            assertTooLarge(node.answer(new BeginRows(World.TABLE, announced)));
            RowOptions skip =
                    Node.with(RowOptions.OnError.SKIP, RowOptions.Ack.COMMITTED, RowOptions.Encoding.IDENTITY);
            node.send(World.TABLE, skip, body, 1 << 16).orThrow();
        }
        assertAllRows(ROWS);
    }

    private static void assertTooLarge(Outcome<?> outcome) {
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.failure().kind()).isEqualTo(Failure.Kind.INVALID);
            assertThat(failed.failure().code()).isEqualTo("RequestTooLarge");
            assertThat(failed.failure().message()).contains("on-error=skip");
        });
    }

    @Test
    void codedBodiesAreDecodedAsTheyCome() throws Exception {
        byte[] body = body(20_000);
        byte[] twoMembers = joined(
                gzip(Arrays.copyOf(body, body.length / 2)),
                gzip(Arrays.copyOfRange(body, body.length / 2, body.length)));
        RowOptions zstd = Node.with(RowOptions.OnError.REFUSE, RowOptions.Ack.COMMITTED, RowOptions.Encoding.ZSTD);
        RowOptions gzip = Node.with(RowOptions.OnError.REFUSE, RowOptions.Ack.COMMITTED, RowOptions.Encoding.GZIP);
        try (Node node = new Node(world, 2)) {
            node.send(World.TABLE, zstd, Zstd.compress(body), 777).orThrow();
            node.send(World.TABLE, gzip, twoMembers, gzip(Arrays.copyOf(body, body.length / 2)).length)
                    .orThrow();
        }
        assertThat(world.rows(World.TABLE)).hasSize(40_000);
    }

    @Test
    void bodiesThatEndEarlyOrAreBrokenAreRefused() throws Exception {
        byte[] body = body(20_000);
        RowOptions zstd = Node.with(RowOptions.OnError.SKIP, RowOptions.Ack.COMMITTED, RowOptions.Encoding.ZSTD);
        RowOptions gzip = Node.with(RowOptions.OnError.SKIP, RowOptions.Ack.COMMITTED, RowOptions.Encoding.GZIP);
        byte[] gzipped = gzip(body);
        byte[] zstded = Zstd.compress(body);
        try (Node node = new Node(world, 2)) {
            node.send(World.TABLE, Node.committed(), "{\"id\":1,\"text\":\"x\"}\n")
                    .orThrow();
            assertUndecodable(node.send(World.TABLE, gzip, Arrays.copyOf(gzipped, gzipped.length - 5), 1000));
            assertUndecodable(node.send(World.TABLE, zstd, Arrays.copyOf(zstded, zstded.length - 5), 1000));
            gzipped[gzipped.length / 2] ^= 8;
            assertUndecodable(node.send(World.TABLE, gzip, gzipped, 1000));
            assertUndecodable(node.send(World.TABLE, gzip, body, 1000));
            assertUndecodable(node.send(World.TABLE, gzip, joined(gzip(body), new byte[] {'x'}), 1000));
            assertUndecodable(node.send(World.TABLE, gzip, joined(gzip(body), new byte[20]), 1 << 20));
            assertUndecodable(node.send(World.TABLE, gzip, joined(gzip(body), new byte[] {0x1f}), 1 << 20));
            Outcome<?> empty = node.send(World.TABLE, gzip, new byte[0], 1000);
            assertUndecodable(empty);
            assertThat(empty.toString()).contains("it is empty").doesNotContain("null");
            assertUndecodable(node.send(World.TABLE, zstd, body, 1000));
            node.awaitIdle();
            assertThat(node.ingest.memoryBytes()).isZero();
        }
        assertThat(world.rows(World.TABLE)).hasSize(1);
    }

    @Test
    void zstdThatAsksForMuchMemoryOrUnpacksToTooMuchIsRefused() throws Exception {
        RowOptions zstd = Node.with(RowOptions.OnError.REFUSE, RowOptions.Ack.COMMITTED, RowOptions.Encoding.ZSTD);
        byte[] wide = zstd(27, 1);
        byte[] bomb = zstd(23, 1_025);
        assertThat(bomb).hasSizeLessThan(1 << 20);
        try (Node node = new Node(world, 2)) {
            node.send(World.TABLE, Node.committed(), "{\"id\":1,\"text\":\"x\"}\n")
                    .orThrow();
            assertUndecodable(node.send(World.TABLE, zstd, wide, 1000));
            assertThat(node.send(World.TABLE, zstd, bomb, 1 << 20))
                    .isInstanceOfSatisfying(
                            Outcome.Failed.class,
                            failed -> assertThat(failed.failure().code()).isEqualTo("RequestTooLarge"));
            node.awaitIdle();
            assertThat(node.ingest.memoryBytes()).isZero();
        }
    }

    /// Blank lines, packed so that unpacking them may look back 2^windowLog bytes.
    private static byte[] zstd(int windowLog, int mebibytes) throws IOException {
        byte[] lines = new byte[1 << 20];
        Arrays.fill(lines, (byte) '\n');
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZstdOutputStream packed = new ZstdOutputStream(out)) {
            packed.setLong(windowLog);
            for (int i = 0; i < mebibytes; i++) packed.write(lines);
        }
        return out.toByteArray();
    }

    private static void assertUndecodable(Outcome<?> outcome) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure().code()).isEqualTo("InvalidContentEncoding"));
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }
}
