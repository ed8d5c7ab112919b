package io.storageengine.ingest.rows;

import io.storageengine.ingest.rows.RowFault.Codes;
import java.io.IOException;

/// NDJSON: one row a line, blank lines aside. A bad line never costs another one.
final class LineSource implements RowSource {
    private static final long NEWLINES = 0x0A0A0A0A0A0A0A0AL;

    private final ByteWindow window;
    private final int rowBytesMax;
    private boolean first = true;
    /// The line's newline was not reached: it is too long.
    private boolean unfinished;

    LineSource(ByteWindow window, int rowBytesMax) {
        this.window = window;
        this.rowBytesMax = rowBytesMax;
    }

    @Override
    public boolean next(JsonScanner scanner) throws IOException {
        while (true) {
            int end = line();
            if (end < 0) {
                return false;
            }
            int start = window.from;
            window.from = Math.min(end + 1, window.to);
            scanner.begin(window.bytes, withoutMark(start), end);
            if (end - start > rowBytesMax) {
                unfinished = end == window.to;
                throw new BadRow("", Codes.ROW_TOO_LONG, "the line is longer than " + rowBytesMax + " bytes");
            }
            if (!scanner.atEnd()) {
                return true;
            }
        }
    }

    /// The end of the line that begins at the window's front, or -1 when there is none.
    private int line() throws IOException {
        int searched = 0;
        while (true) {
            int end = newline(window.from + searched);
            if (end < window.to || window.size() > rowBytesMax) {
                return end;
            }
            searched = window.size();
            if (!window.fill()) {
                return window.size() == 0 ? -1 : window.to;
            }
        }
    }

    /// The place of the first newline, or the window's end.
    private int newline(int from) {
        byte[] bytes = window.bytes;
        for (int p = from; p < window.to; p += 8) {
            long found = JsonScanner.matches(JsonScanner.word(bytes, p), NEWLINES);
            if (found != 0) {
                return Math.min(p + (Long.numberOfTrailingZeros(found) >> 3), window.to);
            }
        }
        return window.to;
    }

    /// Steps over a byte order mark at the body's start.
    private int withoutMark(int start) {
        if (!first) {
            return start;
        }
        first = false;
        return DocumentSource.withoutMark(window, start);
    }

    @Override
    public void taken(JsonScanner scanner) {
        if (!scanner.atEnd()) {
            throw new BadRow("", Codes.MALFORMED_JSON, "the line has more than one value; one object a line");
        }
    }

    @Override
    public boolean extend(JsonScanner scanner) {
        throw new BadRow("", Codes.MALFORMED_JSON, "the line ends inside the object");
    }

    @Override
    public void skip(boolean malformed) throws IOException {
        while (unfinished) {
            window.from = window.to;
            if (!window.fill()) {
                unfinished = false;
                return;
            }
            int end = newline(window.from);
            unfinished = end == window.to;
            window.from = Math.min(end + 1, window.to);
        }
    }

    @Override
    public boolean broken() {
        return false;
    }
}
