package io.storageengine.ingest.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.message.RowOptions.Format;
import io.storageengine.core.message.RowOptions.OnError;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Rows are told apart, however the bytes arrive and whatever a neighbour holds.
class FramingTest {
    private static final Schema SCHEMA = Bodies.column(Types.StringType.get());
    private static final RowLimits SMALL = new RowLimits(200, 8, 3);

    private static List<String> column(Bodies.Read read) {
        return read.values().stream().map(row -> row.get(0)).toList();
    }

    @Test
    void blankLinesAndCarriageReturnsAndAMarkDoNotCount() {
        Bodies.Read read =
                Bodies.ndjson(SCHEMA, OnError.SKIP, "\uFEFF\n\r\n {\"c\":\"a\"}\r\n\n\t\n{\"c\":\"b\"} \n{}");

        assertThat(column(read)).containsExactly("a", "b", "null");
        assertThat(read.rows()).isEqualTo(3);
    }

    @Test
    void anEmptyNdjsonBodyHasNoRows() {
        assertThat(Bodies.ndjson(SCHEMA, OnError.REFUSE, "").faults().rows()).isZero();
    }

    @Test
    void anObjectMayNotSpanLines() {
        Bodies.Read read = Bodies.ndjson(SCHEMA, OnError.SKIP, "{\"c\":\n\"a\"}\n{\"c\":\"b\"}\n");

        assertThat(column(read)).containsExactly("b");
        assertThat(read.faults().rows()).isEqualTo(2);
    }

