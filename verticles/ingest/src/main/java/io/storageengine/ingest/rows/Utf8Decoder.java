package io.storageengine.ingest.rows;

import io.storageengine.ingest.rows.RowFault.Codes;
import java.util.Arrays;

/// Decodes JSON strings that hold escapes or bytes beyond ASCII, checking the UTF-8 on the way.
final class Utf8Decoder {
    private static final long HIGHS = 0x8080808080808080L;

    private byte[] out = new byte[256];
    private int length;

    byte[] bytes() {
        return out;
    }

    int length() {
        return length;
    }

    /// Decodes a string that begins at `start`, plain up to `plainTo`.
    ///
    /// @return the place behind its closing quote
    int decode(JsonScanner in, int start, int plainTo) {
        length = 0;
        int p = plainTo;
        append(in.bytes, start, plainTo);
        while (true) {
            byte b = in.bytes[p];
            if (b == '"') {
                terminate();
                return p + 1;
            } else if (b == '\\') {
                p = escape(in, p + 1);
            } else if (b < 0) {
                p = beyondAscii(in, p);
            } else if (b < ' ') {
                in.pos = p;
                throw in.malformed("a control character in a string must be escaped");
            } else {
                p = plain(in.bytes, p);
            }
        }
    }

    private int plain(byte[] bytes, int p) {
        int end = p + 1;
        while (bytes[end] >= ' ' && bytes[end] != '"' && bytes[end] != '\\') {
            end++;
        }
        append(bytes, p, end);
        return end;
    }

    private void append(byte[] bytes, int from, int to) {
        reserve(to - from);
        System.arraycopy(bytes, from, out, length, to - from);
        length += to - from;
    }

    private void reserve(int more) {
        if (length + more + JsonScanner.SLACK > out.length) {
            out = Arrays.copyOf(out, Math.max(out.length * 2, length + more + JsonScanner.SLACK));
        }
    }

    /// Behind the text stands a byte that ends a number.
    private void terminate() {
        reserve(1);
        out[length] = 0;
    }

    private int escape(JsonScanner in, int p) {
        reserve(4);
        int plain = switch (in.bytes[p]) {
            case '"' -> '"';
            case '\\' -> '\\';
            case '/' -> '/';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> -1;
            default -> {
                in.pos = p;
                throw in.malformed("no such escape");
            }
        };
        if (plain < 0) {
            return unicode(in, p + 1);
        }
        out[length++] = (byte) plain;
        return p + 1;
    }

    private int unicode(JsonScanner in, int p) {
        int c = hex(in, p);
        if (!Character.isSurrogate((char) c)) {
            put(c);
            return p + 4;
        }
        if (p + 6 > in.limit) {
            throw new CutShort();
        }
        boolean paired = Character.isHighSurrogate((char) c) && in.bytes[p + 4] == '\\' && in.bytes[p + 5] == 'u';
        int low = paired ? hex(in, p + 6) : 0;
        if (!Character.isLowSurrogate((char) low)) {
            throw in.fault(Codes.INVALID_UTF8, "an escape names half a surrogate pair");
        }
        put(Character.toCodePoint((char) c, (char) low));
        return p + 10;
    }

    private static int hex(JsonScanner in, int p) {
        if (p + 4 > in.limit) {
            throw new CutShort();
        }
        int value = 0;
        for (int i = p; i < p + 4; i++) {
            int digit = Character.digit(in.bytes[i], 16);
            if (digit < 0) {
                in.pos = i;
                throw in.malformed("expected four hexadecimal digits");
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private void put(int c) {
        reserve(4);
        if (c < 0x80) {
            out[length++] = (byte) c;
        } else if (c < 0x800) {
            out[length++] = (byte) (0xC0 | c >> 6);
            tail(c);
        } else if (c < 0x10000) {
            out[length++] = (byte) (0xE0 | c >> 12);
            tail(c >> 6);
            tail(c);
        } else {
            out[length++] = (byte) (0xF0 | c >> 18);
            tail(c >> 12);
            tail(c >> 6);
            tail(c);
        }
    }

    private void tail(int c) {
        out[length++] = (byte) (0x80 | (c & 0x3F));
    }

    private int beyondAscii(JsonScanner in, int p) {
        int size = size(in.bytes[p] & 0xFF);
        if (size == 0) {
            throw invalid(in);
        }
        if (p + size > in.limit) {
            throw cut(in, p);
        }
        if (!isCharacter(in.bytes, p, size)) {
            throw invalid(in);
        }
        append(in.bytes, p, p + size);
        return p + size;
    }

    /// How many bytes a character beyond ASCII has by its first byte; 0 when it cannot be one.
    private static int size(int first) {
        boolean valid = first >= 0xC2 && first <= 0xF4;
        return !valid ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    }

    /// Table 3-7 of the Unicode standard: which second bytes a first byte allows.
    private static boolean isCharacter(byte[] b, int p, int size) {
        int first = b[p] & 0xFF;
        int second = b[p + 1] & 0xFF;
        int low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        int high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        boolean valid = second >= low && second <= high;
        for (int i = 2; i < size; i++) {
            valid &= (b[p + i] & 0xC0) == 0x80;
        }
        return valid;
    }

    /// True when the bytes are UTF-8.
    static boolean isValid(byte[] bytes, int from, int to) {
        int p = from;
        while (p < to) {
            if (p + Long.BYTES <= to && (JsonScanner.word(bytes, p) & HIGHS) == 0) {
                p += Long.BYTES;
                continue;
            }
            if (bytes[p] >= 0) {
                p++;
                continue;
            }
            int size = size(bytes[p] & 0xFF);
            if (size == 0 || p + size > to || !isCharacter(bytes, p, size)) {
                return false;
            }
            p += size;
        }
        return true;
    }

    /// A sequence that the end cuts is only cut when what is there can still become right.
    private static RuntimeException cut(JsonScanner in, int p) {
        for (int i = p + 1; i < in.limit; i++) {
            if ((in.bytes[i] & 0xC0) != 0x80) {
                return invalid(in);
            }
        }
        return new CutShort();
    }

    private static BadRow invalid(JsonScanner in) {
        return in.fault(Codes.INVALID_UTF8, "the bytes are not UTF-8");
    }
}
