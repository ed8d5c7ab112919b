package io.storageengine.ingest.rows;

import io.storageengine.core.message.RowOptions;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.Schema;
import org.jspecify.annotations.Nullable;

/// Reads the rows of one body, whatever its format, as batches that fit a schema: [JsonRows], [CsvRows],
/// [ArrowRows].
///
/// A bad row is counted in [#faults] and leaves nothing behind. With [RowOptions.OnError#REFUSE] no batch is
/// answered any more after the first bad row, but the rest of the body is still read and checked. A body that
/// cannot be told apart into rows at all ends in a `FailureException` of kind `INVALID`. Not thread-safe.
public abstract class RowReader implements AutoCloseable {
    /// A column's bytes are counted in an int.
    private static final long BYTES_MAX = 1L << 30;

    private static final int ROWS_AT_FIRST = 256;
    private static final int BYTES_BETWEEN_CHECKS = 1 << 20;
    private static final int ROWS_BETWEEN_CHECKS = 256;
    private static final long SKIPPED_BYTES = 1 << 20;

    final JsonScanner scanner;
    /// The columns that rows are read into.
    final StructFields fields;
    /// Rows met so far, good and bad.
    long rows;

    private final Schema schema;
    private final org.apache.arrow.vector.types.pojo.Schema layout;
    private final BufferAllocator allocator;
    private final RowLimits limits;
    private final boolean refuse;
    private final List<RowFault> first = new ArrayList<>();
    private long faults;
    private int roomRows = ROWS_AT_FIRST;
    private long stopRows = Long.MAX_VALUE;

    RowReader(RowOptions.OnError onError, Schema schema, RowLimits limits, BufferAllocator allocator) {
        this.schema = schema;
        this.layout = ArrowTypes.schema(schema);
        this.allocator = allocator;
        this.limits = limits;
        this.refuse = onError == RowOptions.OnError.REFUSE;
        this.scanner = new JsonScanner(limits.depthMax());
        this.fields = new RowColumns(scanner).fields("", schema.columns());
    }

    /// Opens a body. It is read only by [#next] and not closed.
    ///
    /// @param schema a schema that [RowTypes#refusal] has nothing against
    /// @param allocator pays for the batches; when it is exhausted [#next] throws Arrow's
    ///     `OutOfMemoryException` and holds nothing
    /// @param memory is told of the bytes outside of batches that rows take; it may refuse by an exception
    public static RowReader open(
            InputStream body,
            RowOptions.Format format,
            RowOptions.OnError onError,
            Schema schema,
            RowLimits limits,
            BufferAllocator allocator,
            LongConsumer memory) {
        return switch (format) {
            case JSON, NDJSON -> JsonRows.open(body, format, onError, schema, limits, allocator, memory);
            case CSV -> new CsvRows(body, onError, schema, limits, allocator, memory);
            case ARROW -> new ArrowRows(body, onError, schema, limits, allocator, memory);
        };
    }

    /// The next batch, owned by the caller; null at the end of the body. It ends at `rowsMax` rows, or soon
    /// after it holds `bytesMax` bytes (up to about 1 MiB of the body and one row more).
    ///
    /// @param bytesMax bytes of column memory, at most 1 GiB
    /// @throws IOException what the body's stream threw
    public final @Nullable RowBatch next(int rowsMax, long bytesMax) throws IOException {
        if (rowsMax < 1 || bytesMax < 1 || bytesMax > BYTES_MAX) {
            throw new IllegalArgumentException("rowsMax from 1, bytesMax from 1 to 1 GiB");
        }
        VectorSchemaRoot columns = VectorSchemaRoot.create(layout, allocator);
        boolean kept = false;
        try {
            fields.bind(columns.getFieldVectors(), Math.min(rowsMax, roomRows));
            int taken = fill(rowsMax, bytesMax);
            if (taken == 0) {
                return null;
            }
            roomRows = taken;
            fields.finish();
            columns.setRowCount(taken);
            kept = true;
            return new RowBatch(columns, schema);
        } finally {
            if (!kept) {
                columns.close();
            }
        }
    }

    /// Passes over rows, good and bad, until that many were met or the body ends.
    public final void skip(long count) throws IOException {
        stopRows = count;
        try {
            for (long before = -1; rows < count && rows > before; ) {
                before = rows;
                RowBatch passed = next(Integer.MAX_VALUE, SKIPPED_BYTES);
                if (passed != null) passed.close();
            }
        } finally {
            stopRows = Long.MAX_VALUE;
        }
    }

    /// Appends rows until the batch is full or the body ends.
    ///
    /// @return how many rows the batch has
    private int fill(int rowsMax, long bytesMax) throws IOException {
        int taken = 0;
        int unchecked = 0;
        long uncheckedBytes = 0;
        while (taken < rowsMax && rows < stopRows) {
            long rowBytes = read(taken);
            if (rowBytes < 0) {
                break;
            }
            if (rowBytes == 0) {
                continue;
            }
            if (refuse && faults > 0) {
                taken = 0;
                fields.truncate(0);
                continue;
            }
            taken++;
            uncheckedBytes += rowBytes;
            if (++unchecked >= ROWS_BETWEEN_CHECKS || uncheckedBytes >= BYTES_BETWEEN_CHECKS) {
                if (fields.bytes() >= bytesMax) {
                    break;
                }
                unchecked = 0;
                uncheckedBytes = 0;
            }
        }
        return refuse && faults > 0 ? 0 : taken;
    }

    /// Reads one row as row `index` of the batch; a bad one is truncated and [#note]d.
    ///
    /// @return about its length in bytes, at least 1; 0 when it was bad, -1 when there is none
    abstract long read(int index) throws IOException;

    /// Counts a bad row.
    final void note(BadRow bad) {
        if (first.size() < limits.faultsMax()) {
            first.add(new RowFault(rows, bad.field, bad.code, bad.reason));
        }
        faults++;
        rows++;
    }

    /// The bad rows met so far.
    public final RowFaults faults() {
        return new RowFaults(faults, first);
    }

    /// Rows met so far, good and bad.
    public final long rows() {
        return rows;
    }

    /// Gives back what it holds besides the batches it answered.
    @Override
    public void close() {}
}
