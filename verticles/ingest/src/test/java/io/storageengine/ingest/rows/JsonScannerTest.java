package io.storageengine.ingest.rows;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The scanner takes exactly the texts that Jackson takes.
class JsonScannerTest {
    private static final int ROUNDS = Integer.getInteger("encode.rounds", 40_000);
    private static final String[] PIECES = {
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"a\"",
        "\"b\\n\"",
        "\"\\u0041\"",
        "\"ü\"",
        "1",
        "-1",
        "0",
        "-",
        "01",
        "1.5",
        "1.",
        ".5",
        "1e5",
        "1e",
        "1E+2",
        "true",
        "false",
        "null",
        "nul",
        "tru",
        "\"",
        "\\",
        " ",
        "\t",
        "\n",
        "x",
        "\"\\x\"",
        "+1",
        "NaN",
        "/**/",
        "'a'"
    };

    private static boolean jacksonTakes(byte[] text) {
        try (JsonParser parser = new JsonFactory().createParser(text)) {
            JsonToken token = parser.nextToken();
            if (token == null) {
                return false;
            }
            int depth = 0;
            while (token != null) {
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (token == JsonToken.VALUE_STRING) {
                    parser.getText();
                } else if (token.isNumeric()) {
                    parser.getDecimalValue();
                }
                token = parser.nextToken();
                if (depth == 0 && token != null) {
                    return false;
                }
            }
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    private static boolean scannerTakes(byte[] text) {
        JsonScanner scanner = new JsonScanner(100);
        scanner.begin(Arrays.copyOf(text, text.length + JsonScanner.SLACK), 0, text.length);
        try {
            // A number may not be the last thing in a row, since it could go on; here it may.
            boolean number = text.length > 0 && Character.isDigit(text[text.length - 1]);
            if (number) {
                byte[] closed = Arrays.copyOf(text, text.length + 1 + JsonScanner.SLACK);
                closed[text.length] = ' ';
                scanner.begin(closed, 0, text.length + 1);
            }
            scanner.skip();
            return scanner.atEnd();
        } catch (BadRow | CutShort _) {
            return false;
        }
    }

    @Test
    void randomPiecesAreTakenAsJacksonTakesThem() {
        SplittableRandom random = new SplittableRandom(11);
        int taken = 0;
        for (int i = 0; i < ROUNDS; i++) {
            StringBuilder text = new StringBuilder();
            for (int pieces = 1 + random.nextInt(7); pieces > 0; pieces--) {
                text.append(PIECES[random.nextInt(PIECES.length)]);
            }
            byte[] bytes = Bodies.utf8(text.toString());
            boolean expected = jacksonTakes(bytes);
            taken += expected ? 1 : 0;
            assertThat(scannerTakes(bytes)).as(text.toString()).isEqualTo(expected);
        }
        assertThat(taken).isGreaterThan(ROUNDS / 100);
    }

    @Test
    void aTextWithOneByteChangedIsTakenAsJacksonTakesIt() {
        SplittableRandom random = new SplittableRandom(12);
        String good = "{\"a\":[1,-2.5e+3,\"x\\u00e4\\n\",{\"b\":null}],\"ü😀\":true,\"c\":\"日本\\\"\\\\\"}";
        for (int i = 0; i < ROUNDS; i++) {
            byte[] bytes = Bodies.utf8(good);
            for (int changes = 1 + random.nextInt(2); changes > 0; changes--) {
                int at = random.nextInt(bytes.length);
                bytes[at] = random.nextBoolean() ? (byte) random.nextInt(256) : bytes[random.nextInt(bytes.length)];
            }
            if (random.nextInt(4) == 0) {
                bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            }
            assertThat(scannerTakes(bytes))
                    .as(new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1))
                    .isEqualTo(jacksonTakes(bytes));
        }
    }
}
