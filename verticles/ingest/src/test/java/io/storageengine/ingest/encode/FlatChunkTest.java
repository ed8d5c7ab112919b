package io.storageengine.ingest.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.message.RowOptions.Format;
import io.storageengine.core.message.RowOptions.OnError;
import io.storageengine.ingest.rows.JsonRows;
import io.storageengine.ingest.rows.RowBatch;
import io.storageengine.ingest.rows.RowLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.inmemory.InMemoryOutputFile;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.BoundaryOrder;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Our pages hold what parquet-java's own column writer makes of the same rows: values, statistics of chunks
/// and pages, and where pages begin.
class FlatChunkTest {
    private static final int ROWS_MAX = 3_000;

    static java.util.stream.LongStream seeds() {
        return java.util.stream.LongStream.range(0, Long.getLong("encode.seeds", 60));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void pagesAreThoseOfParquetJava(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        Schema schema = schema(random);
        String rows = rows(random, schema);
        Map<String, String> properties = new HashMap<>();
        properties.put("write.parquet.page-row-limit", new String[] {"100", "150", "1000", "20000"}[random.nextInt(4)]);
        properties.put(
                "write.parquet.dict-size-bytes", new String[] {"1", "900", "30000", "2097152"}[random.nextInt(4)]);

        Made ours = write(schema, properties, rows, ColumnChunk::quickest);
        Made theirs = write(schema, properties, rows, WovenChunk::new);

        assertThat(ours.rows()).isEqualTo(theirs.rows());
        assertThat(ours.metrics()).isEqualTo(theirs.metrics());
        assertThat(ours.chunks().stream().map(Chunk::statistics).toList())
                .isEqualTo(theirs.chunks().stream().map(Chunk::statistics).toList());
        assertThat(ours.chunks().stream().map(Chunk::pages).toList())
                .isEqualTo(theirs.chunks().stream().map(Chunk::pages).toList());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void pagesCutBySizeHoldTheSameRows(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        Schema schema = schema(random);
        String rows = rows(random, schema);
        Map<String, String> properties =
                Map.of("write.parquet.page-size-bytes", new String[] {"1", "200", "3000"}[random.nextInt(3)]);

        Made ours = write(schema, properties, rows, ColumnChunk::quickest);
        Made theirs = write(schema, properties, rows, WovenChunk::new);

        assertThat(ours.rows()).isEqualTo(theirs.rows());
        assertThat(ours.metrics()).isEqualTo(theirs.metrics());
        assertThat(ours.chunks().stream().map(Chunk::statistics).toList())
                .isEqualTo(theirs.chunks().stream().map(Chunk::statistics).toList());
    }

    @Test
    void aDictionaryIsLeftInTheMiddleOfAChunkWhenItGrowsTooLarge() throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
            rows.append("{\"c\":\"").append(i < 1_000 ? i % 3 : i).append("\"}\n");
        }
        Schema schema = new Schema(Types.NestedField.optional(1, "c", Types.StringType.get()));
        Map<String, String> properties =
                Map.of("write.parquet.page-row-limit", "500", "write.parquet.dict-size-bytes", "100");

        Made ours = write(schema, properties, rows.toString(), ColumnChunk::quickest);

        assertThat(ours.chunks().get(0).encodings()).contains("PLAIN_DICTIONARY", "PLAIN");
        assertThat(ours).isEqualTo(write(schema, properties, rows.toString(), WovenChunk::new));
    }

    @Test
    void aPageWithoutValuesDoesNotDecideAboutTheDictionary() throws IOException {
        StringBuilder rows = new StringBuilder("{\"c\":null}\n".repeat(100));
        for (int i = 0; i < 300; i++) {
            rows.append("{\"c\":\"value ").append(i % 3).append("\"}\n");
        }
        Schema schema = new Schema(Types.NestedField.optional(1, "c", Types.StringType.get()));

        Made ours =
                write(schema, Map.of("write.parquet.page-row-limit", "100"), rows.toString(), ColumnChunk::quickest);

        assertThat(ours.chunks().get(0).encodings()).contains("PLAIN_DICTIONARY");
        assertThat(ours.rows()).hasSize(400).last().isEqualTo(Canonical.of(record(schema, "value 2")));
    }

