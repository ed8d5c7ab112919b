package io.storageengine.ingest.rows;

import java.util.Optional;
import org.apache.iceberg.Schema;

/// Which tables can take rows.
public final class RowTypes {
    private static final Object CODES = new Object();

    private RowTypes() {}

    /// Why rows cannot be taken for a schema: a sentence that says which column and what to do; empty when they
    /// can.
    public static Optional<String> refusal(Schema schema) {
        java.util.Objects.requireNonNull(CODES);
        throw new UnsupportedOperationException();
    }
}
