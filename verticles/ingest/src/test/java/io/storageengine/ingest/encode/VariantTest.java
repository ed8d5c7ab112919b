package io.storageengine.ingest.encode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.variants.Variant;
import org.apache.iceberg.variants.VariantArray;
import org.apache.iceberg.variants.VariantObject;
import org.apache.iceberg.variants.VariantPrimitive;
import org.apache.iceberg.variants.VariantValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Any JSON value goes into a variant column and comes out of Iceberg's reader as the same value.
class VariantTest {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    private static final Schema SCHEMA = new Schema(
            Types.NestedField.required(1, "id", Types.LongType.get()),
            Types.NestedField.optional(2, "v", Types.VariantType.get()));

    static java.util.stream.LongStream seeds() {
        return java.util.stream.LongStream.range(0, 40);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void anyJsonValueComesOutAsItWentIn(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> values = new ArrayList<>(List.of(
                "9223372036854775807",
                "-9223372036854775808",
                "9223372036854775808",
                "99999999999999999999999999999999999999",
                "0.10",
                "1e3",
                "-1.5E-7",
                "true",
                "\"\"",
                "{}",
                "[]"));
        for (int i = 0; i < 100; i++) {
            values.add(value(random, 4));
        }
        StringBuilder ndjson = new StringBuilder();
        for (int i = 0; i < values.size(); i++) {
            ndjson.append("{\"id\":")
                    .append(i)
                    .append(",\"v\":")
                    .append(values.get(i))
                    .append("}\n");
        }
        ParquetFiles files = new ParquetFiles();

        List<DataFile> made = files.encode(SCHEMA, PartitionSpec.unpartitioned(), Map.of(), ndjson.toString());

        List<Record> read = files.read(SCHEMA, made.get(0));
        assertThat(read).hasSameSizeAs(values);
        for (int i = 0; i < values.size(); i++) {
            JsonNode expected = JSON.readTree(values.get(i));
            Object found = read.get(i).getField("v");
            if (expected.isNull()) {
                assertThat(found).isNull();
            } else {
                assertSame(((Variant) found).value(), expected);
            }
        }
    }

    private static void assertSame(VariantValue found, JsonNode expected) {
        if (expected.isObject()) {
            VariantObject object = found.asObject();
            assertThat(object.numFields()).isEqualTo(expected.size());
            expected.properties().forEach(field -> assertSame(object.get(field.getKey()), field.getValue()));
        } else if (expected.isArray()) {
            VariantArray array = found.asArray();
            assertThat(array.numElements()).isEqualTo(expected.size());
            for (int i = 0; i < expected.size(); i++) {
                assertSame(array.get(i), expected.get(i));
            }
        } else {
            assertSame(found.asPrimitive(), expected);
        }
    }

    private static void assertSame(VariantPrimitive<?> found, JsonNode expected) {
        Object value = found.get();
        if (expected.isNumber()) {
            BigDecimal number = new BigDecimal(value.toString());
            assertThat(number).isEqualByComparingTo(expected.decimalValue());
        } else if (expected.isNull()) {
            assertThat(value).isNull();
        } else {
            assertThat(value.toString()).isEqualTo(expected.asText());
        }
    }

    private static String value(SplittableRandom random, int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 6)) {
            case 0 -> "null";
            case 1 -> Boolean.toString(random.nextBoolean());
            case 2 -> Long.toString(random.nextLong() >> random.nextInt(64));
            case 3 -> BigDecimal.valueOf(random.nextLong(), random.nextInt(19)).toPlainString();
            case 4 -> Double.toString(random.nextInt(1000) / 8.0);
            case 5 -> "\"" + "ü".repeat(random.nextInt(80)) + "x\"";
            case 6 -> "[" + value(random, depth - 1) + "," + value(random, depth - 1) + "]";
            default ->
                "{\"z" + random.nextInt(9) + "\":" + value(random, depth - 1) + ",\"a\":" + value(random, depth - 1)
                        + "}";
        };
    }
}
