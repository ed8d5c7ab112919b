package io.storageengine.ingest.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.junit.jupiter.api.Test;

/// What a table's properties ask of its files.
class ParquetEncoderTest {
    private static final PartitionSpec FLAT = PartitionSpec.unpartitioned();

    private static Schema column(org.apache.iceberg.types.Type type) {
        return new Schema(Types.NestedField.optional(1, "c", type));
    }

    private static String rows(String... values) {
        StringBuilder rows = new StringBuilder();
        for (String value : values) {
            rows.append("{\"c\":").append(value).append("}\n");
        }
        return rows.toString();
    }

    private static DataFile one(ParquetFiles files, Schema schema, Map<String, String> properties, String rows)
            throws IOException {
        return files.encode(schema, FLAT, properties, rows).get(0);
    }

    private static Object bound(Schema schema, Map<Integer, ByteBuffer> bounds) {
        return Conversions.fromByteBuffer(schema.findType(1), bounds.get(1)).toString();
    }

    @Test
    void textBoundsAreCutToWholeCharactersAndStillBound() throws IOException {
        Schema schema = column(Types.StringType.get());
        String long1 = "a".repeat(20);
        String long2 = "zz😀" + "\uDBFF\uDFFF".repeat(30);

        DataFile file =
                one(new ParquetFiles(), schema, Map.of(), rows("\"" + long1 + "\"", "\"" + long2 + "\"", "null"));

        assertThat(bound(schema, file.lowerBounds())).isEqualTo("a".repeat(16));
        assertThat(bound(schema, file.upperBounds())).isEqualTo("zz\uD83D\uDE01");
        assertThat(file.nullValueCounts()).containsEntry(1, 1L);
    }

    @Test
    void notANumberIsCountedAndNeverABound() throws IOException {
        Schema schema = column(Types.DoubleType.get());

        DataFile mixed = one(new ParquetFiles(), schema, Map.of(), rows("\"NaN\"", "1.5", "-2", "null", "\"NaN\""));
        DataFile all = one(new ParquetFiles(), schema, Map.of(), rows("\"NaN\"", "null"));
        DataFile zeros = one(new ParquetFiles(), schema, Map.of(), rows("0.0", "-0.0"));
        DataFile zero = one(new ParquetFiles(), schema, Map.of(), rows("0.0"));

        assertThat(mixed.nanValueCounts()).containsEntry(1, 2L);
        assertThat(bound(schema, mixed.lowerBounds())).isEqualTo("-2.0");
        assertThat(bound(schema, mixed.upperBounds())).isEqualTo("1.5");
        assertThat(all.nanValueCounts()).containsEntry(1, 1L);
        assertThat(all.nullValueCounts()).containsEntry(1, 1L);
        assertThat(all.lowerBounds()).isEmpty();
        for (DataFile file : List.of(zero, zeros)) {
            assertThat(bound(schema, file.lowerBounds())).isEqualTo("-0.0");
            assertThat(bound(schema, file.upperBounds())).isEqualTo("0.0");
        }
    }

    @Test
    void aColumnOfNullsHasCountsAndNoBounds() throws IOException {
        DataFile file = one(new ParquetFiles(), column(Types.StringType.get()), Map.of(), rows("null", "null"));

        assertThat(file.valueCounts()).containsEntry(1, 2L);
        assertThat(file.nullValueCounts()).containsEntry(1, 2L);
        assertThat(file.lowerBounds()).isEmpty();
    }

    @Test
    void metricsOfAColumnAreAskedForByItsNameInTheTable() throws IOException {
        Schema schema = new Schema(
                Types.NestedField.optional(1, "c", Types.StringType.get()),
                Types.NestedField.optional(2, "odd name", Types.StringType.get()));
        Map<String, String> properties = Map.of("write.metadata.metrics.column.odd name", "none");

        DataFile file = one(new ParquetFiles(), schema, properties, "{\"c\":\"x\",\"odd name\":\"y\"}\n");

        assertThat(file.lowerBounds()).containsOnlyKeys(1);
        assertThat(file.valueCounts()).containsOnlyKeys(1);
    }

