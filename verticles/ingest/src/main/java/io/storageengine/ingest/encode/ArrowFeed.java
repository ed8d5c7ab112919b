package io.storageengine.ingest.encode;

import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;

/// Feeds the values of one leaf to its Parquet column writer, type by type in loops of their own.
abstract class ArrowFeed {
    /// Feeds entries. A row ends where the next begins, and at the end.
    final void feed(Levels levels, FieldVector vector, ColumnWriter out, ColumnWriteStore rows) {
        begin(vector);
        for (int i = 0; i < levels.size; i++) {
            int repetition = levels.repetitions[i];
            if (i > 0 && repetition == 0) {
                rows.endRecord();
            }
            int value = levels.values[i];
            if (value < 0) {
                out.writeNull(repetition, levels.definitions[i]);
            } else {
                write(out, value, repetition, levels.definitions[i]);
            }
        }
        rows.endRecord();
    }

    abstract void begin(FieldVector vector);

    abstract void write(ColumnWriter out, int value, int repetition, int definition);

    /// @param floats gets what Iceberg wants to know of floats and doubles; null for other columns
    static ArrowFeed of(Type type, @Nullable FloatStatistics floats) {
        return switch (type.typeId()) {
            case BOOLEAN -> new Booleans();
            case INTEGER, DATE -> new Ints(Integer.BYTES);
            case LONG, TIME, TIMESTAMP, TIMESTAMP_NANO -> new Longs(Long.BYTES);
            case FLOAT -> new Floats(Objects.requireNonNull(floats));
            case DOUBLE -> new Doubles(Objects.requireNonNull(floats));
            case DECIMAL -> decimals((Types.DecimalType) type);
            case STRING, BINARY -> new Bytes();
            case UUID -> new FixedBytes(16);
            case FIXED -> new FixedBytes(((Types.FixedType) type).length());
            case STRUCT, LIST, MAP, VARIANT, UNKNOWN, GEOMETRY, GEOGRAPHY ->
                throw new IllegalArgumentException("not a leaf: " + type);
        };
    }

    /// As Parquet stores decimals: 32 or 64 bits, or as many bytes as the precision needs, big-endian.
    private static ArrowFeed decimals(Types.DecimalType type) {
        if (type.precision() <= 9) {
            return new Ints(16);
        }
        return type.precision() <= 18
                ? new Longs(16)
                : new BigDecimals(org.apache.iceberg.types.TypeUtil.decimalRequiredBytes(type.precision()));
    }

    /// Feeds from the data buffer of a vector of fixed width.
    private abstract static class OfBuffer extends ArrowFeed {
        ArrowBuf data = EMPTY;

        @Override
        void begin(FieldVector vector) {
            data = vector.getDataBuffer();
        }
    }

    /// Stands for a buffer until there is one.
    static final ArrowBuf EMPTY = new ArrowBuf(org.apache.arrow.memory.ReferenceManager.NO_OP, null, 0, 0);

    private static final class Booleans extends OfBuffer {
        @Override
        void write(ColumnWriter out, int value, int repetition, int definition) {
            boolean bit = (data.getByte(value >> 3) >> (value & 7) & 1) != 0;
            out.write(bit, repetition, definition);
        }
    }

    private static final class Ints extends OfBuffer {
        private final int width;

        Ints(int width) {
            this.width = width;
        }

        @Override
        void write(ColumnWriter out, int value, int repetition, int definition) {
            out.write(data.getInt((long) value * width), repetition, definition);
        }
    }

    private static final class Longs extends OfBuffer {
        private final int width;

        Longs(int width) {
            this.width = width;
        }

        @Override
        void write(ColumnWriter out, int value, int repetition, int definition) {
            out.write(data.getLong((long) value * width), repetition, definition);
        }
    }

    private static final class Floats extends OfBuffer {
        private final FloatStatistics statistics;

        Floats(FloatStatistics statistics) {
            this.statistics = statistics;
        }

        @Override
        void write(ColumnWriter out, int value, int repetition, int definition) {
            float number = data.getFloat((long) value << 2);
            statistics.add(number);
            out.write(number, repetition, definition);
        }
    }

    private static final class Doubles extends OfBuffer {
        private final FloatStatistics statistics;

        Doubles(FloatStatistics statistics) {
            this.statistics = statistics;
        }

        @Override
        void write(ColumnWriter out, int value, int repetition, int definition) {
            double number = data.getDouble((long) value << 3);
            statistics.add(number);
            out.write(number, repetition, definition);
        }
    }

    private static final class FixedBytes extends OfBuffer {
        private final byte[] bytes;

        FixedBytes(int width) {
            this.bytes = new byte[width];
        }

        @Override
        void write(ColumnWriter out, int value, int repetition, int definition) {
            data.getBytes((long) value * bytes.length, bytes);
            out.write(Binary.fromReusedByteArray(bytes), repetition, definition);
        }
    }

    private static final class BigDecimals extends OfBuffer {
        private final byte[] bytes;

        BigDecimals(int width) {
            this.bytes = new byte[width];
        }

        @Override
        void write(ColumnWriter out, int value, int repetition, int definition) {
            long last = (long) value * 16;
            for (int i = 0; i < bytes.length; i++) {
                bytes[bytes.length - 1 - i] = data.getByte(last + i);
            }
            out.write(Binary.fromReusedByteArray(bytes), repetition, definition);
        }
    }

    /// Texts and bytes: copied to the heap a stretch at a time, since Parquet wants them there.
    private static final class Bytes extends OfBuffer {
        private static final int STRETCH = 64 << 10;

        private ArrowBuf offsets = EMPTY;
        private byte[] heap = new byte[STRETCH];
        private long heapFrom;
        private long heapTo;
        private long end;

        @Override
        void begin(FieldVector vector) {
            super.begin(vector);
            offsets = vector.getOffsetBuffer();
            end = offsets.getInt((long) vector.getValueCount() << 2);
            heapFrom = 0;
            heapTo = 0;
        }

        @Override
        void write(ColumnWriter out, int value, int repetition, int definition) {
            int from = offsets.getInt((long) value << 2);
            int to = offsets.getInt((value + 1L) << 2);
            if (from < heapFrom || to > heapTo) {
                load(from, to);
            }
            out.write(Binary.fromReusedByteArray(heap, (int) (from - heapFrom), to - from), repetition, definition);
        }

        private void load(int from, int to) {
            if (to - from > heap.length) {
                heap = new byte[to - from];
            }
            heapFrom = from;
            heapTo = Math.min(end, from + (long) heap.length);
            data.getBytes(heapFrom, heap, 0, (int) (heapTo - heapFrom));
        }
    }
}
