package io.storageengine.ingest.encode;

import java.io.IOException;
import java.util.Arrays;
import org.apache.arrow.vector.FieldVector;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageWriter;
import org.apache.parquet.column.statistics.SizeStatistics;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.statistics.geospatial.GeospatialStatistics;

/// A chunk of a column that is not in a list or map, one entry a row, written as first-version pages by loops
/// over many values; [WovenChunk] writes every other, and this one writes what that would.
///
/// Pages, their statistics and their dictionary are what parquet-java's own column writer makes, except where
/// pages are cut by size: here at the value that fills them.
final class FlatChunk implements ColumnChunk {
    /// What parquet-java says of levels that are not there.
    @SuppressWarnings("deprecation")
    private static final Encoding NO_LEVELS = Encoding.BIT_PACKED;

    private final ColumnDescriptor column;
    private final ParquetProperties settings;
    private final PageWriter pages;
    private final FlatValues values;
    private final int definitionMax;

    private final PageBuffer levels = new PageBuffer(1 << 10);
    private int[] definitions = new int[1 << 12];
    private int[] places = new int[1 << 12];
    private int rows;
    private int nulls;

    FlatChunk(ColumnDescriptor column, ParquetProperties settings, PageWriter pages, FlatValues values) {
        this.column = column;
        this.settings = settings;
        this.pages = pages;
        this.values = values;
        this.definitionMax = column.getMaxDefinitionLevel();
    }

    @Override
    public void add(Levels entries, FieldVector vector) throws IOException {
        values.begin(vector);
        int from = 0;
        while (from < entries.size) {
            int to = from + Math.min(entries.size - from, settings.getPageRowCountLimit() - rows);
            from = addToPage(entries, from, to);
            boolean isFull = rows >= settings.getPageRowCountLimit()
                    || values.plainBytes >= settings.getPageSizeThreshold()
                    || from < to;
            if (isFull) {
                writePage();
            }
        }
    }

    /// Adds entries as long as their values fit in the page, at least one to an empty page.
    ///
    /// @return the first entry that was not added
    private int addToPage(Levels entries, int from, int to) {
        int end = to;
        int count = collectPlaces(entries, from, to);
        int fitting = values.fitting(places, count, settings.getPageSizeThreshold() - values.plainBytes);
        if (fitting < count) {
            count = rows == 0 ? Math.max(1, fitting) : fitting;
            end = afterValues(entries, from, count);
        }
        values.append(places, count);
        addDefinitions(entries, from, end);
        rows += end - from;
        nulls += end - from - count;
        return end;
    }

    private int collectPlaces(Levels entries, int from, int to) {
        if (places.length < to - from) {
            places = new int[to - from];
        }
        if (entries.nulls == 0) {
            System.arraycopy(entries.values, from, places, 0, to - from);
            return to - from;
        }
        int count = 0;
        for (int i = from; i < to; i++) {
            places[count] = entries.values[i];
            count += entries.values[i] < 0 ? 0 : 1;
        }
        return count;
    }

    /// The place behind so many values, and the nulls between and after them.
    private static int afterValues(Levels entries, int from, int count) {
        int left = count;
        int at = from;
        while (left > 0 || entries.values[at] < 0) {
            left -= entries.values[at++] < 0 ? 0 : 1;
        }
        return at;
    }

    private void addDefinitions(Levels entries, int from, int to) {
        int needed = rows + to - from;
        if (needed > definitions.length) {
            definitions = Arrays.copyOf(definitions, Math.max(needed, 2 * definitions.length));
        }
        System.arraycopy(entries.definitions, from, definitions, rows, to - from);
    }

    private void writePage() throws IOException {
        FlatValues.Page page = values.finishPage();
        Statistics<?> statistics = Statistics.createStats(column.getPrimitiveType());
        statistics.incrementNumNulls(nulls);
        values.finishStatistics(statistics);
        pages.writePage(
                BytesInput.concat(definitionLevels(), page.bytes().input()),
                rows,
                rows,
                statistics,
                SizeStatistics.noopBuilder(column.getPrimitiveType(), 0, definitionMax)
                        .build(),
                GeospatialStatistics.noopBuilder().build(),
                NO_LEVELS,
                definitionMax == 0 ? NO_LEVELS : Encoding.RLE,
                page.encoding());
        values.clearPage();
        rows = 0;
        nulls = 0;
    }

    /// Definition levels as first-version pages have them, their length in front; none when nothing is
    /// optional.
    private BytesInput definitionLevels() {
        levels.clear();
        if (definitionMax > 0) {
            int width = HybridRuns.width(definitionMax);
            levels.putInt(0);
            if (nulls == 0) {
                HybridRuns.appendRun(definitionMax, rows, width, levels);
            } else {
                HybridRuns.append(definitions, rows, width, levels);
            }
            PageBuffer.putInt(levels.bytes, 0, levels.size - Integer.BYTES);
        }
        return levels.input();
    }

    @Override
    public void finish() throws IOException {
        if (rows > 0) {
            writePage();
        }
        if (values.entriesInUse() > 0) {
            PageBuffer plain = new PageBuffer(1 << 10);
            values.writeDictionary(values.entriesInUse(), plain);
            pages.writeDictionaryPage(
                    new DictionaryPage(plain.input(), values.entriesInUse(), FlatValues.BY_DICTIONARY));
        }
    }

    @Override
    public void close() {}
}
