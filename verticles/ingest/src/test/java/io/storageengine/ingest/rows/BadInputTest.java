package io.storageengine.ingest.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.message.RowOptions.OnError;
import java.util.stream.Stream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What must be refused, and why.
class BadInputTest {
    /// Type of the column `c`, its JSON value, the code.
    private static final String VALUES = """
            boolean | 1 | WrongType
            boolean | 0 | WrongType
            boolean | "true" | WrongType
            boolean | [true] | WrongType
            boolean | tru | MalformedJson
            boolean | TRUE | MalformedJson
            boolean | falsey | MalformedJson
            int | "1" | WrongType
            int | true | WrongType
            int | {} | WrongType
            int | [] | WrongType
            int | 2147483648 | OutOfRange
            int | -2147483649 | OutOfRange
            int | 1e10 | OutOfRange
            int | 1e99999999 | OutOfRange
            int | 1.5 | TooPrecise
            int | 1e-1 | TooPrecise
            int | 1e-99999999 | TooPrecise
            int | 01 | MalformedJson
            int | -01 | MalformedJson
            int | - | MalformedJson
            int | +1 | MalformedJson
            int | 1. | MalformedJson
            int | .5 | MalformedJson
            int | 1e | MalformedJson
            int | 1e+ | MalformedJson
            int | 0x10 | MalformedJson
            int | 1_000 | MalformedJson
            int | 12abc | MalformedJson
            int | NaN | MalformedJson
            int | Infinity | MalformedJson
            int | -Infinity | MalformedJson
            long | 9223372036854775808 | OutOfRange
            long | -9223372036854775809 | OutOfRange
            long | 99999999999999999999999999 | OutOfRange
            long | 1e19 | OutOfRange
            long | 9007199254740993.5 | TooPrecise
            long | 0.1 | TooPrecise
            long | "9007199254740993" | WrongType
            long | "" | WrongType
            long | undefined | MalformedJson
            float | 3.5e38 | OutOfRange
            float | -3.5e38 | OutOfRange
            float | 1e39 | OutOfRange
            float | 1e999999 | OutOfRange
            float | 1e-46 | OutOfRange
            float | -0.00001e-50 | OutOfRange
            float | 1e-400 | OutOfRange
            float | "1.5" | WrongType
            float | "nan" | WrongType
            float | true | WrongType
            double | 1e309 | OutOfRange
            double | -1.8e308 | OutOfRange
            double | 1e999999999999 | OutOfRange
            double | 1e-400 | OutOfRange
            double | -1e-400 | OutOfRange
            double | 0.0000000000000000000000001e-400 | OutOfRange
            double | 1e-999999999999 | OutOfRange
            double | "1.5" | WrongType
            double | "inf" | WrongType
            double | "+Infinity" | WrongType
            double | [1] | WrongType
            double | nul | MalformedJson
            decimal(9,2) | 1.234 | TooPrecise
            decimal(9,2) | "1.234" | TooPrecise
            decimal(9,2) | 12345678.9 | OutOfRange
            decimal(9,2) | -12345678 | OutOfRange
            decimal(9,2) | "abc" | InvalidValue
            decimal(9,2) | "" | InvalidValue
            decimal(9,2) | "1,5" | InvalidValue
            decimal(9,2) | " 1" | InvalidValue
            decimal(9,2) | "1 " | InvalidValue
            decimal(9,2) | "NaN" | InvalidValue
            decimal(9,2) | true | WrongType
            decimal(9,2) | 1e-3 | TooPrecise
            decimal(9,2) | 1e50 | OutOfRange
            decimal(9,2) | 1e999999999 | OutOfRange
            decimal(9,2) | 1e-999999999 | TooPrecise
            decimal(38,10) | 12345678901234567890123456789 | OutOfRange
            decimal(38,10) | 0.12345678901 | TooPrecise
            decimal(18,0) | 0.5 | TooPrecise
            date | "2023-02-29" | InvalidValue
            date | "2024-02-30" | InvalidValue
            date | "1900-02-29" | InvalidValue
            date | "2024-13-01" | InvalidValue
            date | "2024-00-01" | InvalidValue
            date | "2024-01-00" | InvalidValue
            date | "2024-04-31" | InvalidValue
            date | "2024-1-1" | InvalidValue
            date | "24-01-01" | InvalidValue
            date | "20240101" | InvalidValue
            date | "2024-01-01T00:00:00" | InvalidValue
            date | "12024-01-01" | InvalidValue
            date | "+9999999-01-01" | OutOfRange
            date | "" | InvalidValue
            date | 19000 | WrongType
            time | "24:00:00" | InvalidValue
            time | "12:60:00" | InvalidValue
            time | "12:00:60" | InvalidValue
            time | "12" | InvalidValue
            time | "12:0:00" | InvalidValue
            time | "12:00:00." | InvalidValue
            time | "12:00:00.1234567" | TooPrecise
            time | "12:00:00Z" | ZoneUnexpected
            time | "12:00:00+01:00" | ZoneUnexpected
            time | 43200 | WrongType
            timestamp | "2024-01-01T00:00:00Z" | ZoneUnexpected
            timestamp | "2024-01-01T00:00:00+00:00" | ZoneUnexpected
            timestamp | "2024-01-01T00:00:00-05:00" | ZoneUnexpected
            timestamp | "2024-01-01" | InvalidValue
            timestamp | "2024-01-01T" | InvalidValue
            timestamp | "2024-01-01T00" | InvalidValue
            timestamp | "2024-01-01_00:00:00" | InvalidValue
            timestamp | "2024-01-01T00:00:00.1234567" | TooPrecise
            timestamp | "2024-01-01T00:00:00.000000001" | TooPrecise
            timestamp | "2024-01-01T25:00:00" | InvalidValue
            timestamp | "+294248-01-01T00:00:00" | OutOfRange
            timestamp | "-290309-01-01T00:00:00" | OutOfRange
            timestamp | 1700000000000 | WrongType
            timestamptz | "2024-01-01T00:00:00" | ZoneMissing
            timestamptz | "2024-01-01 00:00:00.5" | ZoneMissing
            timestamptz | "2024-01-01T00:00:00+24:00" | InvalidValue
            timestamptz | "2024-01-01T00:00:00+01:60" | InvalidValue
            timestamptz | "2024-01-01T00:00:00+1:00" | InvalidValue
            timestamptz | "2024-01-01T00:00:00+" | InvalidValue
            timestamptz | "2024-01-01T00:00:00ZZ" | InvalidValue
            timestamptz | "2024-01-01T00:00:00 Z" | InvalidValue
            timestamptz | "2024-01-01T00:00:00Europe/Berlin" | InvalidValue
            timestamptz | "2024-01-01T00:00:00.0000001Z" | TooPrecise
            timestamptz | "+999999999-01-01T00:00:00Z" | OutOfRange
            timestamptz | 1 | WrongType
            timestamp_ns | "2262-04-11T23:47:16.854775808" | OutOfRange
            timestamp_ns | "1677-09-21T00:12:43.145224191" | OutOfRange
            timestamp_ns | "2024-01-01T00:00:00.1234567891" | TooPrecise
            timestamp_ns | "2024-01-01T00:00:00Z" | ZoneUnexpected
            timestamptz_ns | "2024-01-01T00:00:00" | ZoneMissing
            timestamptz_ns | "3000-01-01T00:00:00Z" | OutOfRange
            string | "a\u0001b" | MalformedJson
            string | "\\x41" | MalformedJson
            string | "\\u12G4" | MalformedJson
            string | "\\ud800" | InvalidUtf8
            string | "\\ud800\\u0041" | InvalidUtf8
            string | "\\udc00" | InvalidUtf8
            string | "\\ud83dx" | InvalidUtf8
            string | 'a' | MalformedJson
            string | "a | MalformedJson
            string | [1,] | MalformedJson
            string | {"a":1,} | MalformedJson
            uuid | "f79c3e09-677c-4bbd-a479-3f349cb785e" | InvalidValue
            uuid | "f79c3e09677c4bbda4793f349cb785e7" | InvalidValue
            uuid | "f79c3e09-677c-4bbd-a479-3f349cb785eg" | InvalidValue
            uuid | "{f79c3e09-677c-4bbd-a479-3f349cb785e}" | InvalidValue
            uuid | 1 | WrongType
            fixed[3] | "0102" | WrongLength
            fixed[3] | "01020304" | WrongLength
            fixed[3] | "01020" | InvalidValue
            fixed[3] | "01020g" | InvalidValue
            fixed[3] | [1,2,3] | WrongType
            binary | "0" | InvalidValue
            binary | "zz" | InvalidValue
            binary | "0x00" | InvalidValue
            binary | 7 | WrongType
            unknown | 1 | WrongType
            unknown | "x" | WrongType
            variant | {"a":1,"a":2} | DuplicateKey
            variant | {"a":1,"\\u0061":2} | DuplicateKey
            variant | 1e400 | OutOfRange
            variant | 1e-400 | OutOfRange
            variant | 123456789012345678901234567890123456789 | OutOfRange
            variant | [1 2] | MalformedJson
            variant | {"a" 1} | MalformedJson
            variant | {1:2} | MalformedJson
            variant | {"a":} | MalformedJson
            """;

