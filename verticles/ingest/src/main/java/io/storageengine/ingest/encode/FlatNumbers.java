package io.storageengine.ingest.encode;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.parquet.column.statistics.Statistics;

/// Numbers of 4 or 8 bytes; floats are handled by their bits.
abstract class FlatNumbers extends FlatValues {
    private final int stride;
    private final int width;
    private final NumberDictionary dictionary = new NumberDictionary();
    private long[] taken = new long[1 << 12];
    private ArrowBuf data = ArrowFeed.EMPTY;

    /// @param stride bytes of a value in its vector
    /// @param width bytes of a value in Parquet
    private FlatNumbers(int stride, int width, long dictionaryBytesMax) {
        super(dictionaryBytesMax);
        this.stride = stride;
        this.width = width;
    }

    @Override
    final void begin(FieldVector vector) {
        data = vector.getDataBuffer();
    }

    @Override
    final int fitting(int[] places, int count, long bytes) {
        return (int) Math.min(count, bytes / width);
    }

    @Override
    final void take(int[] places, int count) {
        if (taken.length < count) {
            taken = new long[count];
        }
        read(places, count);
        bound(taken, count);
        plainBytes += (long) count * width;
        if (usesDictionary) {
            dictionary.number(taken, count, numbers, numbered);
            numbered += count;
        } else {
            plain.reserve(count * width);
            plain.size = write(taken, count, plain.bytes, plain.size);
        }
    }

    private void read(int[] places, int count) {
        if (width == Long.BYTES) {
            for (int i = 0; i < count; i++) {
                taken[i] = data.getLong((long) places[i] * stride);
            }
        } else {
            for (int i = 0; i < count; i++) {
                taken[i] = data.getInt((long) places[i] * stride);
            }
        }
    }

    private int write(long[] values, int count, byte[] out, int at) {
        if (width == Long.BYTES) {
            for (int i = 0; i < count; i++) {
                PageBuffer.putLong(out, at + i * Long.BYTES, values[i]);
            }
        } else {
            for (int i = 0; i < count; i++) {
                PageBuffer.putInt(out, at + i * Integer.BYTES, (int) values[i]);
            }
        }
        return at + count * width;
    }

    /// Widens the page's bounds to these values.
    abstract void bound(long[] values, int count);

    @Override
    final void boundNumbered() {}

    @Override
    final boolean isDictionaryTooLarge(long bytesMax) {
        return dictionaryBytes() > bytesMax || dictionary.isSlow();
    }

    @Override
    final int dictionarySize() {
        return dictionary.size();
    }

    @Override
    final long dictionaryBytes() {
        return (long) dictionary.size() * width;
    }

    @Override
    final void writeDictionary(int entries, PageBuffer out) {
        out.reserve(entries * width);
        out.size = write(dictionary.entries(), entries, out.bytes, out.size);
    }

    @Override
    final void writeNumbered(PageBuffer out) {
        long[] values = new long[numbered];
        for (int i = 0; i < numbered; i++) {
            values[i] = dictionary.entries()[numbers[i]];
        }
        out.reserve(numbered * width);
        out.size = write(values, numbered, out.bytes, out.size);
    }

    /// Whole numbers and whatever is kept as one: times, decimals.
    abstract static class Whole extends FlatNumbers {
        private long lower = Long.MAX_VALUE;
        private long upper = Long.MIN_VALUE;

        private Whole(int stride, int width, long dictionaryBytesMax) {
            super(stride, width, dictionaryBytesMax);
        }

        @Override
        final void bound(long[] values, int count) {
            long low = lower;
            long high = upper;
            for (int i = 0; i < count; i++) {
                low = Math.min(low, values[i]);
                high = Math.max(high, values[i]);
            }
            lower = low;
            upper = high;
        }

        @Override
        final void finishStatistics(Statistics<?> page) {
            if (lower <= upper) {
                say(lower, page);
                say(upper, page);
            }
            lower = Long.MAX_VALUE;
            upper = Long.MIN_VALUE;
        }

        abstract void say(long bound, Statistics<?> page);
    }

    static final class Ints extends Whole {
        Ints(int stride, long dictionaryBytesMax) {
            super(stride, Integer.BYTES, dictionaryBytesMax);
        }

        @Override
        void say(long bound, Statistics<?> page) {
            page.updateStats((int) bound);
        }
    }

    static final class Longs extends Whole {
        Longs(int stride, long dictionaryBytesMax) {
            super(stride, Long.BYTES, dictionaryBytesMax);
        }

        @Override
        void say(long bound, Statistics<?> page) {
            page.updateStats(bound);
        }
    }

    /// Numbers with fractions: what is not a number is counted and never a bound.
    abstract static class Fractions extends FlatNumbers {
        private final FloatStatistics file;
        private long count;
        private long nans;
        double lower = Double.POSITIVE_INFINITY;
        double upper = Double.NEGATIVE_INFINITY;

        private Fractions(int width, long dictionaryBytesMax, FloatStatistics file) {
            super(width, width, dictionaryBytesMax);
            this.file = file;
        }

        /// Counts values and those that are not a number.
        final void count(int more, int moreNans) {
            count += more;
            nans += moreNans;
        }

        @Override
        final void finishStatistics(Statistics<?> page) {
            page.incrementNanCount(nans);
            if (count > nans) {
                say(lower, page);
                say(upper, page);
            }
            file.add(count - nans, nans, lower, upper);
            count = 0;
            nans = 0;
            lower = Double.POSITIVE_INFINITY;
            upper = Double.NEGATIVE_INFINITY;
        }

        abstract void say(double bound, Statistics<?> page);
    }

    static final class Floats extends Fractions {
        Floats(long dictionaryBytesMax, FloatStatistics file) {
            super(Float.BYTES, dictionaryBytesMax, file);
        }

        @Override
        void bound(long[] values, int more) {
            int nans = 0;
            for (int i = 0; i < more; i++) {
                float value = Float.intBitsToFloat((int) values[i]);
                lower = value < lower ? value : lower;
                upper = value > upper ? value : upper;
                nans += Float.isNaN(value) ? 1 : 0;
            }
            count(more, nans);
        }

        @Override
        void say(double bound, Statistics<?> page) {
            page.updateStats((float) bound);
        }
    }

    static final class Doubles extends Fractions {
        Doubles(long dictionaryBytesMax, FloatStatistics file) {
            super(Double.BYTES, dictionaryBytesMax, file);
        }

        @Override
        void bound(long[] values, int more) {
            double low = lower;
            double high = upper;
            int nans = 0;
            for (int i = 0; i < more; i++) {
                double value = Double.longBitsToDouble(values[i]);
                low = value < low ? value : low;
                high = value > high ? value : high;
                nans += Double.isNaN(value) ? 1 : 0;
            }
            lower = low;
            upper = high;
            count(more, nans);
        }

        @Override
        void say(double bound, Statistics<?> page) {
            page.updateStats(bound);
        }
    }
}
