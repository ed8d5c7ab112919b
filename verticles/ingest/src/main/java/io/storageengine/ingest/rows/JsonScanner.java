package io.storageengine.ingest.rows;

import io.storageengine.ingest.rows.RowFault.Codes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/// Walks the JSON text (RFC 8259) of one row without making objects.
///
/// The bytes go from `pos` to `limit`; the byte at `limit` is a newline or 0 and eight more may be read behind
/// it: so loops look for a stop byte and test for the end only when they met one. A text that ends early throws
/// [CutShort]; one that is wrong throws [BadRow] for the column that is being read.
final class JsonScanner {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    /// Bytes that must be readable behind `limit`.
    static final int SLACK = 16;

    byte[] bytes = new byte[SLACK];
    int pos;
    int limit;
    /// The column being read, for faults.
    String at = "";

    /// The string read last, decoded: from `textStart` to `textEnd` of `text`.
    byte[] text = bytes;

    int textStart;
    int textEnd;
    final NumberText number = new NumberText();
    private byte[] room = new byte[256];
    private long weight;
    private long weightMax = Long.MAX_VALUE;
    private final Utf8Decoder decoder = new Utf8Decoder();
    private final int depthMax;
    private int depth;
    private int start;

    JsonScanner(int depthMax) {
        this.depthMax = depthMax;
    }

    void begin(byte[] bytes, int from, int limit) {
        this.bytes = bytes;
        this.pos = from;
        this.start = from;
        this.limit = limit;
        this.depth = 0;
        this.at = "";
    }

    /// Takes text from elsewhere for [#text]; what stood there is not needed any more.
    ///
    /// @param length of the text, which is then put from 0 on; white space follows it
    byte[] room(int length) {
        if (length + SLACK > room.length) {
            room = new byte[Math.max(length + SLACK, 2 * room.length)];
        }
        room[length] = '\n';
        text = room;
        textStart = 0;
        textEnd = length;
        return room;
    }

    /// Begins a row of typed values.
    ///
    /// @param most what it may weigh
    void beginTyped(long most) {
        weight = 0;
        weightMax = most;
    }

    /// Counts the bytes of a typed value.
    void weigh(String path, long bytes) {
        weight += bytes;
        if (weight > weightMax) {
            throw new BadRow(path, Codes.ROW_TOO_LONG, "the row is longer than " + weightMax + " bytes");
        }
    }

    long weight() {
        return weight;
    }

    /// Scans the text itself as JSON; where no line end follows it, a copy.
    void beginText() {
        if (text[textEnd] != '\n' && text[textEnd] != '\r') {
            int from = textStart;
            byte[] elsewhere = text;
            int length = textEnd - textStart;
            System.arraycopy(elsewhere, from, room(length), 0, length);
        }
        String field = at;
        begin(text, textStart, textEnd + 1);
        at = field;
    }

    /// Where the row begins.
    int start() {
        return start;
    }

    static long word(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }

    /// Bit 7 of the lowest byte that equals the repeated byte is the lowest bit set.
    static long matches(long word, long repeated) {
        long x = word ^ repeated;
        return (x - ONES) & ~x & HIGHS;
    }

    /// The next byte that is not white space; stays there.
    int peek() {
        byte b = bytes[pos];
        return b > ' ' ? b : peekOn();
    }

