package io.storageengine.ingest.rows;

import io.storageengine.ingest.rows.RowFault.Codes;
import io.storageengine.ingest.rows.cells.Cells;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.UUID;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/// Columns of booleans, times, fixed bytes and of nothing.
final class SimpleColumns {
    private static final int MICROS = 1_000_000;

    private SimpleColumns() {}

    private static void requireText(RowColumn column, int first, String expected) {
        if (first != '"') {
            throw column.in.wrongType(expected, first);
        }
        column.in.string();
    }

    private static byte[] fixedBytes(RowColumn column, Cells cells, int at, int length) {
        if (!(cells instanceof Cells.Bytes bytes)) {
            throw column.wrongType(cells);
        }
        requireLength(column, length, bytes.length(at));
        return column.taken(bytes, at);
    }

    private static void requireLength(RowColumn column, int wanted, int got) {
        if (got != wanted) {
            throw column.in.fault(Codes.WRONG_LENGTH, "the column takes " + wanted + " bytes, got " + got);
        }
    }

    static final class BooleanColumn extends RowColumn {
        private @Nullable BitVector vector;
        private int capacity;
        private ArrowBuf validity = NoMemory.BUFFER;
        private ArrowBuf data = NoMemory.BUFFER;

        BooleanColumn(JsonScanner in, Slot slot) {
            super(in, slot);
        }

        @Override
        void bind(FieldVector bound, int rows) {
            BitVector bits = (BitVector) bound;
            vector = bits;
            bits.allocateNew(rows);
            count = 0;
            refresh(bits);
        }

        private void refresh(BitVector bits) {
            data = bits.getDataBuffer();
            validity = bits.getValidityBuffer();
            capacity = bits.getValueCapacity();
        }

        private void append(int valid, int value) {
            if (count == capacity) {
                BitVector bits = java.util.Objects.requireNonNull(vector);
                bits.reAlloc();
                refresh(bits);
            }
            BitVectorHelper.setValidityBit(validity, count, valid);
            BitVectorHelper.setValidityBit(data, count++, value);
        }

        @Override
        void readValue(int first) {
            if (first == 't') {
                in.literal("true");
                append(1, 1);
            } else if (first == 'f') {
                in.literal("false");
                append(1, 0);
            } else {
                throw in.wrongType("true or false", first);
            }
        }

        @Override
        void readString() {
            throw in.wrongType("true or false", '"');
        }

        /// Writers of CSV do not agree about case.
        @Override
        void readPlain() {
            switch (in.textEnd - in.textStart > 5 ? "" : in.textAsString().toLowerCase(Locale.ROOT)) {
                case "true" -> append(1, 1);
                case "false" -> append(1, 0);
                default -> throw invalid("true or false");
            }
        }

        @Override
        void takeValue(Cells cells, int at) {
            if (!(cells instanceof Cells.Booleans booleans)) {
                throw wrongType(cells);
            }
            append(1, booleans.isTrue(at) ? 1 : 0);
        }

        @Override
        void appendNull() {
            append(0, 0);
        }

        @Override
        void appendDefault(Object value) {
            append(1, (Boolean) value ? 1 : 0);
        }

        @Override
        void truncate(int values) {
            count = Math.min(count, values);
        }

        @Override
        void finish() {}

        @Override
        long bytes() {
            return count >> 2;
        }
    }

    /// Days from 1970-01-01.
    static final class DateColumn extends FixedWidthColumn {
        private final TimeText text;

        DateColumn(JsonScanner in, Slot slot) {
            super(in, slot, Integer.BYTES);
            this.text = new TimeText(in, "a date `YYYY-MM-DD`");
        }

        @Override
        void readValue(int first) {
            requireText(this, first, "a date as text (`YYYY-MM-DD`)");
            readString();
        }

        @Override
        void takeValue(Cells cells, int at) {
            putInt(TypedTimes.date(this, cells, at));
        }

        @Override
        void readString() {
            long days = text.date();
            if (days != (int) days) {
                throw outOfRange(in.textShown());
            }
            putInt((int) days);
        }

        @Override
        void appendDefault(Object value) {
            putInt((Integer) value);
        }
    }

    /// Microseconds from midnight.
    static final class TimeColumn extends FixedWidthColumn {
        private final TimeText text;

        TimeColumn(JsonScanner in, Slot slot) {
            super(in, slot, Long.BYTES);
            this.text = new TimeText(in, "a time `hh:mm:ss.ffffff`");
        }

        @Override
        void readValue(int first) {
            requireText(this, first, "a time as text (`hh:mm:ss.ffffff`)");
            readString();
        }

        @Override
        void readString() {
            putLong(text.time(MICROS));
        }

