package io.storageengine.ingest.rows;

/// Unwinds when the bytes at hand end inside a row: more may be read and the row tried again.
final class CutShort extends RuntimeException {
    private static final long serialVersionUID = 1;

    CutShort() {
        super("the bytes end inside a row", null, false, false);
    }
}
