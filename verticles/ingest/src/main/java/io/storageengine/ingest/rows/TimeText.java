package io.storageengine.ingest.rows;

import io.storageengine.ingest.rows.RowFault.Codes;

/// Reads dates and times as ISO 8601 and RFC 3339 write them, exactly.
///
/// Years have four digits, or a sign and four to nine. Fractions may be of any length as long as what lies
/// beyond the column's precision is zero.
final class TimeText {
    private static final long SECONDS_A_DAY = 86_400;
    private static final int DATE_LENGTH = 10;
    private static final int[] DAYS_BEFORE_MONTH = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};

    private final JsonScanner in;
    private final String expected;
    private int pos;

    /// The bytes of a date `YYYY-MM-DD` that was read, and its days.
    private long lastYearMonth;

    private int lastDay;
    private long lastDays;

    /// Reads the scanner's text.
    ///
    /// @param expected the form, for faults
    TimeText(JsonScanner in, String expected) {
        this.in = in;
        this.expected = expected;
    }

    /// Days from 1970-01-01.
    long date() {
        pos = in.textStart;
        long days = days();
        requireEnd();
        return days;
    }

    /// Units from midnight.
    long time(int unitsPerSecond) {
        pos = in.textStart;
        long seconds = secondsOfDay();
        long fraction = fraction(unitsPerSecond);
        if (pos < in.textEnd && isZone(in.text[pos])) {
            throw in.fault(Codes.ZONE_UNEXPECTED, "a time has no zone: " + in.textShown());
        }
        requireEnd();
        return seconds * unitsPerSecond + fraction;
    }

    /// Units from 1970-01-01T00:00:00, in UTC when zoned.
    long timestamp(int unitsPerSecond, boolean zoned) {
        pos = in.textStart;
        long days = daysAsBefore();
        int separator = next();
        if (separator != 'T' && separator != 't' && separator != ' ') {
            throw invalid();
        }
        long seconds = days * SECONDS_A_DAY + secondsOfDay();
        long fraction = fraction(unitsPerSecond);
        seconds -= offsetSeconds(zoned);
        requireEnd();
        try {
            return units(seconds, unitsPerSecond, fraction);
        } catch (ArithmeticException _) {
            throw in.fault(Codes.OUT_OF_RANGE, in.textShown() + " is beyond what the column holds");
        }
    }

    /// The sum may fit although the whole seconds before it do not.
    private static long units(long seconds, int unitsPerSecond, long fraction) {
        if (seconds >= 0) {
            return Math.addExact(Math.multiplyExact(seconds, (long) unitsPerSecond), fraction);
        }
        return Math.addExact(Math.multiplyExact(seconds + 1, (long) unitsPerSecond), fraction - unitsPerSecond);
    }

    /// Reads a date; rows that follow each other often have the same.
    private long daysAsBefore() {
        int start = pos;
        if (in.textEnd - start < DATE_LENGTH) {
            return days();
        }
        long yearMonth = JsonScanner.word(in.text, start);
        int day = in.text[start + 8] << 8 | in.text[start + 9];
        if (yearMonth == lastYearMonth && day == lastDay) {
            pos = start + DATE_LENGTH;
            return lastDays;
        }
        long days = days();
        if (pos == start + DATE_LENGTH) {
            lastYearMonth = yearMonth;
            lastDay = day;
            lastDays = days;
        }
        return days;
    }

    private long days() {
        long year = year();
        requireNext('-');
        int month = twoDigits();
        requireNext('-');
        int day = twoDigits();
        if (month < 1 || month > 12 || day < 1 || day > monthLength(year, month)) {
            throw invalid();
        }
        return epochDay(year, month, day);
    }

    private long year() {
        if (pos >= in.textEnd) {
            throw invalid();
        }
        byte sign = in.text[pos];
        boolean signed = sign == '-' || sign == '+';
        if (signed) {
            pos++;
        }
        int first = pos;
        long year = 0;
        while (pos < in.textEnd && isDigit(in.text[pos]) && pos - first < 10) {
            year = year * 10 + in.text[pos++] - '0';
        }
        int digits = pos - first;
        if (digits < 4 || digits > (signed ? 9 : 4)) {
            throw invalid();
        }
        return sign == '-' ? -year : year;
    }

    private static int monthLength(long year, int month) {
        return switch (month) {
            case 2 -> isLeap(year) ? 29 : 28;
            case 4, 6, 9, 11 -> 30;
            default -> 31;
        };
    }

    private static boolean isLeap(long year) {
        return (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    private static long epochDay(long year, int month, int day) {
        long before = year - 1;
        long days = 365 * year + Math.floorDiv(before, 4) - Math.floorDiv(before, 100) + Math.floorDiv(before, 400);
        long leapDay = month > 2 && isLeap(year) ? 1 : 0;
        // 719,527 days before 1970-01-01, the leap day of the year 0 not counted: it is not in `before` either.
        return days + DAYS_BEFORE_MONTH[month - 1] + leapDay + day - 1 - 719_527;
    }

    private int secondsOfDay() {
        int hour = twoDigits();
        requireNext(':');
        int minute = twoDigits();
        int second = 0;
        if (pos < in.textEnd && in.text[pos] == ':') {
            pos++;
            second = twoDigits();
        }
        if (hour > 23 || minute > 59 || second > 59) {
            throw invalid();
        }
        return hour * 3600 + minute * 60 + second;
    }

    private long fraction(int unitsPerSecond) {
        if (pos >= in.textEnd || in.text[pos] != '.') {
            return 0;
        }
        int first = ++pos;
        int unit = unitsPerSecond;
        long value = 0;
        while (pos < in.textEnd && isDigit(in.text[pos])) {
            int digit = in.text[pos++] - '0';
            if (unit > 1) {
                unit /= 10;
                value = value * 10 + digit;
            } else if (digit != 0) {
                String kept = unitsPerSecond == 1_000_000 ? "microseconds" : "nanoseconds";
                throw in.fault(Codes.TOO_PRECISE, in.textShown() + " has more digits than " + kept);
            }
        }
        if (pos == first) {
            throw invalid();
        }
        return value * unit;
    }

    private int offsetSeconds(boolean zoned) {
        if (pos >= in.textEnd) {
            if (zoned) {
                throw in.fault(Codes.ZONE_MISSING, in.textShown() + " has no zone; add `Z` or an offset as `+01:00`");
            }
            return 0;
        }
        int sign = in.text[pos];
        if (!isZone((byte) sign)) {
            throw invalid();
        }
        if (!zoned) {
            String reason = in.textShown() + " has a zone, and the column has none; send local time without one";
            throw in.fault(Codes.ZONE_UNEXPECTED, reason);
        }
        pos++;
        return sign == 'Z' || sign == 'z' ? 0 : sign == '-' ? -offset() : offset();
    }

    /// `hh`, `hhmm`, `hh:mm` or `hh:mm:ss`.
    private int offset() {
        int hours = twoDigits();
        int minutes = 0;
        int seconds = 0;
        if (pos < in.textEnd) {
            boolean colons = in.text[pos] == ':';
            pos += colons ? 1 : 0;
            minutes = twoDigits();
            if (colons && pos < in.textEnd) {
                requireNext(':');
                seconds = twoDigits();
            }
        }
        if (hours > 23 || minutes > 59 || seconds > 59) {
            throw invalid();
        }
        return hours * 3600 + minutes * 60 + seconds;
    }

    private static boolean isZone(byte b) {
        return b == 'Z' || b == 'z' || b == '+' || b == '-';
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private int twoDigits() {
        if (pos + 2 > in.textEnd || !isDigit(in.text[pos]) || !isDigit(in.text[pos + 1])) {
            throw invalid();
        }
        int value = (in.text[pos] - '0') * 10 + in.text[pos + 1] - '0';
        pos += 2;
        return value;
    }

    private int next() {
        if (pos >= in.textEnd) {
            throw invalid();
        }
        return in.text[pos++];
    }

    private void requireNext(int c) {
        if (next() != c) {
            throw invalid();
        }
    }

    private void requireEnd() {
        if (pos != in.textEnd) {
            throw invalid();
        }
    }

    private BadRow invalid() {
        return in.fault(Codes.INVALID_VALUE, in.textShown() + " is not " + expected);
    }
}
