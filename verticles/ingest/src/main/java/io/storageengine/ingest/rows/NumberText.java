package io.storageengine.ingest.rows;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/// A number as JSON writes it: (-1)^negative x mantissa x 10^exponent.
///
/// The mantissa is exact up to 18 digits; longer ones are read again from their text.
final class NumberText {
    /// Beyond this an exponent is only known to be huge.
    static final int EXPONENT_MAX = 100_000;
    /// Longest number that is looked at closely.
    static final int DIGITS_MAX = 1_000;

    private static final int EXACT_DIGITS = 18;

    private static final long ZEROS = 0x3030303030303030L;
    private static final long HIGHS = 0x8080808080808080L;
    /// Added to a byte, sets its highest bit when the byte is more than 9.
    private static final long ABOVE_NINE = 0x7676767676767676L;
    private static final long[] POWERS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000};

    private byte[] bytes = new byte[0];
    private int start;
    private int end;
    private boolean negative;
    private long mantissa;
    private int digits;
    private int exponent;
    private boolean plain;
    private boolean scientific;

    /// Reads a number, which has [JsonScanner#SLACK] readable bytes behind it, the first of them no digit.
    ///
    /// @return the place behind it; when there is none, minus the place where it went wrong (or -1)
    int parse(byte[] bytes, int from) {
        this.bytes = bytes;
        this.start = from;
        int p = from;
        this.negative = bytes[p] == '-';
        if (negative) {
            p++;
        }
        int first = p;
        p = digits(p, 0);
        digits = p - first;
        exponent = 0;
        plain = true;
        scientific = false;
        if (digits == 0 || (digits > 1 && bytes[first] == '0')) {
            return -Math.max(1, p);
        }
        if (bytes[p] == '.') {
            plain = false;
            int fraction = p + 1;
            p = digits(fraction, mantissa);
            if (p == fraction) {
                return -p;
            }
            digits += p - fraction;
            exponent = fraction - p;
        }
        if ((bytes[p] | 0x20) == 'e') {
            plain = false;
            scientific = true;
            p = exponent(p + 1);
        }
        this.end = p;
        return p;
    }

    /// Reads eight bytes at a time; their leading digits are moved to the end, behind zeros.
    private int digits(int from, long before) {
        long value = before;
        int p = from;
        int count;
        do {
            long word = JsonScanner.word(bytes, p) ^ ZEROS;
            long others = ((word + ABOVE_NINE) | word) & HIGHS;
            count = Long.numberOfTrailingZeros(others) >> 3;
            if (count > 0) {
                value = value * POWERS[count] + eightDigits(word << (Long.SIZE - Byte.SIZE * count));
                p += count;
            }
        } while (count == Long.BYTES);
        mantissa = value;
        return p;
    }

    /// The number that eight digits are, the first in the lowest byte: pairs, then fours, then all.
    private static long eightDigits(long digits) {
        long pairs = digits * 10 + (digits >>> 8);
        long first = (pairs & 0x000000FF_000000FFL) * (100 + (1_000_000L << 32));
        long second = ((pairs >>> 16) & 0x000000FF_000000FFL) * (1 + (10_000L << 32));
        return (first + second) >>> 32;
    }

    private int exponent(int from) {
        int p = from;
        boolean minus = bytes[p] == '-';
        if (minus || bytes[p] == '+') {
            p++;
        }
        int firstDigit = p;
        int value = 0;
        for (int digit = bytes[p] - '0'; digit >= 0 && digit <= 9; digit = bytes[++p] - '0') {
            value = Math.min(value * 10 + digit, EXPONENT_MAX);
        }
        if (p == firstDigit) {
            return -p;
        }
        exponent += minus ? -value : value;
        return p;
    }

    boolean negative() {
        return negative;
    }

    /// Without a fraction or exponent.
    boolean isPlainInteger() {
        return plain;
    }

    /// Written with an `e`.
    boolean hasExponent() {
        return scientific;
    }

    boolean isExact() {
        return digits <= EXACT_DIGITS;
    }

    /// Without a digit other than 0 before its exponent.
    boolean isZero() {
        for (int p = start; p < end && (bytes[p] | 0x20) != 'e'; p++) {
            if (bytes[p] >= '1' && bytes[p] <= '9') {
                return false;
            }
        }
        return true;
    }

    /// Too long to look at, though it may be right.
    boolean isTooLong() {
        return end - start > DIGITS_MAX;
    }

    long mantissa() {
        return mantissa;
    }

    int exponent() {
        return exponent;
    }

    int digits() {
        return digits;
    }

    /// The number, for exponents below [#EXPONENT_MAX] and at most [#DIGITS_MAX] bytes.
    BigDecimal toBigDecimal() {
        return new BigDecimal(toString());
    }

    double toDouble() {
        return isExact() ? DoubleText.of(this) : Double.parseDouble(toString());
    }

    float toFloat() {
        double wide = toDouble();
        float narrow = (float) wide;
        // Rounding twice errs only when the double lies half-way between two floats.
        boolean halfWay = (Double.doubleToRawLongBits(wide) & 0x1FFFFFFFL) == 0x10000000L;
        return halfWay || Math.abs(wide) < Float.MIN_NORMAL ? Float.parseFloat(toString()) : narrow;
    }

    @Override
    public String toString() {
        return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
    }
}
