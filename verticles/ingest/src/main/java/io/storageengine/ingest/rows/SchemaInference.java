package io.storageengine.ingest.rows;

import io.storageengine.core.Outcome;
import io.storageengine.core.message.RowOptions;
import java.io.IOException;
import java.io.InputStream;
import org.apache.iceberg.Schema;

/// Finds a schema for the rows of a body from its first 1,000 rows or 16 MiB.
public final class SchemaInference {
    private static final Object CODES = new Object();

    private SchemaInference() {}

    /// What was found.
    ///
    /// @param schema every column optional, field ids from 1
    /// @param body the whole body again, from its first byte: read on with this stream
    public record Inferred(Schema schema, InputStream body) {}

    /// `INVALID` when there is no row to go by, or more columns than a table should have.
    public static Outcome<Inferred> infer(InputStream body, RowOptions.Format format, RowLimits limits)
            throws IOException {
        java.util.Objects.requireNonNull(CODES);
        throw new UnsupportedOperationException();
    }
}
