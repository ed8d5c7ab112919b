package io.storageengine.ingest.rows;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A field's name as it usually stands in JSON: in quotes, nothing escaped.
final class Name {
    private final byte[] quoted;
    private final byte[] padded;
    private final boolean plain;

    Name(String name) {
        this.plain = name.chars().allMatch(c -> c >= ' ' && c != '"' && c != '\\');
        this.quoted = ("\"" + name + "\"").getBytes(StandardCharsets.UTF_8);
        this.padded = Arrays.copyOf(quoted, quoted.length + 8);
    }

    int quotedLength() {
        return quoted.length;
    }

    /// The name without quotes.
    byte[] utf8() {
        return Arrays.copyOfRange(quoted, 1, quoted.length - 1);
    }

    /// True when the bytes at a place are this name in quotes.
    boolean isAt(byte[] bytes, int at, int limit) {
        int length = quoted.length;
        if (!plain || at + length > limit) {
            return false;
        }
        int i = 0;
        while (i + 8 <= length) {
            if (JsonScanner.word(bytes, at + i) != JsonScanner.word(padded, i)) {
                return false;
            }
            i += 8;
        }
        long mask = (1L << ((length - i) * 8)) - 1;
        return ((JsonScanner.word(bytes, at + i) ^ JsonScanner.word(padded, i)) & mask) == 0;
    }
}
