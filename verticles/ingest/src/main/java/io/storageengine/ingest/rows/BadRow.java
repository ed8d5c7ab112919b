package io.storageengine.ingest.rows;

/// Unwinds the reading of one row. Carries no stack trace: a body of nothing but bad rows must not cost more
/// than a good one.
final class BadRow extends RuntimeException {
    private static final long serialVersionUID = 1;

    final String field;
    final String code;
    final String reason;

    BadRow(String field, String code, String reason) {
        super(reason, null, false, false);
        this.field = field;
        this.code = code;
        this.reason = reason;
    }
}
