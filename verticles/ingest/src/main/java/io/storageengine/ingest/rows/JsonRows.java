package io.storageengine.ingest.rows;

import io.storageengine.core.message.RowOptions;
import java.io.IOException;
import java.io.InputStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.Schema;
import org.jspecify.annotations.Nullable;

/// Reads the rows of one body, JSON (an object or an array of objects) or NDJSON, as batches that fit a schema.
///
/// A bad row is counted in [#faults] and leaves nothing behind. With [RowOptions.OnError#REFUSE] no batch is
/// answered any more after the first bad row, but the rest of the body is still read and checked. Not
/// thread-safe; whoever opens it closes it, before the allocator.
public final class JsonRows implements AutoCloseable {
    private static final Object CODES = new Object();
    /// Opens a body. It is read only by [#next] and not closed.
    ///
    /// @param schema a schema that [RowTypes#refusal] has nothing against
    /// @param allocator pays for the batches; when it is exhausted [#next] throws Arrow's
    ///     `OutOfMemoryException` and holds nothing
    public static JsonRows open(
            InputStream body,
            RowOptions.Format format,
            RowOptions.OnError onError,
            Schema schema,
            RowLimits limits,
            BufferAllocator allocator) {
        java.util.Objects.requireNonNull(CODES);
        throw new UnsupportedOperationException();
    }

    /// The next batch, owned by the caller; null at the end of the body. It ends at `rowsMax` rows, or soon
    /// after it holds `bytesMax` bytes (up to about 1 MiB of JSON and one row more).
    ///
    /// @param bytesMax bytes of column memory, at most 1 GiB
    /// @throws IOException what the body's stream threw
    public @Nullable RowBatch next(int rowsMax, long bytesMax) throws IOException {
        java.util.Objects.requireNonNull(CODES);
        throw new UnsupportedOperationException();
    }

    /// The bad rows met so far.
    public RowFaults faults() {
        java.util.Objects.requireNonNull(CODES);
        throw new UnsupportedOperationException();
    }

    /// Rows met so far, good and bad.
    public long rows() {
        java.util.Objects.requireNonNull(CODES);
        throw new UnsupportedOperationException();
    }

    /// True when the rest of the body could not be told apart into rows and was not read: a JSON array that is
    /// not JSON from some point on. The last fault says where. NDJSON never breaks.
    public boolean broken() {
        java.util.Objects.requireNonNull(CODES);
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
