package io.storageengine.ingest.encode;

import java.util.Arrays;
import java.util.Objects;
import org.apache.arrow.vector.FieldVector;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// The values of one page of a flat column, and the dictionary of its chunk: values are numbered by the
/// dictionary for as long as that pays, then written plain.
abstract class FlatValues {
    /// How first-version pages and dictionaries say it.
    @SuppressWarnings("deprecation")
    static final Encoding BY_DICTIONARY = Encoding.PLAIN_DICTIONARY;

    /// The page's values as they are, unless the dictionary numbers them.
    final PageBuffer plain = new PageBuffer(1 << 16);
    /// The page's values by their numbers in the dictionary.
    int[] numbers = new int[1 << 10];
    int numbered;
    boolean usesDictionary;
    /// Bytes of the page's values, plain.
    long plainBytes;

    private final PageBuffer packed = new PageBuffer(1 << 10);
    private final long dictionaryBytesMax;
    /// Entries that pages already written refer to.
    private int entriesInUse;

    /// @param dictionaryBytesMax 0 for no dictionary
    FlatValues(long dictionaryBytesMax) {
        this.dictionaryBytesMax = dictionaryBytesMax;
        this.usesDictionary = dictionaryBytesMax > 0;
    }

    /// How values of a type are written; null when that is left to parquet-java.
    ///
    /// @param floats gets what Iceberg wants to know of floats and doubles
    static @Nullable FlatValues of(Type type, long dictionaryBytesMax, @Nullable FloatStatistics floats) {
        return switch (type.typeId()) {
            case BOOLEAN -> new FlatBooleans();
            case INTEGER, DATE -> new FlatNumbers.Ints(Integer.BYTES, dictionaryBytesMax);
            case LONG, TIME, TIMESTAMP, TIMESTAMP_NANO -> new FlatNumbers.Longs(Long.BYTES, dictionaryBytesMax);
            case FLOAT -> new FlatNumbers.Floats(dictionaryBytesMax, Objects.requireNonNull(floats));
            case DOUBLE -> new FlatNumbers.Doubles(dictionaryBytesMax, Objects.requireNonNull(floats));
            case DECIMAL -> {
                int precision = ((Types.DecimalType) type).precision();
                yield precision > 18
                        ? null
                        : precision > 9
                                ? new FlatNumbers.Longs(16, dictionaryBytesMax)
                                : new FlatNumbers.Ints(16, dictionaryBytesMax);
            }
            case STRING, BINARY -> new FlatTexts(dictionaryBytesMax);
            case UUID, FIXED, STRUCT, LIST, MAP, VARIANT, UNKNOWN, GEOMETRY, GEOGRAPHY -> null;
        };
    }

    /// The next values come from this vector.
    abstract void begin(FieldVector vector);

    /// How many of the values at `places[0]` to `places[count - 1]` fit in so many bytes.
    abstract int fitting(int[] places, int count, long bytes);

    /// Adds the values at `places[0]` to `places[count - 1]` to the page.
    final void append(int[] places, int count) {
        if (usesDictionary && numbered + count > numbers.length) {
            numbers = Arrays.copyOf(numbers, Math.max(2 * numbers.length, numbered + count));
        }
        take(places, count);
        if (usesDictionary && isDictionaryTooLarge(dictionaryBytesMax)) {
            leaveDictionary();
        }
    }

    /// Reads values and numbers them, or appends them plain.
    abstract void take(int[] places, int count);

    /// Widens the page's bounds to the values that it has by their numbers, unless they were when they came.
    abstract void boundNumbered();

    abstract boolean isDictionaryTooLarge(long bytesMax);

    abstract int dictionarySize();

    abstract long dictionaryBytes();

    /// Appends the first entries of the dictionary, plain.
    abstract void writeDictionary(int entries, PageBuffer out);

    /// Appends the values that the page has by their numbers, plain.
    abstract void writeNumbered(PageBuffer out);

    /// Puts the page's bounds into its statistics and forgets them.
    abstract void finishStatistics(Statistics<?> page);

    private void leaveDictionary() {
        boundNumbered();
        writeNumbered(plain);
        numbered = 0;
        usesDictionary = false;
    }

    /// The values of a complete page.
    ///
    /// @param bytes good until the next page
    record Page(PageBuffer bytes, Encoding encoding) {}

    /// Ends the page. The first one that has values decides whether the dictionary pays.
    final Page finishPage() {
        if (usesDictionary && numbered > 0) {
            packed.clear();
            int width = HybridRuns.width(dictionarySize() - 1);
            packed.bytes[packed.size++] = (byte) width;
            HybridRuns.append(numbers, numbered, width, packed);
            if (entriesInUse > 0 || packed.size + dictionaryBytes() < plainBytes) {
                entriesInUse = dictionarySize();
                boundNumbered();
                return new Page(packed, BY_DICTIONARY);
            }
            leaveDictionary();
        }
        return new Page(plain, Encoding.PLAIN);
    }

    void clearPage() {
        plain.clear();
        numbered = 0;
        plainBytes = 0;
    }

    /// Entries of the dictionary that pages refer to.
    final int entriesInUse() {
        return entriesInUse;
    }
}
