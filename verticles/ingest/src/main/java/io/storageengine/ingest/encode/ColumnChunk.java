package io.storageengine.ingest.encode;

import java.io.IOException;
import org.apache.arrow.vector.FieldVector;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.jspecify.annotations.Nullable;

/// The values of one column in one row group, on their way into pages.
sealed interface ColumnChunk extends AutoCloseable permits FlatChunk, WovenChunk {
    /// Adds entries that begin with a row.
    ///
    /// @param vector where the entries' values lie
    void add(Levels entries, FieldVector vector) throws IOException;

    /// Writes what is not written yet; nothing is added any more.
    void finish() throws IOException;

    @Override
    void close();

    /// A way to write columns.
    interface Maker {
        /// @param floats gets what Iceberg wants to know of floats and doubles; null for other columns
        ColumnChunk make(FileLayout.Column column, ColumnChunkPageWriteStore pages, @Nullable FloatStatistics floats);
    }

    /// The quickest way to write a column.
    static ColumnChunk quickest(
            FileLayout.Column column, ColumnChunkPageWriteStore pages, @Nullable FloatStatistics floats) {
        FlatValues values = isFlat(column) ? flatValues(column, floats) : null;
        return values == null
                ? new WovenChunk(column, pages, floats)
                : new FlatChunk(
                        column.descriptor(), column.encoding(), pages.getPageWriter(column.descriptor()), values);
    }

    private static boolean isFlat(FileLayout.Column column) {
        return !column.leaf().repeated()
                && column.encoding().getWriterVersion() == ParquetProperties.WriterVersion.PARQUET_1_0
                && !column.encoding().isBloomFilterEnabled(column.descriptor());
    }

    private static @Nullable FlatValues flatValues(FileLayout.Column column, @Nullable FloatStatistics floats) {
        boolean dictionary = column.encoding().isDictionaryEnabled(column.descriptor());
        long bytesMax = dictionary ? column.encoding().getDictionaryPageSizeThreshold() : 0;
        return FlatValues.of(column.leaf().type(), bytesMax, floats);
    }
}
