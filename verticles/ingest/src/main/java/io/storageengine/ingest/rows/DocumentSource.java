package io.storageengine.ingest.rows;

import io.storageengine.ingest.rows.RowFault.Codes;
import java.io.IOException;

/// One JSON document: a row, or an array of rows. Rows are found while they are read; what is not JSON ends it.
final class DocumentSource implements RowSource {
    private enum State {
        START,
        FIRST_OF_ARRAY,
        IN_ARRAY,
        AFTER_VALUE,
        DONE,
        BROKEN
    }

    private final ByteWindow window;
    private final int rowBytesMax;
    private State state = State.START;

    DocumentSource(ByteWindow window, int rowBytesMax) {
        this.window = window;
        this.rowBytesMax = rowBytesMax;
    }

    @Override
    public boolean next(JsonScanner scanner) throws IOException {
        return switch (state) {
            case START -> start(scanner);
            case FIRST_OF_ARRAY, IN_ARRAY -> element(scanner);
            case AFTER_VALUE -> end();
            case DONE, BROKEN -> false;
        };
    }

    private boolean start(JsonScanner scanner) throws IOException {
        while (window.size() < 3 && window.fill()) {
            // A byte order mark may come in pieces.
        }
        window.from = withoutMark(window, window.from);
        int c = peek();
        if (c == '[') {
            window.from++;
            state = State.FIRST_OF_ARRAY;
            return next(scanner);
        }
        if (c != '{') {
            throw broken(c < 0 ? "the body is empty" : "the body is neither an object nor an array of objects");
        }
        state = State.AFTER_VALUE;
        scanner.begin(window.bytes, window.from, window.to);
        return true;
    }

    static int withoutMark(ByteWindow window, int start) {
        byte[] bytes = window.bytes;
        boolean marked = window.to - start >= 3
                && bytes[start] == (byte) 0xEF
                && bytes[start + 1] == (byte) 0xBB
                && bytes[start + 2] == (byte) 0xBF;
        return marked ? start + 3 : start;
    }

    private boolean element(JsonScanner scanner) throws IOException {
        int c = peek();
        if (c == ']') {
            window.from++;
            state = State.AFTER_VALUE;
            return end();
        }
        if (state == State.IN_ARRAY) {
            if (c != ',') {
                throw broken("expected `,` or `]` after a row of the array");
            }
            window.from++;
            c = peek();
        }
        if (c < 0 || c == ']' || c == ',') {
            throw broken("expected a row");
        }
        state = State.IN_ARRAY;
        scanner.begin(window.bytes, window.from, window.to);
        return true;
    }

    private boolean end() throws IOException {
        if (peek() >= 0) {
            throw broken("something stands behind the end of the document");
        }
        state = State.DONE;
        return false;
    }

    /// The next byte that is not white space, or -1 at the end of the body.
    private int peek() throws IOException {
        while (true) {
            while (window.from < window.to) {
                int b = window.bytes[window.from];
                if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                    return b & 0xFF;
                }
                window.from++;
            }
            if (!window.fill()) {
                return -1;
            }
        }
    }

    private BadRow broken(String reason) {
        state = State.BROKEN;
        return new BadRow("", Codes.MALFORMED_JSON, reason + "; the rest of the body was not read");
    }

    @Override
    public void taken(JsonScanner scanner) {
        window.from = scanner.pos;
    }

    @Override
    public boolean extend(JsonScanner scanner) throws IOException {
        if (window.size() > rowBytesMax) {
            throw new BadRow("", Codes.ROW_TOO_LONG, "the row is longer than " + rowBytesMax + " bytes");
        }
        if (!window.fill()) {
            throw broken("the body ends inside a row");
        }
        scanner.begin(window.bytes, window.from, window.to);
        return true;
    }

    @Override
    public void skip(boolean malformed) throws IOException {
        if (malformed) {
            state = State.BROKEN;
        }
        if (state != State.BROKEN && !skipValue()) {
            state = State.BROKEN;
        }
    }

    /// Passes over the value at the window's front by its brackets and quotes alone.
    private boolean skipValue() throws IOException {
        int depth = 0;
        boolean inString = false;
        while (true) {
            while (window.from < window.to) {
                byte b = window.bytes[window.from];
                boolean closes = b == '}' || b == ']';
                if (inString) {
                    inString = b != '"';
                    if (b == '\\' && !skipEscaped()) {
                        return false;
                    }
                } else if (depth == 0 && (closes || b == ',')) {
                    return true;
                } else {
                    inString = b == '"';
                    depth += b == '{' || b == '[' ? 1 : closes ? -1 : 0;
                }
                window.from++;
            }
            if (!window.fill()) {
                return depth == 0 && !inString;
            }
        }
    }

    private boolean skipEscaped() throws IOException {
        window.from++;
        return window.from < window.to || window.fill();
    }

    @Override
    public boolean broken() {
        return state == State.BROKEN;
    }
}