    private static Record record(Schema schema, String value) {
        Record record = GenericRecord.create(schema);
        record.set(0, value);
        return record;
    }

    /// A file and what its footer says.
    private record Made(List<@Nullable Object> rows, Map<String, Object> metrics, List<Chunk> chunks) {}

    private record Chunk(Statistics<?> statistics, List<Page> pages, List<String> encodings) {}

    private record Page(
            long firstRow, ByteBuffer lower, ByteBuffer upper, long nulls, boolean isNull, BoundaryOrder order) {}

    private static Schema schema(SplittableRandom random) {
        Type[] types = {
            Types.BooleanType.get(),
            Types.IntegerType.get(),
            Types.LongType.get(),
            Types.FloatType.get(),
            Types.DoubleType.get(),
            Types.StringType.get(),
            Types.BinaryType.get(),
            Types.DateType.get(),
            Types.DecimalType.of(9, 2),
            Types.DecimalType.of(18, 3),
            Types.DecimalType.of(25, 3),
            Types.StructType.of(
                    Types.NestedField.optional(101, "x", Types.StringType.get()),
                    Types.NestedField.required(102, "y", Types.DoubleType.get())),
        };
        List<Types.NestedField> fields = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int kind = random.nextInt(types.length - (i == 0 ? 0 : 1));
            boolean optional = random.nextInt(3) > 0;
            fields.add(
                    optional
                            ? Types.NestedField.optional(i + 1, "c" + i, types[kind])
                            : Types.NestedField.required(i + 1, "c" + i, types[kind]));
        }
        return new Schema(fields);
    }

    /// Rows whose columns have few or many different values, runs of them and stretches of nulls.
    private static String rows(SplittableRandom random, Schema schema) {
        StringBuilder rows = new StringBuilder();
        int count = 1 + random.nextInt(ROWS_MAX);
        int distinct = 1 << random.nextInt(13);
        int run = 1 << random.nextInt(6);
        int nulls = random.nextInt(3);
        for (int row = 0; row < count; row++) {
            rows.append('{');
            for (Types.NestedField field : schema.columns()) {
                int value = run > 4 ? row / run % distinct : random.nextInt(distinct);
                boolean isNull = nulls == 1 ? random.nextInt(4) == 0 : nulls == 2 && row / 120 % 2 == 0;
                rows.append('"').append(field.name()).append("\":");
                rows.append(isNull && field.isOptional() ? "null" : json(field.type(), value));
                rows.append(field.equals(schema.columns().getLast()) ? "}\n" : ",");
            }
        }
        return rows.toString();
    }

    private static String json(Type type, int value) {
        return switch (type.typeId()) {
            case BOOLEAN -> Boolean.toString(value % 3 == 0);
            case INTEGER -> Integer.toString((value - 100) * 1_000_003);
            case LONG -> Long.toString((value - 50L) * 1_000_000_000_039L);
            case FLOAT, DOUBLE -> floating(value);
            case DECIMAL -> (value - 9) + "." + value % 100 / 10 + value % 10;
            case DATE -> "\"" + LocalDate.ofEpochDay(value * 11L - 9_000) + "\"";
            case STRING -> "\"" + text(value) + "\"";
            case BINARY -> "\"" + "ff".repeat(value % 90) + HexFormat.of().toHexDigits((byte) value) + "\"";
            case STRUCT ->
                value % 5 == 0 ? "{\"y\":1}" : "{\"x\":\"" + text(value) + "\",\"y\":" + floating(value) + "}";
            default -> throw new AssertionError(type.toString());
        };
    }

    private static String floating(int value) {
        return switch (value % 8) {
            case 0 -> "\"NaN\"";
            case 1 -> "-0.0";
            case 2 -> "0.0";
            case 3 -> value % 16 == 3 ? "\"Infinity\"" : "\"-Infinity\"";
            default -> Double.toString((value - 40) / 7.0);
        };
    }

    private static String text(int value) {
        return switch (value % 7) {
            case 0 -> "";
            case 1 -> "the same beginning, longer than a bound " + value;
            case 2 -> "\uDBFF\uDFFF".repeat(value % 30) + value;
            case 3 -> "x".repeat(value % 500);
            default -> Integer.toString(value * 31);
        };
    }

    private static Made write(Schema schema, Map<String, String> properties, String ndjson, ColumnChunk.Maker maker)
            throws IOException {
        InMemoryOutputFile file = new InMemoryOutputFile("one");
        FileLayout layout = FileLayout.of(schema, SortOrder.unsorted(), properties);
        List<RowBatch> batches = new ArrayList<>();
        try (BufferAllocator allocator = new RootAllocator();
                PageCompressor compressor = PageCompressor.of(WriteSettings.Codec.ZSTD, 1)) {
            JsonRows rows = JsonRows.open(
                    new ByteArrayInputStream(ndjson.getBytes(StandardCharsets.UTF_8)),
                    Format.NDJSON,
                    OnError.REFUSE,
                    schema,
                    RowLimits.DEFAULT,
                    allocator,
                    _ -> {});
            for (RowBatch batch = rows.next(700, 1 << 20); batch != null; batch = rows.next(700, 1 << 20)) {
                batches.add(batch);
            }
            assertThat(rows.faults().first()).isEmpty();
            List<Selection> all = batches.stream().map(Selection::all).toList();
            DataFileWriter.Written written = new DataFileWriter(layout, compressor, maker).write(file, List.of(all));
            batches.forEach(RowBatch::close);
            return new Made(read(schema, file), metrics(written), chunks(file));
        }
    }

    private static Map<String, Object> metrics(DataFileWriter.Written written) {
        Metrics metrics = written.metrics();
        return Map.of(
                "values", metrics.valueCounts(),
                "nulls", metrics.nullValueCounts(),
                "nans", metrics.nanValueCounts(),
                "lower", metrics.lowerBounds(),
                "upper", metrics.upperBounds());
    }

    private static List<@Nullable Object> read(Schema schema, InMemoryOutputFile file) throws IOException {
        List<@Nullable Object> rows = new ArrayList<>();
        ParquetFiles.read(schema, file.toInputFile()).forEach(row -> rows.add(Canonical.of(row)));
        return rows;
    }

    private static List<Chunk> chunks(InMemoryOutputFile file) throws IOException {
        List<Chunk> chunks = new ArrayList<>();
        try (ParquetFileReader reader = ParquetFileReader.open(new ParquetInput(file.toInputFile()))) {
            for (BlockMetaData group : reader.getFooter().getBlocks()) {
                for (ColumnChunkMetaData chunk : group.getColumns()) {
                    List<String> encodings = chunk.getEncodings().stream()
                            .map(Enum::name)
                            .sorted()
                            .toList();
                    chunks.add(new Chunk(chunk.getStatistics(), pages(reader, chunk), encodings));
                }
            }
        }
        return chunks;
    }

    /// Nothing for a chunk whose bounds cannot be told by page.
    private static List<Page> pages(ParquetFileReader reader, ColumnChunkMetaData chunk) throws IOException {
        ColumnIndex bounds = reader.readColumnIndex(chunk);
        OffsetIndex places = reader.readOffsetIndex(chunk);
        List<Page> pages = new ArrayList<>();
        for (int i = 0; bounds != null && i < places.getPageCount(); i++) {
            pages.add(new Page(
                    places.getFirstRowIndex(i),
                    bounds.getMinValues().get(i),
                    bounds.getMaxValues().get(i),
                    bounds.getNullCounts().get(i),
                    bounds.getNullPages().get(i),
                    bounds.getBoundaryOrder()));
        }
        return pages;
    }
}