        @Override
        void takeValue(Cells cells, int at) {
            putLong(TypedTimes.time(this, cells, at, MICROS));
        }

        @Override
        void appendDefault(Object value) {
            putLong((Long) value);
        }
    }

    /// Micro- or nanoseconds from 1970-01-01.
    static final class TimestampColumn extends FixedWidthColumn {
        private final TimeText text;
        private final int unitsPerSecond;
        private final boolean zoned;
        private final String form;

        TimestampColumn(JsonScanner in, Slot slot, int unitsPerSecond, boolean zoned) {
            super(in, slot, Long.BYTES);
            this.unitsPerSecond = unitsPerSecond;
            this.zoned = zoned;
            this.form = "a timestamp `YYYY-MM-DDThh:mm:ss" + (unitsPerSecond == 1_000_000 ? ".ffffff" : ".fffffffff")
                    + (zoned ? "+hh:mm`" : "`");
            this.text = new TimeText(in, form);
        }

        @Override
        void readValue(int first) {
            requireText(this, first, form);
            readString();
        }

        @Override
        void readString() {
            putLong(text.timestamp(unitsPerSecond, zoned));
        }

        @Override
        void takeValue(Cells cells, int at) {
            putLong(TypedTimes.timestamp(this, cells, at, unitsPerSecond, zoned));
        }

        @Override
        void appendDefault(Object value) {
            putLong((Long) value);
        }
    }

    /// Sixteen bytes, from the canonical text.
    static final class UuidColumn extends FixedWidthColumn {
        UuidColumn(JsonScanner in, Slot slot) {
            super(in, slot, 16);
        }

        @Override
        void readValue(int first) {
            requireText(this, first, "a UUID as text");
            readString();
        }

        @Override
        void takeValue(Cells cells, int at) {
            putBytes(fixedBytes(this, cells, at, 16));
        }

        @Override
        void readString() {
            if (in.textEnd - in.textStart != 36) {
                throw invalid("a UUID");
            }
            long high = group(0, 8) << 32 | group(9, 13) << 16 | group(14, 18);
            long low = group(19, 23) << 48 | group(24, 36);
            store(high, low);
        }

        private long group(int from, int to) {
            long value = 0;
            for (int i = in.textStart + from; i < in.textStart + to; i++) {
                int digit = Hex.digit(in.text[i]);
                if (digit < 0) {
                    throw invalid("a UUID");
                }
                value = value << 4 | digit;
            }
            if (to < 36 && in.text[in.textStart + to] != '-') {
                throw invalid("a UUID");
            }
            return value;
        }

        private void store(long high, long low) {
            long at = (long) append() << 4;
            data.setLong(at, Long.reverseBytes(high));
            data.setLong(at + 8, Long.reverseBytes(low));
        }

        @Override
        void appendDefault(Object value) {
            UUID uuid = (UUID) value;
            store(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
        }
    }

    /// A fixed number of bytes, from hexadecimal text (Iceberg's JSON form of single values).
    static final class FixedBytesColumn extends FixedWidthColumn {
        private final int length;

        FixedBytesColumn(JsonScanner in, Slot slot, int length) {
            super(in, slot, length);
            this.length = length;
        }

        @Override
        void readValue(int first) {
            requireText(this, first, "bytes as hexadecimal text");
            readString();
        }

        @Override
        void readString() {
            byte[] bytes = Hex.decode(this);
            requireLength(this, length, bytes.length);
            putBytes(bytes);
        }

        @Override
        void takeValue(Cells cells, int at) {
            putBytes(fixedBytes(this, cells, at, length));
        }

        @Override
        void appendDefault(Object value) {
            ByteBuffer source = ((ByteBuffer) value).duplicate().order(ByteOrder.BIG_ENDIAN);
            byte[] bytes = new byte[source.remaining()];
            source.get(bytes);
            putBytes(bytes);
        }
    }

    /// Iceberg's `unknown`: nothing but null.
    static final class UnknownColumn extends RowColumn {
        UnknownColumn(JsonScanner in, Slot slot) {
            super(in, slot);
        }

        @Override
        void bind(FieldVector bound, int rows) {
            count = 0;
        }

        @Override
        void readValue(int first) {
            throw in.fault(
                    Codes.WRONG_TYPE,
                    "the column's type is unknown and takes only null, got " + in.kind(first)
                            + "; give the column a type first");
        }

        @Override
        void readString() {
            readValue('"');
        }

        @Override
        void appendNull() {
            count++;
        }

        @Override
        void appendDefault(Object value) {
            count++;
        }

        @Override
        void truncate(int values) {
            count = Math.min(count, values);
        }

        @Override
        void finish() {}

        @Override
        long bytes() {
            return 0;
        }
    }
}
