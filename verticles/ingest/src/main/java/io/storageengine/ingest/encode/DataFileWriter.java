package io.storageengine.ingest.encode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.FieldMetrics;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.parquet.ParquetUtil;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.jspecify.annotations.Nullable;

/// Writes one Parquet file, row group by row group and in each column by column.
final class DataFileWriter {
    private static final int ROWS_AT_ONCE = 1 << 12;

    private final FileLayout layout;
    private final PageCompressor compressor;
    private final ColumnChunk.Maker chunks;
    private final List<Optional<FloatStatistics>> floats = new ArrayList<>();
    private final long[] entries;
    private final Levels levels = new Levels();

    /// What was written.
    ///
    /// @param splitOffsets where row groups begin
    record Written(long bytes, Metrics metrics, @Nullable List<Long> splitOffsets) {}

    DataFileWriter(FileLayout layout, PageCompressor compressor, ColumnChunk.Maker chunks) {
        this.layout = layout;
        this.compressor = compressor;
        this.chunks = chunks;
        this.entries = new long[layout.columns().size()];
        for (FileLayout.Column column : layout.columns()) {
            floats.add(column.leaf().isFloating() ? Optional.of(new FloatStatistics()) : Optional.empty());
        }
    }

    /// Writes a file of these row groups.
    Written write(OutputFile file, List<List<Selection>> rowGroups) throws IOException {
        try (ParquetFileWriter out = new ParquetFileWriter(
                new ParquetOutput(file),
                layout.message(),
                ParquetFileWriter.Mode.CREATE,
                Integer.MAX_VALUE,
                0,
                org.apache.parquet.column.ParquetProperties.DEFAULT_COLUMN_INDEX_TRUNCATE_LENGTH,
                org.apache.parquet.column.ParquetProperties.DEFAULT_STATISTICS_TRUNCATE_LENGTH,
                true)) {
            out.start();
            for (List<Selection> rows : rowGroups) {
                writeRowGroup(out, rows);
            }
            out.end(layout.keyValues());
            return written(out);
        }
    }

    private Written written(ParquetFileWriter out) throws IOException {
        ParquetMetadata footer = out.getFooter();
        Metrics metrics = ParquetUtil.footerMetrics(footer, fieldMetrics(), layout.metrics());
        return new Written(out.getPos(), metrics, ParquetUtil.getSplitOffsets(footer));
    }

    private void writeRowGroup(ParquetFileWriter out, List<Selection> rows) throws IOException {
        long count = 0;
        for (Selection selection : rows) {
            count += selection.size();
        }
        out.startBlock(count);
        for (int i = 0; i < layout.columns().size(); i++) {
            writeColumn(out, i, rows);
        }
        out.endBlock();
    }

    private void writeColumn(ParquetFileWriter out, int index, List<Selection> rows) throws IOException {
        FileLayout.Column column = layout.columns().get(index);
        try (ColumnChunkPageWriteStore pages = new ColumnChunkPageWriteStore(
                        compressor,
                        column.message(),
                        column.encoding().getAllocator(),
                        column.encoding().getColumnIndexTruncateLength(),
                        column.encoding().getPageWriteChecksumEnabled());
                ColumnChunk chunk = chunks.make(column, pages, floats.get(index).orElse(null))) {
            for (Selection selection : rows) {
                add(index, selection, chunk);
            }
            chunk.finish();
            pages.flushToFileWriter(out);
        }
    }

    private void add(int index, Selection rows, ColumnChunk chunk) throws IOException {
        VectorSchemaRoot batch = rows.batch().columns();
        LeafPath way = layout.columns().get(index).leaf().way().apply(batch);
        for (int start = 0; start < rows.size(); start += ROWS_AT_ONCE) {
            int end = Math.min(rows.size(), start + ROWS_AT_ONCE);
            levels.clear();
            way.addRows(levels, rows, start, end);
            entries[index] += levels.size;
            chunk.add(levels, way.leaf());
        }
    }

    private Stream<FieldMetrics<?>> fieldMetrics() {
        List<FieldMetrics<?>> metrics = new ArrayList<>();
        for (int i = 0; i < floats.size(); i++) {
            Leaf leaf = layout.columns().get(i).leaf();
            if (floats.get(i).isPresent() && !leaf.repeated()) {
                metrics.add(floats.get(i).get().metrics(leaf.fieldId(), leaf.type(), entries[i]));
            }
        }
        return metrics.stream();
    }
}
