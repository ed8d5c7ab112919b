package io.storageengine.ingest.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.ingest.encode.RandomTable.Sample;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.inmemory.InMemoryOutputFile;
import org.apache.iceberg.io.FileAppender;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.parquet.ParquetUtil;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Random rows of random schemas go in as JSON and come out of Iceberg's own reader; metrics are those that
/// Iceberg's own writer makes of the same rows.
class RoundTripTest {
    static java.util.stream.LongStream seeds() {
        return java.util.stream.LongStream.range(0, Long.getLong("encode.seeds", 40));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatGoesInComesOut(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        RandomTable table = new RandomTable(random);
        Schema schema = table.schema(1 + random.nextInt(8), random.nextInt(4));
        List<Record> expected = new ArrayList<>();
        StringBuilder ndjson = new StringBuilder();
        for (int i = 1 + random.nextInt(400); i > 0; i--) {
            Sample row = table.row(schema);
            expected.add((Record) java.util.Objects.requireNonNull(row.value()));
            ndjson.append(row.json()).append('\n');
        }
        Map<String, String> properties = properties(random);
        ParquetFiles files = new ParquetFiles();

        List<DataFile> made = files.encode(schema, PartitionSpec.unpartitioned(), properties, ndjson.toString());

        List<@Nullable Object> read = new ArrayList<>();
        for (DataFile file : made) {
            files.read(schema, file).forEach(row -> read.add(Canonical.of(row)));
        }
        assertThat(read).isEqualTo(expected.stream().map(Canonical::of).toList());
        if (made.size() == 1) {
            assertMetrics(schema, properties, expected, made.get(0), files);
        }
    }

    private static Map<String, String> properties(SplittableRandom random) {
        Map<String, String> properties = new HashMap<>();
        String[] codecs = {"zstd", "snappy", "gzip", "uncompressed"};
        properties.put("write.parquet.compression-codec", codecs[random.nextInt(4)]);
        if (random.nextInt(3) == 0) {
            properties.put("write.parquet.page-row-limit", "7");
            properties.put("write.parquet.row-group-size-bytes", "3000");
        }
        if (random.nextInt(4) == 0) {
            properties.put("write.target-file-size-bytes", "5000");
        }
        if (random.nextInt(4) == 0) {
            properties.put("write.parquet.page-version", "v2");
        }
        String[] modes = {"truncate(16)", "truncate(3)", "full", "counts", "none"};
        properties.put("write.metadata.metrics.default", modes[random.nextInt(5)]);
        return properties;
    }

    private static void assertMetrics(
            Schema schema, Map<String, String> properties, List<Record> rows, DataFile made, ParquetFiles files)
            throws IOException {
        MetricsConfig config = MetricsConfig.from(properties, schema, org.apache.iceberg.SortOrder.unsorted());
        Metrics theirs = icebergMetrics(schema, config, rows);
        Set<Integer> floats = floats(schema.asStruct(), new HashSet<>());
        Set<Integer> nested = nestedFloats(schema);

        assertThat(made.recordCount()).isEqualTo(rows.size());
        assertThat(made.fileSizeInBytes()).isEqualTo(files.input(made).getLength());
        assertThat(without(made.valueCounts(), nested)).isEqualTo(without(theirs.valueCounts(), nested));
        assertThat(without(made.nullValueCounts(), nested)).isEqualTo(without(theirs.nullValueCounts(), nested));
        assertThat(made.nanValueCounts()).isEqualTo(theirs.nanValueCounts());
        assertThat(bounds(schema, made.lowerBounds())).isEqualTo(bounds(schema, theirs.lowerBounds()));
        assertThat(bounds(schema, made.upperBounds())).isEqualTo(bounds(schema, theirs.upperBounds()));
        assertThat(made.columnSizes().keySet()).isEqualTo(theirs.columnSizes().keySet());

        Metrics fromFile = ParquetUtil.fileMetrics(files.input(made), renamed(config, schema));
        assertThat(without(made.lowerBounds(), floats)).isEqualTo(without(fromFile.lowerBounds(), floats));
        assertThat(without(made.upperBounds(), floats)).isEqualTo(without(fromFile.upperBounds(), floats));
        assertThat(made.valueCounts()).isEqualTo(fromFile.valueCounts());
        assertThat(made.nullValueCounts()).isEqualTo(fromFile.nullValueCounts());
        assertThat(made.columnSizes()).isEqualTo(fromFile.columnSizes());
    }

    /// One mode for all columns, whatever they are called.
    private static MetricsConfig renamed(MetricsConfig config, Schema schema) {
        String mode = config.columnMode(schema.columns().get(0).name()).toString();
        return MetricsConfig.from(Map.of("write.metadata.metrics.default", mode), null, null);
    }

    private static Metrics icebergMetrics(Schema schema, MetricsConfig config, List<Record> rows) throws IOException {
        FileAppender<Record> appender = Parquet.write(new InMemoryOutputFile("theirs"))
                .schema(schema)
                .createWriterFunc(inFile -> GenericParquetWriter.create(schema, inFile))
                .metricsConfig(config)
                .build();
        try (appender) {
            appender.addAll(rows);
        }
        return appender.metrics();
    }

    /// Bounds as values; a zero has no sign, since ours are widened.
    private static Map<Integer, Object> bounds(Schema schema, @Nullable Map<Integer, ByteBuffer> bounds) {
        Map<Integer, Object> values = new HashMap<>();
        if (bounds != null) {
            bounds.forEach((id, bytes) -> {
                Object value = Conversions.fromByteBuffer(schema.findType(id), bytes);
                values.put(id, value.equals(-0.0) ? 0.0 : value.equals(-0.0f) ? 0.0f : value);
            });
        }
        return values;
    }

    private static <V> Map<Integer, V> without(@Nullable Map<Integer, V> map, Set<Integer> ids) {
        Map<Integer, V> copy = map == null ? new HashMap<>() : new HashMap<>(map);
        copy.keySet().removeAll(ids);
        return copy;
    }

    private static Set<Integer> floats(Types.StructType struct, Set<Integer> found) {
        for (Types.NestedField field : struct.fields()) {
            if (field.type().typeId() == Type.TypeID.FLOAT || field.type().typeId() == Type.TypeID.DOUBLE) {
                found.add(field.fieldId());
            } else if (field.type().isStructType()) {
                floats(field.type().asStructType(), found);
            }
        }
        return found;
    }

    /// Iceberg's writer does not count the nulls that a null struct means for floats inside it; footers do.
    private static Set<Integer> nestedFloats(Schema schema) {
        Set<Integer> found = floats(schema.asStruct(), new HashSet<>());
        schema.columns().forEach(column -> found.remove(column.fieldId()));
        return found;
    }
}
