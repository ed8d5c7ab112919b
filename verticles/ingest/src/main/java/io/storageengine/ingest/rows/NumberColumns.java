package io.storageengine.ingest.rows;

import io.storageengine.ingest.rows.RowFault.Codes;
import io.storageengine.ingest.rows.cells.Cells;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.iceberg.types.Types;

/// Columns of numbers.
final class NumberColumns {
    private NumberColumns() {}

    private static final String INTEGER = "an integer";

    /// Reads an integer exactly; `1.0` and `1e3` are integers too.
    private static long integer(RowColumn column, int first) {
        JsonScanner in = column.in;
        if (first != '-' && (first < '0' || first > '9')) {
            throw in.wrongType(INTEGER, first);
        }
        in.number();
        return integer(column);
    }

    /// The number that was scanned as an integer.
    private static long integer(RowColumn column) {
        NumberText number = column.in.number;
        if (number.isPlainInteger() && number.isExact()) {
            return number.negative() ? -number.mantissa() : number.mantissa();
        }
        return slowInteger(column);
    }

    /// Takes the scanner's text for a number.
    private static void scanText(RowColumn column, String expected) {
        JsonScanner in = column.in;
        if (!isNumber(in)) {
            throw column.invalid(expected);
        }
    }

    private static boolean isNumber(JsonScanner in) {
        return in.textStart != in.textEnd && in.number.parse(in.text, in.textStart) == in.textEnd;
    }

    private static long slowInteger(RowColumn column) {
        NumberText number = column.in.number;
        BigDecimal value = bounded(column, 20);
        try {
            return value.longValueExact();
        } catch (ArithmeticException _) {
            if (value.stripTrailingZeros().scale() > 0) {
                throw column.in.fault(Codes.TOO_PRECISE, shown(number) + " is not " + INTEGER);
            }
            throw column.outOfRange(shown(number));
        }
    }

    /// The number, unless it is so large or so small that writing it out would cost memory.
    private static BigDecimal bounded(RowColumn column, int digitsMax) {
        NumberText number = column.in.number;
        if (number.isTooLong()) {
            throw column.in.fault(Codes.TOO_PRECISE, "the number is longer than " + NumberText.DIGITS_MAX);
        }
        if (number.isExact() && number.mantissa() == 0) {
            return BigDecimal.ZERO;
        }
        if (number.exponent() > digitsMax) {
            throw column.outOfRange(shown(number));
        }
        if (number.exponent() < -NumberText.DIGITS_MAX) {
            throw column.in.fault(Codes.TOO_PRECISE, shown(number) + " has more digits than the column keeps");
        }
        return number.toBigDecimal();
    }

    private static String shown(NumberText number) {
        String text = number.toString();
        return "`" + (text.length() > 40 ? text.substring(0, 40) + "…" : text) + "`";
    }

    static final class LongColumn extends FixedWidthColumn {
        LongColumn(JsonScanner in, Slot slot) {
            super(in, slot, Long.BYTES);
        }

        @Override
        void readValue(int first) {
            putLong(integer(this, first));
        }

        @Override
        void readString() {
            throw in.wrongType(INTEGER, '"');
        }

        @Override
        void readPlain() {
            scanText(this, INTEGER);
            putLong(integer(this));
        }

        @Override
        void takeValue(Cells cells, int at) {
            putLong(TypedNumbers.integer(this, cells, at));
        }

        @Override
        void appendDefault(Object value) {
            putLong(((Number) value).longValue());
        }
    }

    static final class IntColumn extends FixedWidthColumn {
        IntColumn(JsonScanner in, Slot slot) {
            super(in, slot, Integer.BYTES);
        }

        @Override
        void readValue(int first) {
            put(integer(this, first));
        }

        private void put(long value) {
            if (value != (int) value) {
                throw outOfRange("`" + value + "`");
            }
            putInt((int) value);
        }

        @Override
        void readString() {
            throw in.wrongType(INTEGER, '"');
        }

        @Override
        void readPlain() {
            scanText(this, INTEGER);
            put(integer(this));
        }

        @Override
        void takeValue(Cells cells, int at) {
            put(TypedNumbers.integer(this, cells, at));
        }

        @Override
        void appendDefault(Object value) {
            putInt(((Number) value).intValue());
        }
    }

    /// Reads a number or one of the texts `NaN`, `Infinity`, `-Infinity`.
    ///
    /// @return true when it is a number, then to be taken from the scanner
    private static boolean isNumber(RowColumn column, int first) {
        if (first == '"') {
            column.in.string();
            return false;
        }
        if (first != '-' && (first < '0' || first > '9')) {
            throw column.in.wrongType("a number", first);
        }
        column.in.number();
        refuseTooLong(column);
        return true;
    }

    private static void refuseTooLong(RowColumn column) {
        if (column.in.number.isTooLong()) {
            throw column.in.fault(Codes.TOO_PRECISE, "the number is longer than " + NumberText.DIGITS_MAX);
        }
    }

    /// As [#isNumber], for the scanner's text.
    private static boolean isPlainNumber(RowColumn column) {
        if (!isNumber(column.in)) {
            return false;
        }
        refuseTooLong(column);
        return true;
    }

