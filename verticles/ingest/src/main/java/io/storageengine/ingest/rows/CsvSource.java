package io.storageengine.ingest.rows;

import io.storageengine.ingest.rows.RowFault.Codes;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Tells the records of a CSV body (RFC 4180, UTF-8) and their fields apart. Lines end with LF or CRLF; fields in
/// quotes may hold both, commas, and doubled quotes. Blank lines are no records, unless records have one field.
///
/// Our own: Jackson's CSV reader neither tells an empty field from one of empty quotes, nor goes on behind a
/// record that is malformed, nor bounds one before it is read whole.
final class CsvSource {
    private enum State {
        FIELD_START,
        PLAIN,
        QUOTED,
        BEHIND_QUOTE,
        /// Behind a carriage return outside of quotes.
        RETURN
    }

    private final ByteWindow window;
    private final int recordBytesMax;
    /// Fields whose places are kept; more are only counted.
    private int[] starts = new int[16];

    private int[] ends = new int[16];
    private boolean[] quoted = new boolean[16];
    private int fieldsMax;
    private int fields;
    /// Of the record, from the window's front.
    private int length;
    private State state = State.FIELD_START;
    /// Of the field being read.
    private int start;

    private boolean isQuoted;
    private boolean tooLong;
    private boolean atStart = true;
    private @Nullable String malformed;

    /// @param fieldsMax fields of a record whose places are kept; more are only counted
    CsvSource(ByteWindow window, int recordBytesMax, int fieldsMax) {
        this.window = window;
        this.recordBytesMax = recordBytesMax;
        this.fieldsMax = fieldsMax;
    }

    /// From now on records have as many fields.
    void expect(int wanted) {
        fieldsMax = wanted;
    }

    /// How many fields the record has.
    int fields() {
        return fields;
    }

    /// Its length in bytes, line end included.
    int length() {
        return length;
    }

    /// Goes to the next record; false when there is none.
    ///
    /// @throws BadRow when it is too long or malformed; the one behind it is the next
    boolean next() throws IOException {
        do {
            window.from += length;
            begin();
            if (!scan()) {
                return false;
            }
        } while (!tooLong && fieldsMax != 1 && fields == 1 && isNull(0));
        if (tooLong) {
            window.from += length;
            length = 0;
            throw new BadRow("", Codes.ROW_TOO_LONG, "the row is longer than " + recordBytesMax + " bytes");
        }
        if (malformed != null) {
            throw new BadRow("", Codes.MALFORMED_CSV, malformed);
        }
        return true;
    }

    private void begin() throws IOException {
        length = 0;
        fields = 0;
        start = 0;
        isQuoted = false;
        tooLong = false;
        malformed = null;
        state = State.FIELD_START;
        if (atStart) {
            atStart = false;
            boolean more = true;
            while (more && window.size() < 3) {
                more = window.fill();
            }
            window.from = DocumentSource.withoutMark(window, window.from);
        }
    }

    /// Reads a record to its end; false when there is not even a first byte.
    private boolean scan() throws IOException {
        int p = 0;
        boolean any = false;
        while (true) {
            if (p == window.size()) {
                if (window.size() > recordBytesMax) {
                    tooLong = true;
                    window.from = window.to;
                    p = 0;
                }
                if (!window.fill()) {
                    return any && end(p);
                }
                continue;
            }
            any = true;
            p = overPlain(p);
            if (p == window.size()) {
                continue;
            }
            byte b = window.bytes[window.from + p];
            if (step(b, p)) {
                length = p + 1;
                tooLong |= length > recordBytesMax;
                return true;
            }
            p++;
        }
    }

    /// Steps over bytes that change nothing, as most do.
    private int overPlain(int p) {
        byte[] bytes = window.bytes;
        int at = window.from + p;
        int to = window.to;
        if (state == State.QUOTED) {
            while (at < to && bytes[at] != '"') {
                at++;
            }
        } else if (state == State.PLAIN) {
            while (at < to && bytes[at] > ',') {
                at++;
            }
        }
        return at - window.from;
    }

    /// Takes one byte; true when it ends the record.
    private boolean step(byte b, int p) {
        return switch (state) {
            case QUOTED -> {
                state = b == '"' ? State.BEHIND_QUOTE : State.QUOTED;
                yield false;
            }
            case PLAIN -> b <= ',' && outside(b, p);
            case FIELD_START -> {
                isQuoted = b == '"';
                start = p;
                state = isQuoted ? State.QUOTED : State.PLAIN;
                yield !isQuoted && outside(b, p);
            }
            case BEHIND_QUOTE -> {
                if (b == '"') {
                    state = State.QUOTED;
                    yield false;
                }
                if (b != ',' && b != '\n' && b != '\r') {
                    fault("there is text behind a field's closing quote");
                    state = State.PLAIN;
                }
                yield outside(b, p);
            }
            case RETURN -> {
                if (b == '\n') {
                    field(p - 1);
                    yield true;
                }
                fault("a carriage return outside of quotes is no line end: lines end with LF or CRLF");
                state = State.PLAIN;
                yield outside(b, p);
            }
        };
    }

    /// A byte that is not in quotes.
    private boolean outside(byte b, int p) {
        switch (b) {
            case ',' -> {
                field(p);
                state = State.FIELD_START;
            }
            case '\n' -> field(p);
            case '\r' -> state = State.RETURN;
            case '"' -> fault("a quote stands inside a field that does not begin with one");
            default -> {
                // Part of the field.
            }
        }
        return b == '\n';
    }

    /// The body ends in a record: true.
    private boolean end(int p) {
        switch (state) {
            case QUOTED -> fault("a quote is not closed before the body's end");
            case RETURN -> field(p - 1);
            case FIELD_START -> {
                isQuoted = false;
                start = p;
                field(p);
            }
            case PLAIN, BEHIND_QUOTE -> field(p);
        }
        length = p;
        return true;
    }

    private void fault(String why) {
        malformed = malformed == null ? why : malformed;
    }

    private void field(int end) {
        if (!tooLong && fields < fieldsMax) {
            if (fields == starts.length) {
                starts = Arrays.copyOf(starts, 2 * fields);
                ends = Arrays.copyOf(ends, 2 * fields);
                quoted = Arrays.copyOf(quoted, 2 * fields);
            }
            starts[fields] = start;
            ends[fields] = end;
            quoted[fields] = isQuoted;
        }
        fields++;
    }

    /// True when a field is empty, without quotes.
    boolean isNull(int field) {
        return starts[field] == ends[field];
    }

    boolean isQuoted(int field) {
        return quoted[field];
    }

    /// Gives the scanner a field's text, without quotes; a byte that is part of no number follows it.
    ///
    /// @param name the column's, for faults
    void text(int field, String name, JsonScanner scanner) {
        int from = window.from + starts[field];
        int to = window.from + ends[field];
        scanner.at = name;
        if (quoted[field]) {
            unquote(from + 1, to - 1, scanner);
        } else {
            scanner.text = window.bytes;
            scanner.textStart = from;
            scanner.textEnd = to;
        }
        if (!Utf8Decoder.isValid(scanner.text, scanner.textStart, scanner.textEnd)) {
            throw scanner.fault(Codes.INVALID_UTF8, "the bytes are not UTF-8");
        }
    }

    private void unquote(int from, int to, JsonScanner scanner) {
        byte[] room = scanner.room(to - from);
        int size = 0;
        for (int p = from; p < to; p++) {
            byte b = window.bytes[p];
            room[size++] = b;
            p += b == '"' ? 1 : 0;
        }
        scanner.room(size);
    }
}