    static Stream<Arguments> values() {
        return VALUES.lines().map(line -> {
            String[] parts = line.split(" \\| ", -1);
            return Arguments.of(parts[0], parts[1], parts[2]);
        });
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("values")
    void aValueThatDoesNotFitIsRefusedAndCostsNoOtherRow(String type, String value, String code) {
        Schema schema = Bodies.column(Samples.type(type));
        String body = "{\"c\":null}\n{\"c\":" + value + "}\n{\"c\":null}\n";

        Bodies.Read read = Bodies.ndjson(schema, OnError.SKIP, body);

        assertThat(read.faults().first()).extracting(RowFault::code).containsExactly(code);
        assertThat(read.faults().first()).extracting(RowFault::row).containsExactly(1L);
        assertThat(read.values()).hasSize(2);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("values")
    void refusingKeepsNothingOfTheBody(String type, String value, String code) {
        Schema schema = Bodies.column(Samples.type(type));

        Bodies.Read read = Bodies.ndjson(schema, OnError.REFUSE, "{\"c\":null}\n{\"c\":" + value + "}\n{}\n");

        assertThat(read.values()).isEmpty();
        assertThat(read.faults().first()).extracting(RowFault::code).containsExactly(code);
    }

    /// Rows of the schema of [#nested], the field at fault, the code.
    private static final String ROWS = """
            {} | id | MissingRequired
            {"id":null} | id | NullRequired
            {"id":1,"x":2} | x | UnknownField
            {"id":1,"ID":2} | ID | UnknownField
            {"id":1,"":2} |  | UnknownField
            {"id":1,"id":2} | id | DuplicateKey
            {"id":1,"\\u0069d":2} | id | DuplicateKey
            {"id":1,"p":{"a":1,"b":"x","c":3}} | p.c | UnknownField
            {"id":1,"p":{"b":"x"}} | p.a | MissingRequired
            {"id":1,"p":{"a":null}} | p.a | NullRequired
            {"id":1,"p":{"a":1,"a":1}} | p.a | DuplicateKey
            {"id":1,"p":[]} | p | WrongType
            {"id":1,"p":"x"} | p | WrongType
            {"id":1,"l":{}} | l | WrongType
            {"id":1,"l":[1,null]} | l.element | NullRequired
            {"id":1,"l":[1,"a"]} | l.element | WrongType
            {"id":1,"l":[[1]]} | l.element | WrongType
            {"id":1,"l":[1,]} | l.element | MalformedJson
            {"id":1,"l":[1 | l | MalformedJson
            {"id":1,"m":[]} |  | ok
            {"id":1,"m":{"k":"x"}} | m.value | WrongType
            {"id":1,"m":{"k":1,"k":2}} | m | DuplicateKey
            {"id":1,"m":[["k",1],["k",2]]} | m | DuplicateKey
            {"id":1,"m":[["k"]]} | m | WrongType
            {"id":1,"m":[["k",1,2]]} | m | WrongType
            {"id":1,"m":[[null,1]]} | m.key | NullRequired
            {"id":1,"m":["k"]} | m | WrongType
            {"id":1,"n":{"1":2}} | n | WrongType
            {"id":1,"n":{"keys":[1]}} | n | WrongType
            {"id":1,"n":{"keys":[1],"values":[]}} | n | WrongLength
            {"id":1,"n":{"keys":[1],"keys":[1]}} | n | WrongType
            {"id":1,"n":{"keys":[1,1],"values":[1,2]}} | n | DuplicateKey
            {"id":1,"n":{"keys":1,"values":[1]}} | n | WrongType
            {"id":1,"n":{"keys":["a"],"values":[1]}} | n.key | WrongType
            {"id":1,"n":7} | n | WrongType
            [] |  | NotAnObject
            [{"id":1}] |  | NotAnObject
            1 |  | MalformedJson
            1 2 |  | NotAnObject
            "id" |  | NotAnObject
            null |  | NotAnObject
            x |  | MalformedJson
            { |  | MalformedJson
            {"id" |  | MalformedJson
            {"id": |  | MalformedJson
            {"id":1 |  | MalformedJson
            {"id":1} x |  | MalformedJson
            {"id":1}{"id":2} |  | MalformedJson
            {"id":1},{"id":2} |  | MalformedJson
            {"id":1,} |  | MalformedJson
            {,"id":1} |  | MalformedJson
            {"id"=1} |  | MalformedJson
            {id:1} |  | MalformedJson
            {'id':1} |  | MalformedJson
            {"id":1 "p":null} | id | MalformedJson
            // {"id":1} |  | MalformedJson
            """;

    private static Schema nested() {
        return new Schema(
                Types.NestedField.required(1, "id", Types.LongType.get()),
                Types.NestedField.optional(
                        2,
                        "p",
                        Types.StructType.of(
                                Types.NestedField.required(3, "a", Types.IntegerType.get()),
                                Types.NestedField.optional(4, "b", Types.StringType.get()))),
                Types.NestedField.optional(5, "l", Types.ListType.ofRequired(6, Types.LongType.get())),
                Types.NestedField.optional(
                        7, "m", Types.MapType.ofOptional(8, 9, Types.StringType.get(), Types.LongType.get())),
                Types.NestedField.optional(
                        10, "n", Types.MapType.ofOptional(11, 12, Types.LongType.get(), Types.LongType.get())));
    }

    static Stream<Arguments> rows() {
        return ROWS.lines().map(line -> {
            String[] parts = line.split(" \\| ?", -1);
            return Arguments.of(parts[0], parts[1].strip(), parts[2]);
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void aRowThatDoesNotFitNamesTheFieldAtFault(String row, String field, String code) {
        Bodies.Read read = Bodies.ndjson(nested(), OnError.SKIP, "{\"id\":7}\n" + row + "\n{\"id\":8}\n");

        if (code.equals("ok")) {
            assertThat(read.faults().rows()).isZero();
            return;
        }
        assertThat(read.faults().first()).extracting(RowFault::code).containsExactly(code);
        if (!code.equals("MalformedJson")) {
            assertThat(read.faults().first()).extracting(RowFault::field).containsExactly(field);
        }
        assertThat(read.values()).extracting(values -> values.get(0)).containsExactly("7", "8");
    }

    @ParameterizedTest
    @MethodSource("types")
    void theTypeOfASampleIsKnown(Type type) {
        assertThat(RowTypes.refusal(Bodies.column(type))).isEmpty();
    }

    static Stream<Type> types() {
        return VALUES.lines()
                .map(line -> line.substring(0, line.indexOf(' ')))
                .filter(name -> !name.equals("unknown"))
                .distinct()
                .map(Samples::type);
    }
}