    private static double special(RowColumn column) {
        return switch (column.in.textAsString()) {
            case "NaN" -> Double.NaN;
            case "Infinity" -> Double.POSITIVE_INFINITY;
            case "-Infinity" -> Double.NEGATIVE_INFINITY;
            default ->
                throw column.in.fault(
                        Codes.WRONG_TYPE,
                        "expected a number (or the text `NaN`, `Infinity`, `-Infinity`), got the text "
                                + column.in.textShown());
        };
    }

    static final class DoubleColumn extends FixedWidthColumn {
        DoubleColumn(JsonScanner in, Slot slot) {
            super(in, slot, Double.BYTES);
        }

        @Override
        void readValue(int first) {
            double value = isNumber(this, first) ? number() : special(this);
            putDouble(value);
        }

        @Override
        void readString() {
            putDouble(special(this));
        }

        @Override
        void readPlain() {
            putDouble(isPlainNumber(this) ? number() : special(this));
        }

        @Override
        void takeValue(Cells cells, int at) {
            putDouble(TypedNumbers.number(this, cells, at));
        }

        private double number() {
            double value = in.number.toDouble();
            if (Double.isInfinite(value) || (value == 0 && !in.number.isZero())) {
                throw outOfRange(shown(in.number));
            }
            return value;
        }

        @Override
        void appendDefault(Object value) {
            putDouble(((Number) value).doubleValue());
        }
    }

    static final class FloatColumn extends FixedWidthColumn {
        FloatColumn(JsonScanner in, Slot slot) {
            super(in, slot, Float.BYTES);
        }

        @Override
        void readValue(int first) {
            float value = isNumber(this, first) ? number() : (float) special(this);
            putFloat(value);
        }

        @Override
        void readString() {
            putFloat((float) special(this));
        }

        @Override
        void readPlain() {
            putFloat(isPlainNumber(this) ? number() : (float) special(this));
        }

        @Override
        void takeValue(Cells cells, int at) {
            double wide = TypedNumbers.number(this, cells, at);
            float value = (float) wide;
            if (value != wide && !Double.isNaN(wide)) {
                throw inexact(wide);
            }
            putFloat(value);
        }

        private float number() {
            float value = in.number.toFloat();
            if (Float.isInfinite(value) || (value == 0 && !in.number.isZero())) {
                throw outOfRange(shown(in.number));
            }
            return value;
        }

        @Override
        void appendDefault(Object value) {
            putFloat(((Number) value).floatValue());
        }
    }

    /// Takes numbers, and texts of numbers as Iceberg's JSON form of decimals has them.
    static final class DecimalColumn extends FixedWidthColumn {
        private static final long[] POWERS = powers();
        private final int precision;
        private final int scale;

        DecimalColumn(JsonScanner in, Slot slot, Types.DecimalType type) {
            super(in, slot, 16);
            this.precision = type.precision();
            this.scale = type.scale();
        }

        @Override
        void readValue(int first) {
            if (first == '"') {
                in.string();
                readString();
            } else if (first == '-' || (first >= '0' && first <= '9')) {
                in.number();
                store();
            } else {
                throw in.wrongType("a decimal number", first);
            }
        }

        @Override
        void readString() {
            scanText(this, "a decimal number");
            store();
        }

        @Override
        void takeValue(Cells cells, int at) {
            BigDecimal value = TypedNumbers.decimal(this, cells, at);
            store(exact(value, "`" + value + "`"));
        }

        private void store() {
            NumberText number = in.number;
            int shift = scale + number.exponent();
            boolean small = number.isExact() && shift >= 0 && number.digits() + shift <= Math.min(precision, 18);
            if (small) {
                long unscaled = number.mantissa() * POWERS[shift];
                store(number.negative() ? -unscaled : unscaled);
            } else {
                store(exact());
            }
        }

        private BigDecimal exact() {
            BigDecimal value = bounded(this, precision - scale + NumberText.DIGITS_MAX);
            return exact(value, shown(in.number));
        }

        private BigDecimal exact(BigDecimal value, String shown) {
            BigDecimal exact;
            try {
                exact = value.setScale(scale);
            } catch (ArithmeticException _) {
                String reason = shown + " has more than " + scale + " digits behind the point";
                throw in.fault(Codes.TOO_PRECISE, reason);
            }
            if (exact.precision() > precision && exact.signum() != 0) {
                throw in.fault(
                        Codes.OUT_OF_RANGE,
                        shown + " has more than " + (precision - scale) + " digits before the point");
            }
            return exact;
        }

        private void store(long unscaled) {
            long at = (long) append() << 4;
            data.setLong(at, unscaled);
            data.setLong(at + 8, unscaled >> 63);
        }

        private void store(BigDecimal value) {
            BigInteger unscaled = value.unscaledValue();
            long at = (long) append() << 4;
            data.setLong(at, unscaled.longValue());
            data.setLong(at + 8, unscaled.shiftRight(64).longValue());
        }

        @Override
        void appendDefault(Object value) {
            store(((BigDecimal) value).setScale(scale));
        }

        private static long[] powers() {
            long[] powers = new long[19];
            powers[0] = 1;
            for (int i = 1; i < powers.length; i++) {
                powers[i] = powers[i - 1] * 10;
            }
            return powers;
        }
    }
}
