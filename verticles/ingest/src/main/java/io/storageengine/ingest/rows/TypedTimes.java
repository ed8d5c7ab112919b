package io.storageengine.ingest.rows;

import io.storageengine.ingest.rows.RowFault.Codes;
import io.storageengine.ingest.rows.cells.Cells;

/// Typed dates and times in the units of a column, exactly or not at all.
final class TypedTimes {
    private static final long SECONDS_A_DAY = 86_400;

    private TypedTimes() {}

    static int date(RowColumn column, Cells cells, int at) {
        if (!(cells instanceof Cells.Dates dates)) {
            throw column.wrongType(cells);
        }
        long units = dates.units(at);
        if (units % dates.unitsPerDay() != 0) {
            throw column.inexact(units);
        }
        long days = units / dates.unitsPerDay();
        if (days != (int) days) {
            throw column.outOfRange("`" + days + "` days");
        }
        return (int) days;
    }

    static long time(RowColumn column, Cells cells, int at, int unitsPerSecond) {
        if (!(cells instanceof Cells.Times times)) {
            throw column.wrongType(cells);
        }
        long units = times.units(at);
        if (units < 0 || units >= SECONDS_A_DAY * times.unitsPerSecond()) {
            throw column.outOfRange("`" + units + "` from midnight");
        }
        return scaled(column, units, times.unitsPerSecond(), unitsPerSecond);
    }

    static long timestamp(RowColumn column, Cells cells, int at, int unitsPerSecond, boolean zoned) {
        if (!(cells instanceof Cells.Timestamps stamps)) {
            throw column.wrongType(cells);
        }
        if (stamps.isZoned() && !zoned) {
            String reason = "the values have a zone, and the column has none; send local time without one";
            throw new BadRow(column.path, Codes.ZONE_UNEXPECTED, reason);
        }
        if (!stamps.isZoned() && zoned) {
            throw new BadRow(column.path, Codes.ZONE_MISSING, "the values have no zone; give their type one as `UTC`");
        }
        return scaled(column, stamps.units(at), stamps.unitsPerSecond(), unitsPerSecond);
    }

    private static long scaled(RowColumn column, long units, int from, int to) {
        if (from > to) {
            int step = from / to;
            if (units % step != 0) {
                throw column.inexact(units);
            }
            return units / step;
        }
        try {
            return Math.multiplyExact(units, (long) (to / from));
        } catch (ArithmeticException _) {
            throw column.outOfRange("`" + units + "`");
        }
    }
}
