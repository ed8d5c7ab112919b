package io.storageengine.ingest.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.transforms.Transform;
import org.apache.iceberg.transforms.Transforms;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Rows lie in the partition in which Iceberg looks for them.
class PartitionsTest {
    private static final List<String> TRANSFORMS =
            List.of("identity", "bucket[7]", "truncate[3]", "year", "month", "day", "hour", "void");

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("encode.seeds", 40));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyRowLiesInThePartitionThatIcebergComputes(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        RandomTable table = new RandomTable(random);
        Schema schema = table.schema(1 + random.nextInt(6), 2);
        PartitionSpec spec = spec(schema, random);
        Map<List<@Nullable Object>, List<@Nullable Object>> expected = new HashMap<>();
        StringBuilder ndjson = new StringBuilder();
        PartitionKey key = new PartitionKey(spec, schema);
        InternalRecordWrapper wrapper = new InternalRecordWrapper(schema.asStruct());
        for (int i = 0; i < 150; i++) {
            RandomTable.Sample row = table.row(schema);
            Record record = (Record) Objects.requireNonNull(row.value());
            key.partition(wrapper.wrap(record));
            expected.computeIfAbsent(spec.isPartitioned() ? values(key) : List.of(), _ -> new ArrayList<>())
                    .add(Canonical.of(record));
            ndjson.append(row.json()).append('\n');
        }
        ParquetFiles files = new ParquetFiles();

        List<DataFile> made = files.encode(schema, spec, Map.of(), ndjson.toString());

        Map<List<@Nullable Object>, List<@Nullable Object>> found = new HashMap<>();
        for (DataFile file : made) {
            for (Record row : files.read(schema, file)) {
                found.computeIfAbsent(values(file.partition()), _ -> new ArrayList<>())
                        .add(Canonical.of(row));
            }
        }
        assertThat(made).hasSameSizeAs(expected.keySet());
        assertThat(found).isEqualTo(expected);
    }

    private static PartitionSpec spec(Schema schema, SplittableRandom random) {
        PartitionSpec.Builder builder = PartitionSpec.builderFor(schema);
        int fields = 0;
        for (Types.NestedField source : sources(schema.asStruct(), new ArrayList<>())) {
            Transform<?, ?> transform = Transforms.fromString(TRANSFORMS.get(random.nextInt(TRANSFORMS.size())));
            if (transform.canTransform(source.type()) && fields < 3) {
                add(builder, schema.findColumnName(source.fieldId()), transform.toString(), "p" + fields++);
            }
        }
        return builder.build();
    }

    private static void add(PartitionSpec.Builder builder, String source, String transform, String name) {
        switch (transform) {
            case "identity" -> builder.identity(source, name);
            case "bucket[7]" -> builder.bucket(source, 7, name);
            case "truncate[3]" -> builder.truncate(source, 3, name);
            case "year" -> builder.year(source, name);
            case "month" -> builder.month(source, name);
            case "day" -> builder.day(source, name);
            case "hour" -> builder.hour(source, name);
            default -> builder.alwaysNull(source, name);
        }
    }

    /// Primitive fields that are reached through structs alone.
    private static List<Types.NestedField> sources(Types.StructType struct, List<Types.NestedField> found) {
        for (Types.NestedField field : struct.fields()) {
            if (field.type().isPrimitiveType()) {
                found.add(field);
            } else if (field.type().isStructType()) {
                sources(field.type().asStructType(), found);
            }
        }
        return found;
    }

    private static List<@Nullable Object> values(StructLike partition) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < partition.size(); i++) {
            values.add(Canonical.of(partition.get(i, Object.class)));
        }
        return values;
    }

    @Test
    void aRowFromBeforeAColumnWasAddedLiesWhereItsInitialDefaultBelongs() throws IOException {
        Schema before = new Schema(3, List.of(Types.NestedField.optional(1, "a", Types.LongType.get())));
        Types.NestedField added = Types.NestedField.optional("b")
                .withId(2)
                .ofType(Types.IntegerType.get())
                .withInitialDefault(org.apache.iceberg.expressions.Literal.of(5))
                .build();
        Schema now = new Schema(4, List.of(before.columns().get(0), added));
        PartitionSpec spec = PartitionSpec.builderFor(now).identity("b").build();
        ParquetFiles files = new ParquetFiles();

        List<DataFile> made = files.encode(before, spec, Map.of(), "{\"a\":1}\n{\"a\":2}\n");

        assertThat(made).hasSize(1);
        assertThat(values(made.get(0).partition())).containsExactly(5);
    }

    @Test
    void aColumnThatWasWidenedSinceGivesPartitionValuesOfTheWiderType() throws IOException {
        Schema before = new Schema(1, List.of(Types.NestedField.optional(1, "a", Types.IntegerType.get())));
        Type wide = Types.LongType.get();
        Schema now = new Schema(2, List.of(Types.NestedField.optional(1, "a", wide)));
        PartitionSpec spec = PartitionSpec.builderFor(now).identity("a").build();

        List<DataFile> made = new ParquetFiles().encode(before, spec, Map.of(), "{\"a\":7}\n");

        assertThat(values(made.get(0).partition())).containsExactly(7L);
    }
}
