package io.storageengine.ingest.encode;

import org.apache.arrow.vector.FieldVector;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.jspecify.annotations.Nullable;

/// A chunk of any column, in lists and maps too, written value by value by parquet-java.
final class WovenChunk implements ColumnChunk {
    private final FileLayout.Column column;
    private final ColumnWriteStore values;
    private final ArrowFeed feed;

    WovenChunk(FileLayout.Column column, ColumnChunkPageWriteStore pages, @Nullable FloatStatistics floats) {
        this.column = column;
        this.values = column.encoding().newColumnWriteStore(column.message(), pages, pages);
        this.feed = ArrowFeed.of(column.leaf().type(), floats);
    }

    @Override
    public void add(Levels entries, FieldVector vector) {
        feed.feed(entries, vector, values.getColumnWriter(column.descriptor()), values);
    }

    @Override
    public void finish() {
        values.flush();
    }

    @Override
    public void close() {
        values.close();
    }
}
