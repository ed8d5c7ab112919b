package io.storageengine.ingest.rows;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.storageengine.core.message.RowOptions.OnError;
import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The same rows give the same table, whatever the format they come in.
class BodyFormatsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /// Each type of Iceberg v3 that tables have, and values of it in JSON.
    private static final String TYPES = """
            boolean | true | false | null
            int | 2147483647 | -2147483648 | 0
            long | 9223372036854775807 | -9223372036854775808 | null
            float | 1.5 | "NaN" | -3.4028235e38
            double | 0.1 | "-Infinity" | -0.0
            decimal(9,2) | 1234567.89 | "-0.01" | null
            decimal(38,10) | 1234567890123456789012345678.0123456789 | 0 | -1
            date | "1969-12-31" | "2024-02-29" | "+10000-01-01"
            time | "23:59:59.999999" | "00:00" | null
            timestamp | "1969-12-31T23:59:59.999999" | "2024-01-01 00:00:00" | null
            timestamptz | "2024-01-01T01:00:00.000001+01:00" | "1960-01-01T00:00:00Z" | null
            timestamp_ns | "2262-04-11T23:47:16.854775807" | "1969-12-31T23:59:59.999999999" | null
            timestamptz_ns | "1677-09-21T00:12:43.145224192Z" | "1970-01-01T00:00:00.000000001+00:00" | null
            string | "" | "a \\"quoted\\", ünï😀\\ntext" | null
            uuid | "f79c3e09-677c-4bbd-a479-3f349cb785e7" | "F79C3E09-677C-4BBD-A479-3F349CB785E7" | null
            fixed[3] | "00ff7F" | "000000" | null
            binary | "00ff" | "" | null
            variant | {"a":[1,"x",null,1.50]} | 7 | ["text"]
            unknown | null | null | null
            list | [] | [1,null,3] | null
            struct | {"x":1,"y":"a"} | {} | null
            map | {"k":1,"":null} | {} | null
            longs | [[1,"a"],[2,null]] | [] | null
            deep | [{"m":{"a":["2024-01-01"]}},{}] | [null] | null
            """;

    static Stream<Arguments> types() {
        return TYPES.lines().map(line -> {
            String[] parts = line.split(" \\| ", -1);
            return Arguments.of(parts[0], List.of(parts[1], parts[2], parts[3]));
        });
    }

    static Stream<Arguments> edges() {
        return GoodValuesTest.values()
                .map(values -> Arguments.of(values.get()[0], List.of(values.get()[1].toString())));
    }

    private static Type type(String name) {
        return switch (name) {
            case "list" -> Types.ListType.ofOptional(2, Types.LongType.get());
            case "struct" -> struct("x", Types.IntegerType.get(), "y", Types.StringType.get());
            case "map" -> Types.MapType.ofOptional(2, 3, Types.StringType.get(), Types.LongType.get());
            case "longs" -> Types.MapType.ofOptional(2, 3, Types.LongType.get(), Types.StringType.get());
            case "deep" -> Types.ListType.ofOptional(2, deep());
            default -> Samples.type(name);
        };
    }

    private static Type struct(String first, Type firstType, String second, Type secondType) {
        return Types.StructType.of(
                Types.NestedField.optional(3, first, firstType), Types.NestedField.optional(4, second, secondType));
    }

    private static Type deep() {
        Type dates = Types.ListType.ofOptional(7, Types.DateType.get());
        Type map = Types.MapType.ofOptional(5, 6, Types.StringType.get(), dates);
        return Types.StructType.of(Types.NestedField.optional(4, "m", map));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource({"types", "edges"})
    void everyTypeIsTheSameInJsonAndCsv(String type, List<String> values) {
        Schema schema = schema(type(type));

        Bodies.Read json = Bodies.ndjson(schema, OnError.REFUSE, ndjson(values));
        Bodies.Read csv = Bodies.csv(schema, OnError.REFUSE, csv(values));

        assertThat(json.faults().first()).isEmpty();
        assertThat(csv.faults().first()).isEmpty();
        assertThat(csv.values()).isEqualTo(json.values()).hasSameSizeAs(values);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource({"types", "edges"})
    void everyTypeIsTheSameInJsonAndArrow(String type, List<String> values) {
        Schema schema = schema(type(type));

        Bodies.Read json = Bodies.ndjson(schema, OnError.REFUSE, ndjson(values));
        Bodies.Read arrow = Bodies.arrow(schema, OnError.REFUSE, ArrowBodies.ofJson(schema, ndjson(values)));

        assertThat(arrow.faults().first()).isEmpty();
        assertThat(arrow.values()).isEqualTo(json.values()).hasSameSizeAs(values);
    }

    @Test
    void everyTypeOfVersion3HasARow() {
        List<String> missing = Stream.of(Type.TypeID.values())
                .filter(id -> id != Type.TypeID.GEOMETRY && id != Type.TypeID.GEOGRAPHY)
                .filter(id ->
                        types().noneMatch(row -> type((String) row.get()[0]).typeId() == id))
                .map(Type.TypeID::name)
                .toList();

        assertThat(missing).isEmpty();
    }

    /// The column, and one beside it so that a row is never blank.
    private static Schema schema(Type type) {
        return new Schema(
                Types.NestedField.optional(1, "c", type), Types.NestedField.optional(99, "k", Types.LongType.get()));
    }

    private static String ndjson(List<String> values) {
        StringBuilder body = new StringBuilder();
        for (String value : values) {
            body.append("{\"c\":").append(value).append(",\"k\":1}\n");
        }
        return body.toString();
    }

    /// A JSON text as its characters, null as nothing, and what is neither as its JSON.
    private static String csv(List<String> values) {
        StringBuilder body = new StringBuilder("k,c\r\n");
        for (String value : values) {
            body.append("1,").append(cell(value)).append("\r\n");
        }
        return body.toString();
    }

    private static String cell(String value) {
        if (value.equals("null")) {
            return "";
        }
        try {
            JsonNode node = JSON.readTree(value);
            return "\"" + (node.isTextual() ? node.textValue() : value).replace("\"", "\"\"") + "\"";
        } catch (JsonProcessingException impossible) {
            throw new IllegalArgumentException(impossible);
        }
    }
}
