package io.storageengine.ingest.rows;

import java.math.BigInteger;

/// The double nearest to mantissa x 10^exponent, by the method of Lemire ("Number Parsing at a Gigabyte per
/// Second", 2021); where that method cannot decide, by the JDK.
final class DoubleText {
    private static final int POWER_MIN = -342;
    private static final int POWER_MAX = 308;
    private static final double[] EXACT_POWERS = exactPowers();
    /// The 128 leading bits of every power of ten, high and low half in turns.
    private static final long[] POWERS = powers();

    private DoubleText() {}

    static double of(NumberText number) {
        long mantissa = number.mantissa();
        int power = number.exponent();
        if (mantissa <= 1L << 53 && power >= -22 && power <= 22) {
            double value = power < 0 ? mantissa / EXACT_POWERS[-power] : mantissa * EXACT_POWERS[power];
            return number.negative() ? -value : value;
        }
        double value = mantissa == 0 || power < POWER_MIN || power > POWER_MAX ? -1 : nearest(mantissa, power);
        if (value < 0) {
            return Double.parseDouble(number.toString());
        }
        return number.negative() ? -value : value;
    }

    /// The nearest double, or -1 when it is not decided here.
    private static double nearest(long mantissa, int power) {
        int zeros = Long.numberOfLeadingZeros(mantissa);
        long shifted = mantissa << zeros;
        int index = 2 * (power - POWER_MIN);
        long high = Math.unsignedMultiplyHigh(shifted, POWERS[index]);
        long low = shifted * POWERS[index];
        if ((high & 0x1FF) == 0x1FF) {
            long more = Math.unsignedMultiplyHigh(shifted, POWERS[index + 1]);
            low += more;
            if (Long.compareUnsigned(low, more) < 0) {
                high++;
            }
            if (low == -1) {
                return -1;
            }
        }
        int top = (int) (high >>> 63);
        long bits = high >>> (top + 9);
        boolean halfWay = Long.compareUnsigned(low, 1) <= 0 && (high & 0x1FF) == 0 && (bits & 3) == 1;
        long binaryExponent = ((217706L * power) >> 16) + 1024 + 63 - zeros - (1 ^ top);
        bits = (bits + (bits & 1)) >>> 1;
        if (bits >= 1L << 53) {
            bits = 1L << 52;
            binaryExponent++;
        }
        if (halfWay || binaryExponent < 1 || binaryExponent > 2046) {
            return -1;
        }
        return Double.longBitsToDouble((binaryExponent << 52) | (bits & ~(1L << 52)));
    }

    private static double[] exactPowers() {
        double[] powers = new double[23];
        powers[0] = 1;
        for (int i = 1; i < powers.length; i++) {
            powers[i] = powers[i - 1] * 10;
        }
        return powers;
    }

    private static long[] powers() {
        long[] powers = new long[2 * (POWER_MAX - POWER_MIN + 1)];
        for (int power = POWER_MIN; power <= POWER_MAX; power++) {
            BigInteger leading = power < 0 ? reciprocal(-power) : leading(BigInteger.TEN.pow(power));
            powers[2 * (power - POWER_MIN)] = leading.shiftRight(64).longValue();
            powers[2 * (power - POWER_MIN) + 1] = leading.longValue();
        }
        return powers;
    }

    private static BigInteger leading(BigInteger value) {
        int surplus = value.bitLength() - 128;
        return surplus > 0 ? value.shiftRight(surplus) : value.shiftLeft(-surplus);
    }

    /// The bits of 1/10^power; the ones that fit exactly enough are rounded up, as the method asks.
    private static BigInteger reciprocal(int power) {
        BigInteger divisor = BigInteger.valueOf(5).pow(power);
        int shift = power <= 27 ? divisor.bitLength() + 127 : 2 * divisor.bitLength() + 128;
        return leading(BigInteger.ONE.shiftLeft(shift).divide(divisor).add(BigInteger.ONE));
    }
}