    private int peekOn() {
        while (pos < limit) {
            byte b = bytes[pos];
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return b;
            }
            pos++;
        }
        throw new CutShort();
    }

    /// True when nothing but white space is left.
    boolean atEnd() {
        for (int i = pos; i < limit; i++) {
            byte b = bytes[i];
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return false;
            }
        }
        return true;
    }

    /// Steps into an object or array whose bracket is at `pos`.
    void enter() {
        if (++depth > depthMax) {
            throw fault(Codes.TOO_DEEP, "more than " + depthMax + " objects and arrays in each other");
        }
        pos++;
    }

    /// Steps over the bracket that closes the object or array.
    void leave() {
        depth--;
        pos++;
    }

    /// After a value: true when a comma was stepped over, false when the closing bracket is next.
    boolean more(int closing) {
        int c = peek();
        if (c == ',') {
            pos++;
            return true;
        }
        if (c == closing) {
            return false;
        }
        throw malformed("expected `,` or `" + (char) closing + "`");
    }

    /// Steps over a name and its colon when the name is exactly this one.
    boolean skipName(Name name) {
        int start = pos;
        if (!name.isAt(bytes, start, limit)) {
            return false;
        }
        pos = start + name.quotedLength();
        colon();
        return true;
    }

    /// Reads a name and its colon; the name is then in `text`.
    void name() {
        if (peek() != '"') {
            throw malformed("expected a name in quotes");
        }
        string();
        colon();
    }

    private void colon() {
        if (peek() != ':') {
            throw malformed("expected `:` after a name");
        }
        pos++;
    }

    /// Reads the string whose opening quote is at `pos` into `text`.
    void string() {
        int p = pos + 1;
        while (true) {
            long w = word(bytes, p);
            long stop = stops(w);
            if (stop == 0) {
                p += 8;
                continue;
            }
            p += Long.numberOfTrailingZeros(stop) >> 3;
            if (bytes[p] == '"') {
                text = bytes;
                textStart = pos + 1;
                textEnd = p;
                pos = p + 1;
                return;
            }
            decode(p);
            return;
        }
    }

    /// Marks quotes, backslashes, control characters and bytes beyond ASCII.
    private static long stops(long w) {
        long controls = (w - 0x2020202020202020L) & ~w;
        return ((controls | w) & HIGHS) | matches(w, 0x2222222222222222L) | matches(w, 0x5C5C5C5C5C5C5C5CL);
    }

    private void decode(int firstStop) {
        pos = decoder.decode(this, pos + 1, firstStop);
        text = decoder.bytes();
        textStart = 0;
        textEnd = decoder.length();
    }

    /// Reads the number at `pos` into [#number].
    void number() {
        int end = number.parse(bytes, pos);
        if (end < 0) {
            pos = Math.min(-end, limit);
            if (pos >= limit) {
                throw new CutShort();
            }
            throw malformed("not a JSON number");
        }
        if (end >= limit) {
            throw new CutShort();
        }
        byte b = bytes[end];
        if (b != ',' && b != '}' && b != ']' && b != ' ' && b != '\r' && b != '\n' && b != '\t') {
            pos = end;
            throw malformed("not a JSON number");
        }
        pos = end;
    }

    /// Steps over `true`, `false` or `null`, whose first byte is at `pos`.
    void literal(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (pos + i >= limit) {
                throw new CutShort();
            }
            if (bytes[pos + i] != word.charAt(i)) {
                throw malformed("expected `" + word + "`");
            }
        }
        pos += word.length();
    }

    /// Steps over any value, checking it.
    void skip() {
        int c = peek();
        switch (c) {
            case '{' -> skipObject();
            case '[' -> skipArray();
            case '"' -> string();
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> {
                requireNumber(c);
                number();
            }
        }
    }

    void requireNumber(int first) {
        if (first != '-' && (first < '0' || first > '9')) {
            throw malformed("expected a JSON value");
        }
    }

    private void skipObject() {
        enter();
        if (peek() != '}') {
            do {
                name();
                skip();
            } while (more('}'));
        }
        leave();
    }

    private void skipArray() {
        enter();
        if (peek() != ']') {
            do {
                skip();
            } while (more(']'));
        }
        leave();
    }

    BadRow fault(String code, String reason) {
        return new BadRow(at, code, reason);
    }

    BadRow malformed(String reason) {
        if (pos >= limit) {
            throw new CutShort();
        }
        return fault(Codes.MALFORMED_JSON, reason + ", found " + here());
    }

    private String here() {
        int b = bytes[pos] & 0xFF;
        return b > ' ' && b < 0x7F ? "`" + (char) b + "`" : String.format(Locale.ROOT, "byte 0x%02X", b);
    }

    /// What kind of value begins with a byte, for people; a byte that begins none is a fault of its own.
    String kind(int first) {
        return switch (first) {
            case '{' -> "an object";
            case '[' -> "an array";
            case '"' -> "a string";
            case 't', 'f' -> "a boolean";
            case 'n' -> "null";
            default -> {
                requireNumber(first);
                yield "a number";
            }
        };
    }

    BadRow wrongType(String expected, int first) {
        return fault(Codes.WRONG_TYPE, "expected " + expected + ", got " + kind(first));
    }

    String textAsString() {
        return new String(text, textStart, textEnd - textStart, StandardCharsets.UTF_8);
    }

    /// The text for a reason: at most 40 bytes of it.
    String textShown() {
        if (textEnd - textStart <= 40) {
            return "`" + textAsString() + "`";
        }
        byte[] head = Arrays.copyOfRange(text, textStart, textStart + 40);
        return "`" + new String(head, StandardCharsets.UTF_8) + "…`";
    }
}
