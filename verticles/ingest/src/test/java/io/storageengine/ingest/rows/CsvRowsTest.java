package io.storageengine.ingest.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.core.FailureException;
import io.storageengine.core.message.RowOptions.Format;
import io.storageengine.core.message.RowOptions.OnError;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// CSV bodies: which rows are told apart, what fields mean, and what is refused.
class CsvRowsTest {
    private static final Schema AB = new Schema(
            Types.NestedField.optional(1, "a", Types.LongType.get()),
            Types.NestedField.optional(2, "b", Types.StringType.get()));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a,b\n1,x\n2,y\n",
                "a,b\r\n1,x\r\n2,y",
                "\uFEFFa,b\n1,x\n2,y\r",
                "b,a\nx,1\ny,2\n",
                "\"a\",\"b\"\n\"1\",\"x\"\n\"2\",\"y\"",
                "\n\r\na,b\n\n1,x\n\r\n\n2,y\n\n",
                "\uFEFF\"b\",a\n\"x\",1\n\"y\",2\n"
            })
    void linesEndAndQuotesStandAsTheirWritersDoIt(String body) {
        Bodies.Read read = Bodies.csv(AB, OnError.REFUSE, body);

        assertThat(read.faults().first()).isEmpty();
        assertThat(read.values()).containsExactly(List.of("1", "x"), List.of("2", "y"));
    }

    @Test
    void anEmptyFieldIsNullAndEmptyQuotesAreTheEmptyText() {
        Bodies.Read read = Bodies.csv(AB, OnError.REFUSE, "a,b\n,\n1,\"\"\n,\"a \"\"b\"\", c\r\nd\"\n");

        assertThat(read.values())
                .containsExactly(List.of("null", "null"), List.of("1", ""), List.of("null", "a \"b\", c\r\nd"));
    }

    @Test
    void ofOneColumnABlankLineIsARow() {
        Bodies.Read read = Bodies.csv(Bodies.column(Types.StringType.get()), OnError.REFUSE, "c\nx\n\n\"\"\n");

        assertThat(read.values()).containsExactly(List.of("x"), List.of("null"), List.of(""));
    }

    @Test
    void aColumnThatTheHeaderLeavesOutIsAbsent() {
        Schema schema = new Schema(
                Types.NestedField.optional(1, "a", Types.LongType.get()),
                Types.NestedField.optional("d")
                        .withId(2)
                        .ofType(Types.LongType.get())
                        .withWriteDefault(Literal.of(42L))
                        .build(),
                Types.NestedField.optional(3, "e", Types.LongType.get()));

        assertThat(Bodies.csv(schema, OnError.REFUSE, "a\n1\n").values()).containsExactly(List.of("1", "42", "null"));
    }

    /// Columns, the row, and what is wrong with it.
    static Stream<Arguments> badRows() {
        return Stream.of(
                Arguments.of("1", "", "WrongFieldCount"),
                Arguments.of("1,x,2", "", "WrongFieldCount"),
                Arguments.of("1,\"x\"y", "", "MalformedCsv"),
                Arguments.of("1,x\"y\"", "", "MalformedCsv"),
                Arguments.of("1,x\ry", "", "MalformedCsv"),
                Arguments.of("x,y", "a", "InvalidValue"),
                Arguments.of(" 1,y", "a", "InvalidValue"),
                Arguments.of("+1,y", "a", "InvalidValue"),
                Arguments.of("0x1,y", "a", "InvalidValue"),
                Arguments.of("1e,y", "a", "InvalidValue"),
                Arguments.of("null,y", "a", "InvalidValue"),
                Arguments.of("\"\",y", "a", "InvalidValue"),
                Arguments.of("1.5,y", "a", "TooPrecise"),
                Arguments.of("9223372036854775808,y", "a", "OutOfRange"));
    }

    @ParameterizedTest
    @MethodSource("badRows")
    void aBadRowCostsNoOther(String row, String field, String code) {
        Bodies.Read read = Bodies.csv(AB, OnError.SKIP, "a,b\n1,x\n" + row + "\n2,y\n");

        assertThat(read.values()).containsExactly(List.of("1", "x"), List.of("2", "y"));
        assertThat(read.faults().first())
                .extracting(RowFault::row, RowFault::field, RowFault::code)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(1L, field, code));
    }

    @Test
    void aBadRowRefusesAllWhenAskedTo() {
        Bodies.Read read = Bodies.csv(AB, OnError.REFUSE, "a,b\n1,x\n1\n2,y\nz,z\n");

        assertThat(read.values()).isEmpty();
        assertThat(read.faults().first()).extracting(RowFault::row).containsExactly(1L, 3L);
    }

    @Test
    void bytesThatAreNotUtf8CostTheirRow() {
        byte[] body = Bodies.utf8("a,b\n1,x?\n2,\"?\"\n3,y\n");
        for (int i = 0; i < body.length; i++) {
            body[i] = body[i] == '?' ? (byte) 0xC3 : body[i];
        }

        Bodies.Read read = Bodies.read(AB, Format.CSV, OnError.SKIP, new ByteArrayInputStream(body), RowLimits.DEFAULT);

        assertThat(read.values()).containsExactly(List.of("3", "y"));
        assertThat(read.faults().first()).extracting(RowFault::code).containsExactly("InvalidUtf8", "InvalidUtf8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x\n", "\"x\"\n", "\"x\ny\"\n", "x"})
    void aRowThatIsTooLongCostsNoOther(String pattern) {
        String text = pattern.replace("x", "x".repeat(300_000)).replace("\n", "\r\n");
        RowLimits limits = new RowLimits(100_000, 64, 100);
        boolean last = !pattern.endsWith("\n");
        String body = "a,b\r\n1,x\r\n2," + text + (last ? "" : "3,y\r\n");

        Bodies.Read read =
                Bodies.read(AB, Format.CSV, OnError.SKIP, new ByteArrayInputStream(Bodies.utf8(body)), limits);

        assertThat(read.faults().first()).extracting(RowFault::code).containsExactly("RowTooLong");
        assertThat(read.values()).first().isEqualTo(List.of("1", "x"));
        assertThat(read.values()).hasSize(last ? 1 : 2);
    }

    @Test
    void aQuoteThatIsNeverClosedIsABadRow() {
        Bodies.Read read = Bodies.csv(AB, OnError.SKIP, "a,b\n1,x\n2,\"y\n3,z\n");

        assertThat(read.values()).containsExactly(List.of("1", "x"));
        assertThat(read.faults().first()).extracting(RowFault::code).containsExactly("MalformedCsv");
    }

    @Test
    void anUnknownColumnIsRefusedByItsName() {
        Bodies.Read read = Bodies.csv(AB, OnError.SKIP, "a,z\n1,\n2,x\n");

        assertThat(read.values()).isEmpty();
        assertThat(read.faults().first()).extracting(RowFault::field).containsExactly("z", "z");
        assertThat(read.faults().first()).extracting(RowFault::code).containsOnly("UnknownField");
    }

    @Test
    void aRequiredColumnIsNeitherLeftOutNorNull() {
        Schema schema = new Schema(
                Types.NestedField.optional(1, "a", Types.LongType.get()),
                Types.NestedField.required(2, "b", Types.StringType.get()));

        assertThat(Bodies.csv(schema, OnError.SKIP, "a\n1\n").faults().first())
                .extracting(RowFault::code)
                .containsExactly("MissingRequired");
        assertThat(Bodies.csv(schema, OnError.SKIP, "a,b\n1,\n1,\"\"\n")
                        .faults()
                        .first())
                .extracting(RowFault::code)
                .containsExactly("NullRequired");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "boolean|TRUE|true",
                "boolean|False|false",
                "double|NaN|NaN",
                "double|-Infinity|-Infinity",
                "double|1e3|1000.0",
                "decimal(9,2)|1.50|1.50",
                "variant|null|null"
            })
    void textsOfOneTypeInTheirForms(String type, String field, String expected) {
        Bodies.Read read = Bodies.csv(Bodies.column(Samples.type(type)), OnError.REFUSE, "c\n" + field + "\n");

        assertThat(read.faults().first()).isEmpty();
        assertThat(read.values()).containsExactly(List.of(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "boolean|1|InvalidValue",
                "boolean|yes|InvalidValue",
                "double|nan|WrongType",
                "double|1e999|OutOfRange",
                "decimal(9,2)|1.505|TooPrecise",
                "timestamptz|2024-01-01T00:00:00|ZoneMissing",
                "timestamp|2024-01-01T00:00:00Z|ZoneUnexpected",
                "uuid|x|InvalidValue",
                "fixed[2]|00|WrongLength",
                "unknown|x|WrongType",
                "variant|{|MalformedJson",
                "variant|1 2|MalformedJson",
                "variant|text|MalformedJson"
            })
    void textsThatAreNotOfTheType(String type, String field, String code) {
        Bodies.Read read = Bodies.csv(Bodies.column(Samples.type(type)), OnError.SKIP, "c\n" + field + "\n");

        assertThat(read.faults().first())
                .extracting(RowFault::field, RowFault::code)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("c", code));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", "a,a\n1,2\n", "\"a\n1\n", "a\"b\n1\n", "a\rb\n"})
    void aBodyWithoutAHeaderIsNoCsv(String body) {
        assertThatThrownBy(() -> Bodies.csv(AB, OnError.SKIP, body))
                .isInstanceOf(FailureException.class)
                .hasMessageContaining("InvalidCsv");
    }

    @Test
    void theWayOfTheBytesDoesNotMatter() {
        StringBuilder body = new StringBuilder("a,b\n");
        for (int i = 0; i < 500; i++) {
            body.append(i).append(i % 3 == 0 ? ",\"ü \"\"x\"\"\n,\"\r\n" : i % 3 == 1 ? ",plain ü\n" : ",bad\"\n");
        }
        Bodies.Read whole = Bodies.csv(AB, OnError.SKIP, body.toString());
        for (long seed = 0; seed < 5; seed++) {
            Bodies.Read trickled = Bodies.read(
                    AB,
                    Format.CSV,
                    OnError.SKIP,
                    Bodies.trickle(Bodies.utf8(body.toString()), new SplittableRandom(seed)),
                    RowLimits.DEFAULT);
            assertThat(trickled).as("seed " + seed).isEqualTo(whole);
        }
        assertThat(whole.values()).hasSize(334);
    }
}