    @Test
    void invalidUtf8CostsOnlyItsRow() {
        byte[][] bad = {
            {(byte) 0xFF},
            {(byte) 0xC0, (byte) 0x80},
            {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
            {(byte) 0xE2, (byte) 0x82},
            {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
            {(byte) 0x80},
            {(byte) 0xE0, (byte) 0x80, (byte) 0x80}
        };
        for (byte[] bytes : bad) {
            for (Format format : List.of(Format.JSON, Format.NDJSON)) {
                ByteArrayOutputStream body = new ByteArrayOutputStream();
                String[] parts = format == Format.JSON
                        ? new String[] {"[{\"c\":\"a\"},{\"c\":\"x", "\"},{\"c\":\"b\"}]"}
                        : new String[] {"{\"c\":\"a\"}\n{\"c\":\"x", "\"}\n{\"c\":\"b\"}"};
                body.writeBytes(Bodies.utf8(parts[0]));
                body.writeBytes(bytes);
                body.writeBytes(Bodies.utf8(parts[1]));

                Bodies.Read read = Bodies.read(
                        SCHEMA, format, OnError.SKIP, new ByteArrayInputStream(body.toByteArray()), RowLimits.DEFAULT);

                assertThat(column(read)).containsExactly("a", "b");
                assertThat(read.faults().first()).extracting(RowFault::code).containsExactly("InvalidUtf8");
            }
        }
    }

    @Test
    void aLineThatIsTooLongIsPassedOverWithoutKeepingIt() {
        String body = "{\"c\":\"a\"}\n{\"c\":\"" + "x".repeat(1_000_000) + "\"}\n{\"c\":\"b\"}\n";

        Bodies.Read read =
                Bodies.read(SCHEMA, Format.NDJSON, OnError.SKIP, new ByteArrayInputStream(Bodies.utf8(body)), SMALL);

        assertThat(column(read)).containsExactly("a", "b");
        assertThat(read.faults().first()).extracting(RowFault::code).containsExactly("RowTooLong");
    }

    @Test
    void aRowOfAnArrayThatIsTooLongIsPassedOver() {
        String body = "[{\"c\":\"a\"},{\"c\":\"" + "[\\\"}".repeat(300_000) + "\"} , {\"c\":\"b\"}]";

        Bodies.Read read =
                Bodies.read(SCHEMA, Format.JSON, OnError.SKIP, new ByteArrayInputStream(Bodies.utf8(body)), SMALL);

        assertThat(column(read)).containsExactly("a", "b");
        assertThat(read.faults().first()).extracting(RowFault::code).containsExactly("RowTooLong");
        assertThat(read.broken()).isFalse();
    }

    @Test
    void nestingHasABound() {
        String deep = "{\"c\":" + "[".repeat(8) + "]".repeat(8) + "}";
        String fine = "{\"c\":" + "[".repeat(7) + "]".repeat(7) + "}";
        Bodies.Read read = Bodies.read(
                SCHEMA,
                Format.NDJSON,
                OnError.SKIP,
                new ByteArrayInputStream(Bodies.utf8(deep + "\n" + fine + "\n{\"c\":" + "[".repeat(150))),
                SMALL);

        assertThat(read.values()).hasSize(1);
        assertThat(read.faults().first()).extracting(RowFault::code).containsExactly("TooDeep", "TooDeep");
    }

    @Test
    void faultsAreAllCountedAndTheFirstKept() {
        Bodies.Read read = Bodies.read(
                SCHEMA, Format.NDJSON, OnError.SKIP, new ByteArrayInputStream(Bodies.utf8("x\n".repeat(1000))), SMALL);

        assertThat(read.faults().rows()).isEqualTo(1000);
        assertThat(read.faults().first()).extracting(RowFault::row).containsExactly(0L, 1L, 2L);
    }

    @Test
    void aDocumentIsAnObjectOrAnArrayOfObjects() {
        assertThat(column(Bodies.json(SCHEMA, OnError.REFUSE, " {\"c\":\"a\"} ")))
                .containsExactly("a");
        assertThat(column(Bodies.json(SCHEMA, OnError.REFUSE, "\uFEFF [ {\"c\":\n\"a\"}\n,{} ] ")))
                .containsExactly("a", "null");
        assertThat(column(Bodies.json(SCHEMA, OnError.REFUSE, "[]"))).isEmpty();
        Bodies.Read mixed = Bodies.json(SCHEMA, OnError.SKIP, "[1,\"a,]\",[{}],null,{\"c\":\"b\"}]");
        assertThat(column(mixed)).containsExactly("b");
        assertThat(mixed.faults().first())
                .extracting(RowFault::code)
                .containsOnly("NotAnObject")
                .hasSize(4);
    }

    @Test
    void aDocumentThatIsNotJsonSaysWhereItBroke() {
        List<String> broken = List.of(
                "",
                " ",
                "1",
                "\"a\"",
                "[",
                "[{}",
                "[{},",
                "[{},]",
                "[,{}]",
                "[{}{}]",
                "[{} {}]",
                "{} {}",
                "{},{}",
                "[{}] x",
                "[{\"c\":tru}]",
                "[{\"c\":1,}]",
                "[{\"c\":\"a]",
                "{\"c\":",
                "[}",
                "[{]}");
        for (String body : broken) {
            Bodies.Read read = Bodies.json(SCHEMA, OnError.SKIP, body);

            assertThat(read.broken()).as(body).isTrue();
            assertThat(read.faults().first())
                    .as(body)
                    .extracting(RowFault::code)
                    .containsExactly("MalformedJson");
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void itDoesNotMatterHowTheBytesArrive(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> rows = new ArrayList<>();
        for (int i = random.nextInt(30); i >= 0; i--) {
            rows.add(row(random));
        }
        byte[] lines = Bodies.utf8(String.join("\n", rows));
        byte[] array = Bodies.utf8("[" + String.join(" ,\n", rows) + "]");

        Bodies.Read whole = read(Format.NDJSON, new ByteArrayInputStream(lines));
        Bodies.Read trickled = read(Format.NDJSON, Bodies.trickle(lines, random));
        Bodies.Read ofArray = read(Format.JSON, Bodies.trickle(array, random));

        assertThat(trickled).isEqualTo(whole);
        assertThat(ofArray).isEqualTo(whole);
        assertThat(whole.rows()).isEqualTo(rows.size());
    }

    private static Bodies.Read read(Format format, java.io.InputStream body) {
        return Bodies.read(SCHEMA, format, OnError.SKIP, body, RowLimits.DEFAULT);
    }

    private static String row(SplittableRandom random) {
        String text = "ü\\\"]}[{,😀".repeat(random.nextInt(5));
        return switch (random.nextInt(6)) {
            case 0 -> "{\"x\":[\"" + text + "\",{}]}";
            case 1 -> "{\"c\":\"a\",\"c\":\"" + text + "\"}";
            case 2 -> "{}";
            case 3 -> "[\"" + text + "\"]";
            default -> "{\"c\":\"" + text + "\"}";
        };
    }
}
