package io.storageengine.ingest.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.message.RowOptions.OnError;
import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Values at the edges that must be taken, and what becomes of them.
class GoodValuesTest {
    /// Type of the column, JSON value, what Arrow then has.
    private static final String VALUES = """
            boolean | true | true
            boolean | false | false
            int | 2147483647 | 2147483647
            int | -2147483648 | -2147483648
            int | -0 | 0
            int | 1.0 | 1
            int | 1e3 | 1000
            int | 12.50e1 | 125
            int | 0e999999999 | 0
            long | 9223372036854775807 | 9223372036854775807
            long | -9223372036854775808 | -9223372036854775808
            long | 9007199254740993 | 9007199254740993
            long | 9007199254740993.0 | 9007199254740993
            long | 9.223372036854775807e18 | 9223372036854775807
            float | 3.4028235e38 | 3.4028235E38
            float | 1e-45 | 1.4E-45
            float | 0e-46 | 0.0
            float | 16777217 | 1.6777216E7
            float | "NaN" | NaN
            float | "-Infinity" | -Infinity
            double | 1.7976931348623157e308 | 1.7976931348623157E308
            double | 5e-324 | 4.9E-324
            double | 0e-400 | 0.0
            double | -0.000E-999 | -0.0
            double | 0.00000000000000000000000000e-400 | 0.0
            double | -0.0 | -0.0
            double | 9007199254740993 | 9.007199254740992E15
            double | 0.1 | 0.1
            double | 123456789012345678901234567890 | 1.2345678901234568E29
            double | "Infinity" | Infinity
            decimal(9,2) | 1234567.89 | 1234567.89
            decimal(9,2) | "-1234567.89" | -1234567.89
            decimal(9,2) | 1.500 | 1.50
            decimal(9,2) | 1e2 | 100.00
            decimal(9,2) | 0 | 0.00
            decimal(9,2) | 0e-999999 | 0.00
            decimal(38,10) | 1234567890123456789012345678.0123456789 | 1234567890123456789012345678.0123456789
            decimal(38,0) | -99999999999999999999999999999999999999 | -99999999999999999999999999999999999999
            date | "1970-01-01" | 0
            date | "1969-12-31" | -1
            date | "2024-02-29" | 19782
            date | "0001-01-01" | -719162
            date | "-0001-01-01" | -719893
            date | "+10000-01-01" | 2932897
            time | "00:00" | 0
            time | "23:59:59.999999" | 86399999999
            time | "12:00:00.1" | 43200100000
            time | "12:00:00.123456000" | 43200123456
            timestamp | "1969-12-31T23:59:59.999999" | 1969-12-31T23:59:59.999999
            timestamp | "2024-01-01 00:00:00" | 2024-01-01T00:00
            timestamp | "2024-01-01t00:00" | 2024-01-01T00:00
            timestamptz | "2024-01-01T00:00:00Z" | 1704067200000000
            timestamptz | "2024-01-01T01:00:00.000001+01:00" | 1704067200000001
            timestamptz | "2023-12-31T18:29:30-05:30:30" | 1704067200000000
            timestamptz | "2024-01-01T01:00:00+01" | 1704067200000000
            timestamptz | "2024-01-01T01:00:00+0100" | 1704067200000000
            timestamptz | "2024-01-01T00:00:00.123456000z" | 1704067200123456
            timestamptz | "+294247-01-10T04:00:54.775807Z" | 9223372036854775807
            timestamptz | "-290308-12-21T19:59:05.224192Z" | -9223372036854775808
            timestamptz_ns | "2262-04-11T23:47:16.854775807Z" | 9223372036854775807
            timestamptz_ns | "1677-09-21T00:12:43.145224192Z" | -9223372036854775808
            timestamptz_ns | "1970-01-01T00:00:00.000000001+00:00" | 1
            string | "" | \s
            string | "ünï😀" | ünï😀
            string | "\\u00fc\\ud83d\\ude00\\n\\/" | ü😀␤/
            string | 1.50 | 1.50
            string | true | true
            string | {"a": [1, "x"]} | {"a": [1, "x"]}
            string | [] | []
            unknown | null | null
            list | [] | []
            list | [1,null,3] | [1,null,3]
            list | null | null
            variant | null | null
            """;

    static Stream<Arguments> values() {
        return VALUES.lines().map(line -> {
            String[] parts = line.split(" \\| ?", -1);
            return Arguments.of(parts[0], parts[1], parts[2].strip().replace('␤', '\n'));
        });
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("values")
    void aValueAtTheEdgeIsTakenExactly(String type, String value, String expected) {
        Schema schema = Bodies.column(
                type.equals("list") ? Types.ListType.ofOptional(2, Types.LongType.get()) : Samples.type(type));

        Bodies.Read read = Bodies.ndjson(schema, OnError.REFUSE, "{\"c\":" + value + "}");

        assertThat(read.faults().first()).isEmpty();
        assertThat(read.values()).containsExactly(List.of(expected));
    }

    @Test
    void anAbsentFieldTakesItsWriteDefaultAndANullDoesNot() {
        Schema schema = new Schema(
                Types.NestedField.optional("a")
                        .withId(1)
                        .ofType(Types.LongType.get())
                        .withInitialDefault(Literal.of(1L))
                        .withWriteDefault(Literal.of(42L))
                        .build(),
                Types.NestedField.required("b")
                        .withId(2)
                        .ofType(Types.StringType.get())
                        .withInitialDefault(Literal.of("x"))
                        .withWriteDefault(Literal.of("dflt"))
                        .build());

        Bodies.Read read = Bodies.ndjson(schema, OnError.SKIP, "{}\n{\"a\":null,\"b\":\"y\"}\n{\"b\":null}\n");

        assertThat(read.values()).containsExactly(List.of("42", "dflt"), List.of("null", "y"));
        assertThat(read.faults().first()).extracting(RowFault::code).containsExactly("NullRequired");
    }
}
