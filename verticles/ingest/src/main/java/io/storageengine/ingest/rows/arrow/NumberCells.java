package io.storageengine.ingest.rows.arrow;

import io.storageengine.ingest.rows.cells.Cells;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.Float16;

/// Columns of values of a fixed width: booleans, numbers, dates and times.
final class NumberCells {
    private NumberCells() {}

    /// The integer of a width at a place.
    static long integer(ArrowBuf data, int width, boolean signed, int at) {
        return switch (width) {
            case 1 -> signed ? data.getByte(at) : data.getByte(at) & 0xFF;
            case 2 -> signed ? data.getShort(2L * at) : data.getShort(2L * at) & 0xFFFF;
            case 4 -> signed ? data.getInt(4L * at) : data.getInt(4L * at) & 0xFFFF_FFFFL;
            default -> data.getLong(8L * at);
        };
    }

    static final class Booleans extends Column implements Cells.Booleans {
        private final ArrowBuf data;

        Booleans(Column column, ArrowBuf data) {
            super(column);
            this.data = data;
        }

        @Override
        public boolean isTrue(int at) {
            return (data.getByte(at >> 3) >> (at & 7) & 1) != 0;
        }
    }

    static final class Integers extends Column implements Cells.Integers {
        private final ArrowBuf data;
        private final int width;
        private final boolean signed;

        Integers(Column column, ArrowBuf data, int width, boolean signed) {
            super(column);
            this.data = data;
            this.width = width;
            this.signed = signed;
        }

        @Override
        public long integer(int at) {
            return NumberCells.integer(data, width, signed, at);
        }
    }

    /// 64 bits without a sign.
    static final class LargeIntegers extends Column implements Cells.Decimals {
        private final ArrowBuf data;

        LargeIntegers(Column column, ArrowBuf data) {
            super(column);
            this.data = data;
        }

        @Override
        public BigDecimal decimal(int at) {
            return new BigDecimal(Long.toUnsignedString(data.getLong(8L * at)));
        }
    }

    static final class Decimals extends Column implements Cells.Decimals {
        private final ArrowBuf data;
        private final int width;
        private final int scale;

        Decimals(Column column, ArrowBuf data, int width, int scale) {
            super(column);
            this.data = data;
            this.width = width;
            this.scale = scale;
        }

        @Override
        public BigDecimal decimal(int at) {
            byte[] bytes = new byte[width];
            for (int i = 0; i < width; i++) {
                bytes[width - 1 - i] = data.getByte((long) width * at + i);
            }
            return new BigDecimal(new BigInteger(bytes), scale);
        }
    }

    static final class Floats extends Column implements Cells.Floats {
        private final ArrowBuf data;
        private final int width;

        Floats(Column column, ArrowBuf data, int width) {
            super(column);
            this.data = data;
            this.width = width;
        }

        @Override
        public double number(int at) {
            return switch (width) {
                case 2 -> Float16.toFloat(data.getShort(2L * at));
                case 4 -> data.getFloat(4L * at);
                default -> data.getDouble(8L * at);
            };
        }
    }

    static final class Dates extends Column implements Cells.Dates {
        private final ArrowBuf data;
        private final int width;
        private final int unitsPerDay;

        Dates(Column column, ArrowBuf data, int width, int unitsPerDay) {
            super(column);
            this.data = data;
            this.width = width;
            this.unitsPerDay = unitsPerDay;
        }

        @Override
        public long units(int at) {
            return integer(data, width, true, at);
        }

        @Override
        public int unitsPerDay() {
            return unitsPerDay;
        }
    }

    static final class Times extends Column implements Cells.Times {
        private final ArrowBuf data;
        private final int width;
        private final int unitsPerSecond;

        Times(Column column, ArrowBuf data, int width, int unitsPerSecond) {
            super(column);
            this.data = data;
            this.width = width;
            this.unitsPerSecond = unitsPerSecond;
        }

        @Override
        public long units(int at) {
            return integer(data, width, true, at);
        }

        @Override
        public int unitsPerSecond() {
            return unitsPerSecond;
        }
    }

    static final class Timestamps extends Column implements Cells.Timestamps {
        private final ArrowBuf data;
        private final int unitsPerSecond;
        private final boolean zoned;

        Timestamps(Column column, ArrowBuf data, int unitsPerSecond, boolean zoned) {
            super(column);
            this.data = data;
            this.unitsPerSecond = unitsPerSecond;
            this.zoned = zoned;
        }

        @Override
        public long units(int at) {
            return data.getLong(8L * at);
        }

        @Override
        public int unitsPerSecond() {
            return unitsPerSecond;
        }

        @Override
        public boolean isZoned() {
            return zoned;
        }
    }
}
