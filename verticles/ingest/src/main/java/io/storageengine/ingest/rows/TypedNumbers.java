package io.storageengine.ingest.rows;

import io.storageengine.ingest.rows.cells.Cells;
import java.math.BigDecimal;

/// Typed numbers as numbers of another type, exactly or not at all.
final class TypedNumbers {
    /// Up to here a double holds every integer.
    private static final long DOUBLE_INTEGERS = 1L << 53;

    private TypedNumbers() {}

    static long integer(RowColumn column, Cells cells, int at) {
        if (cells instanceof Cells.Integers integers) {
            return integers.integer(at);
        }
        BigDecimal value = decimal(column, cells, at);
        try {
            return value.longValueExact();
        } catch (ArithmeticException _) {
            boolean fraction = value.stripTrailingZeros().scale() > 0;
            throw fraction ? column.inexact(value) : column.outOfRange("`" + value + "`");
        }
    }

    static double number(RowColumn column, Cells cells, int at) {
        return switch (cells) {
            case Cells.Floats floats -> floats.number(at);
            case Cells.Integers integers -> number(column, integers.integer(at));
            case Cells.Decimals decimals -> number(column, decimals.decimal(at));
            default -> throw column.wrongType(cells);
        };
    }

    private static double number(RowColumn column, long value) {
        boolean small = value >= -DOUBLE_INTEGERS && value <= DOUBLE_INTEGERS;
        return small ? value : number(column, BigDecimal.valueOf(value));
    }

    private static double number(RowColumn column, BigDecimal value) {
        double near = value.doubleValue();
        if (Double.isInfinite(near) || new BigDecimal(near).compareTo(value) != 0) {
            throw column.inexact(value);
        }
        return near;
    }

    /// A number as a decimal; one that is not finite is none.
    static BigDecimal decimal(RowColumn column, Cells cells, int at) {
        return switch (cells) {
            case Cells.Decimals decimals -> decimals.decimal(at);
            case Cells.Integers integers -> BigDecimal.valueOf(integers.integer(at));
            case Cells.Floats floats -> decimal(column, floats.number(at));
            default -> throw column.wrongType(cells);
        };
    }

    private static BigDecimal decimal(RowColumn column, double value) {
        if (!Double.isFinite(value)) {
            throw column.outOfRange("`" + value + "`");
        }
        return new BigDecimal(value);
    }
}
