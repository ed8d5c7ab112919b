package io.storageengine.ingest.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Outcome;
import io.storageengine.core.message.RowOptions.Format;
import io.storageengine.core.message.RowOptions.OnError;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.iceberg.Schema;
import org.junit.jupiter.api.Test;

/// What a table becomes that is made from its first rows.
class SchemaInferenceTest {
    private static Rereadable rereadable(String body) {
        return new Rereadable(new ByteArrayInputStream(Bodies.utf8(body)), _ -> {});
    }

    private static Outcome<Schema> infer(Format format, String body) {
        return infer(format, rereadable(body));
    }

    private static Outcome<Schema> infer(Format format, Rereadable body) {
        try {
            return SchemaInference.infer(body, format, RowLimits.DEFAULT);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String type(String... values) {
        StringBuilder body = new StringBuilder();
        for (String value : values) {
            body.append("{\"k\":0,\"c\":").append(value).append("}\n");
        }
        Schema schema = infer(Format.NDJSON, body.toString()).orThrow();
        assertThat(RowTypes.refusal(schema)).isEmpty();
        Bodies.Read read = Bodies.ndjson(schema, OnError.REFUSE, body.toString());
        assertThat(read.faults().first()).isEmpty();
        return schema.findType("c").toString();
    }

    @Test
    void oneKindOfValuesGivesItsType() {
        assertThat(type("1", "null", "-9223372036854775808")).isEqualTo("long");
        assertThat(type("1", "1.5")).isEqualTo("double");
        assertThat(type("1e3")).isEqualTo("double");
        assertThat(type("true", "false")).isEqualTo("boolean");
        assertThat(type("\"2024-01-01T00:00:00Z\"", "\"2024-01-01 00:00:00.123456+05:30\""))
                .isEqualTo("timestamptz");
        assertThat(type("\"x\"")).isEqualTo("string");
    }

    @Test
    void whatOneTypeCannotHoldBecomesAString() {
        assertThat(type("1", "\"x\"")).isEqualTo("string");
        assertThat(type("true", "1")).isEqualTo("string");
        assertThat(type("{\"a\":1}", "[1]")).isEqualTo("string");
        assertThat(type("{\"a\":1}", "1")).isEqualTo("string");
        assertThat(type("18446744073709551615")).isEqualTo("string");
        assertThat(type("1e999")).isEqualTo("string");
        assertThat(type("1e-999")).isEqualTo("string");
        assertThat(type("\"2024-01-01T00:00:00Z\"", "\"soon\"")).isEqualTo("string");
        assertThat(type("\"2024-01-01T00:00:00\"")).isEqualTo("string");
        assertThat(type("\"2024-01-01T00:00:00.123456789Z\"")).isEqualTo("string");
        assertThat(type("\"2024-01-01\"")).isEqualTo("string");
        assertThat(type("null")).isEqualTo("string");
        assertThat(type("{}")).isEqualTo("string");
    }

    @Test
    void objectsAndArraysAreNested() {
        assertThat(type("{\"a\":1}", "{\"b\":{\"c\":\"x\"}}"))
                .isEqualTo("struct<3: a: optional long, 4: b: optional struct<5: c: optional string>>");
        assertThat(type("[1,2]", "[]", "[null]")).isEqualTo("list<long>");
        assertThat(type("[]")).isEqualTo("list<string>");
        assertThat(type("[[1.5],[]]")).isEqualTo("list<list<double>>");
        assertThat(type("[{\"a\":1},{\"b\":\"x\"}]"))
                .isEqualTo("list<struct<4: a: optional long, 5: b: optional string>>");
    }

    @Test
    void theBodyCanStillBeReadFromItsStart() {
        String body = "[{\"a\":1},{\"a\":2}" + ",{\"a\":3}".repeat(200_000) + "]";
        Rereadable once = rereadable(body);
        Schema schema = infer(Format.JSON, once).orThrow();
        once.again();

        Bodies.Read read = Bodies.read(schema, Format.JSON, OnError.REFUSE, once, RowLimits.DEFAULT);

        assertThat(read.values()).hasSize(200_002);
        assertThat(read.faults().rows()).isZero();
    }

    @Test
    void badRowsDoNotCount() {
        Schema schema =
                infer(Format.NDJSON, "{\"a\":1\n{\"a\":\"\n[1]\n{\"a\":1}\n").orThrow();

        assertThat(schema.findType("a").toString()).isEqualTo("long");
    }

    @Test
    void rowsWithANameTwiceCountOnlyWhenThereAreNoOthers() {
        assertThat(infer(Format.NDJSON, "{\"a\":1,\"a\":\"x\"}\n{\"a\":1}\n")
                        .orThrow()
                        .findType("a")
                        .toString())
                .isEqualTo("long");
        assertThat(infer(Format.NDJSON, "{\"a\":[{\"b\":1,\"b\":2}],\"c\":1}\n{\"d\":1}\n")
                        .orThrow()
                        .columns())
                .extracting(field -> field.name())
                .containsExactly("d");
        assertThat(infer(Format.NDJSON, "{\"a\":1,\"a\":2}\n").orThrow().columns())
                .hasSize(1);
    }

    @Test
    void ofNamesThatDifferByCaseTheFirstBecomesAColumn() {
        assertThat(infer(Format.NDJSON, "{\"a\":1}\n{\"A\":2,\"b\":{\"c\":1}}\n{\"b\":{\"C\":1}}\n")
                        .orThrow()
                        .toString())
                .isEqualTo(infer(Format.NDJSON, "{\"a\":1}\n{\"b\":{\"c\":1}}\n")
                        .orThrow()
                        .toString());
    }

    @Test
    void rowsThatGiveNoSchemaGiveNoColumns() {
        for (String body : new String[] {"", "\n", "x", "[]", "{}", "{}\n{}"})
            assertThat(infer(Format.NDJSON, body).orThrow().columns()).as(body).isEmpty();
        assertThat(infer(Format.NDJSON, "x\n".repeat(9 << 20)).orThrow().columns())
                .isEmpty();
    }

    @Test
    void ofARowThatNeverEndsOnlyTheBeginningIsRead() throws IOException {
        AtomicLong held = new AtomicLong();
        Rereadable endless = new Rereadable(new Endless(), held::addAndGet);
        for (Format format : List.of(Format.JSON, Format.NDJSON)) {
            assertThat(infer(format, endless).isOk()).isTrue();
            assertThat(endless.size()).isEqualTo(Rereadable.KEPT_BYTES);
            assertThat(endless.isKept()).isTrue();
            endless.beginning();
        }
        endless.close();
    }

    /// A text that is never closed.
    private static final class Endless extends InputStream {
        private boolean begun;

        @Override
        public int read() {
            return 'x';
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            byte[] begin = Bodies.utf8("{\"a\":\"");
            Arrays.fill(target, offset, offset + length, (byte) 'x');
            if (!begun) System.arraycopy(begin, 0, target, offset, Math.min(length, begin.length));
            begun = true;
            return length;
        }
    }

    @Test
    void whatGivesNoSchemaSaysWhatToDo() {
        StringBuilder wide = new StringBuilder("{\"a\":0");
        for (int i = 0; i < 2_000; i++) {
            wide.append(",\"c").append(i).append("\":1");
        }
        assertThat(infer(Format.JSON, wide.append('}').toString()).toString()).contains("more than 2000 fields");
        assertThat(infer(Format.NDJSON, "{\"a.b\":1,\"a\":{\"b\":2}}").toString())
                .contains("a.b");
    }

    @Test
    void aFieldWithoutANameMakesNoTable() {
        assertThat(infer(Format.NDJSON, "{\"\":1}\n").isOk()).isFalse();
        assertThat(infer(Format.NDJSON, "{\"a\":{\"\":1}}\n").isOk()).isFalse();
    }

    /// A decoder must not be closed at its end: what parses the body reads once more.
    @Test
    void aCompressedBodyIsReadAgainToItsEndAndOnceMore() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(Bodies.utf8("{\"a\":1}\n{\"a\":2}\n"));
        }
        InputStream plain = new GZIPInputStream(new ByteArrayInputStream(packed.toByteArray()));
        Rereadable again = new Rereadable(plain, _ -> {});
        infer(Format.NDJSON, again).orThrow();
        again.again();
        assertThat(again.readAllBytes()).isEqualTo(Bodies.utf8("{\"a\":1}\n{\"a\":2}\n"));
        assertThat(again.read()).isEqualTo(-1);
        assertThat(plain.read()).isEqualTo(-1);
    }
}