    @Test
    void largeFilesAndRowGroupsAreCut() throws IOException {
        Schema schema = column(Types.LongType.get());
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 10_000; i++) {
            rows.append("{\"c\":").append(i).append("}\n");
        }
        Map<String, String> properties =
                Map.of("write.target-file-size-bytes", "41000", "write.parquet.row-group-size-bytes", "21000");
        ParquetFiles files = new ParquetFiles();

        List<DataFile> made = files.encode(schema, FLAT, properties, rows.toString());

        assertThat(made).hasSize(2).allSatisfy(file -> {
            assertThat(file.recordCount()).isEqualTo(5_000);
            assertThat(file.splitOffsets()).hasSize(2);
        });
        assertThat(footer(files, made.get(0)).getBlocks()).hasSize(2);
    }

    @Test
    void filesMadeAtOnceKeepTheirOwnEncodings() throws Exception {
        Schema schema = column(Types.StringType.get());
        String[] values = new String[2_000];
        java.util.Arrays.setAll(values, i -> "\"value " + i % 5 + "\"");
        String rows = rows(values);
        List<Callable<Boolean>> tasks = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            boolean dictionary = i % 2 == 0;
            Map<String, String> properties =
                    Map.of("write.parquet.dict-encoding-enabled.column.c", Boolean.toString(dictionary));
            tasks.add(() -> usesDictionary(schema, properties, rows) == dictionary);
        }
        try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
            for (Future<Boolean> right : pool.invokeAll(tasks)) {
                assertThat(right.get()).isTrue();
            }
        }
    }

    private static boolean usesDictionary(Schema schema, Map<String, String> properties, String rows)
            throws IOException {
        ParquetFiles files = new ParquetFiles();
        DataFile file = one(files, schema, properties, rows);
        return footer(files, file).getBlocks().get(0).getColumns().get(0).getEncodings().stream()
                .anyMatch(Encoding::usesDictionary);
    }

    @Test
    void aBloomFilterIsWrittenWhereItIsAskedFor() throws IOException {
        ParquetFiles files = new ParquetFiles();
        Map<String, String> properties = Map.of("write.parquet.bloom-filter-enabled.column.c", "true");

        DataFile file = one(files, column(Types.LongType.get()), properties, rows("1", "2"));

        assertThat(footer(files, file).getBlocks().get(0).getColumns().get(0).getBloomFilterOffset())
                .isPositive();
    }

    @Test
    void whatCannotBeHonouredIsRefusedWithWhatToDo() {
        Schema schema = column(Types.LongType.get());
        assertThat(ParquetEncoder.refusal(schema, FLAT, Map.of())).isEmpty();
        assertThat(ParquetEncoder.refusal(schema, FLAT, Map.of("write.parquet.compression-codec", "lz4")))
                .hasValueSatisfying(text -> assertThat(text).contains("set it to zstd"));
        assertThat(ParquetEncoder.refusal(schema, FLAT, Map.of("write.parquet.row-group-size-bytes", "big")))
                .isPresent();
        Schema twins = new Schema(
                Types.NestedField.optional(1, "a-b", Types.LongType.get()),
                Types.NestedField.optional(2, "a_x2Db", Types.LongType.get()));
        assertThat(ParquetEncoder.refusal(twins, FLAT, Map.of()))
                .hasValueSatisfying(text -> assertThat(text).contains("rename"));
    }

    private static ParquetMetadata footer(ParquetFiles files, DataFile file) {
        org.apache.iceberg.io.InputFile input = files.input(file);
        try (ParquetFileReader reader = ParquetFileReader.open(new ParquetInput(input))) {
            return reader.getFooter();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
