package io.storageengine.ingest.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Numbers are read to the same bits as the JDK reads them.
class NumberTextTest {
    private static final int ROUNDS = Integer.getInteger("encode.rounds", 50_000);

    private static NumberText parse(String text) {
        byte[] bytes = Arrays.copyOf(Bodies.utf8(text), text.length() + JsonScanner.SLACK);
        NumberText number = new NumberText();
        assertThat(number.parse(bytes, 0)).as(text).isEqualTo(text.length());
        return number;
    }

    private static void assertSame(String text) {
        NumberText number = parse(text);
        long ours = Double.doubleToRawLongBits(number.toDouble());
        int oursNarrow = Float.floatToRawIntBits(number.toFloat());
        assertThat(ours).as(text).isEqualTo(Double.doubleToRawLongBits(Double.parseDouble(text)));
        assertThat(oursNarrow).as(text).isEqualTo(Float.floatToRawIntBits(Float.parseFloat(text)));
    }

    @Test
    void everyDoubleAndFloatIsReadBackFromItsText() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < ROUNDS; i++) {
            double wide = Double.longBitsToDouble(random.nextLong());
            float narrow = Float.intBitsToFloat(random.nextInt());
            if (Double.isFinite(wide)) {
                assertSame(Double.toString(wide));
            }
            if (Float.isFinite(narrow)) {
                assertSame(Float.toString(narrow));
            }
        }
    }

    @Test
    void digitsAndExponentsOfAnyLengthAreRoundedAsTheJdkRounds() {
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < ROUNDS; i++) {
            StringBuilder text = new StringBuilder(random.nextBoolean() ? "-" : "");
            text.append(1 + random.nextInt(9));
            for (int digits = random.nextInt(22); digits > 0; digits--) {
                text.append(random.nextInt(10));
            }
            if (random.nextBoolean()) {
                text.append('.').append(random.nextLong(1_000_000_000_000L));
            }
            if (random.nextBoolean()) {
                text.append(random.nextBoolean() ? 'e' : 'E').append(random.nextInt(-345, 315));
            }
            assertSame(text.toString());
        }
    }

    /// The places where a method that rounds twice, or too early, goes wrong.
    @Test
    void halfWaysBetweenNeighboursGoToTheEvenOne() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < ROUNDS / 30; i++) {
            double low = Math.abs(Double.longBitsToDouble(random.nextLong() & ~(0x7L << 60)));
            if (Double.isFinite(low)) {
                BigDecimal half = new BigDecimal(low)
                        .add(new BigDecimal(Math.nextUp(low)))
                        .divide(new BigDecimal(2));
                assertSame(half.toString().toLowerCase(Locale.ROOT));
            }
            float narrow = Float.intBitsToFloat(random.nextInt() & 0x7FFFFFFF);
            if (Float.isFinite(narrow) && Float.isFinite(Math.nextUp(narrow))) {
                BigDecimal half = new BigDecimal(narrow)
                        .add(new BigDecimal(Math.nextUp(narrow)))
                        .divide(new BigDecimal(2));
                assertSame(half.toString());
                assertSame(half.add(half.ulp()).toString());
            }
        }
    }
}
