package io.storageengine.ingest.rows;

import io.storageengine.core.message.RowOptions;
import io.storageengine.ingest.rows.RowFault.Codes;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.Schema;
import org.jspecify.annotations.Nullable;

/// Reads the rows of one body, JSON (an object or an array of objects) or NDJSON, as batches that fit a schema.
///
/// A bad row is counted in [#faults] and leaves nothing behind. With [RowOptions.OnError#REFUSE] no batch is
/// answered any more after the first bad row, but the rest of the body is still read and checked. Not
/// thread-safe.
///
/// How JSON values become column values: numbers exactly or not at all (a double takes the nearest value);
/// a `string` column takes any JSON value, other than texts as their JSON text; decimals are numbers or texts;
/// dates and times are ISO 8601 texts; `uuid`, `fixed` and `binary` texts are as in Iceberg's JSON form of
/// single values (hexadecimal); maps with string keys are objects, others `{"keys": […], "values": […]}` or
/// arrays of pairs; `NaN`, `Infinity` and `-Infinity` are texts.
public final class JsonRows {
    /// A column's bytes are counted in an int.
    private static final long BYTES_MAX = 1L << 30;

    private static final int ROWS_AT_FIRST = 256;
    private static final int BYTES_BETWEEN_CHECKS = 1 << 20;
    private static final int ROWS_BETWEEN_CHECKS = 256;
    private static final long SKIPPED_BYTES = 1 << 20;

    private final Schema schema;
    private final org.apache.arrow.vector.types.pojo.Schema layout;
    private final BufferAllocator allocator;
    private final RowLimits limits;
    private final boolean refuse;
    private final RowSource source;
    private final JsonScanner scanner;
    private final StructFields fields;
    private final List<RowFault> first = new ArrayList<>();
    private long faults;
    private long rows;
    private int roomRows = ROWS_AT_FIRST;
    private long stopRows = Long.MAX_VALUE;

    private JsonRows(
            RowSource source, RowOptions.OnError onError, Schema schema, RowLimits limits, BufferAllocator allocator) {
        this.schema = schema;
        this.layout = ArrowTypes.schema(schema);
        this.allocator = allocator;
        this.limits = limits;
        this.refuse = onError == RowOptions.OnError.REFUSE;
        this.source = source;
        this.scanner = new JsonScanner(limits.depthMax());
        this.fields = new RowColumns(scanner).fields("", schema.columns());
    }

    /// Opens a body. It is read only by [#next] and not closed.
    ///
    /// @param schema a schema that [RowTypes#refusal] has nothing against
    /// @param allocator pays for the batches; when it is exhausted [#next] throws Arrow's
    ///     `OutOfMemoryException` and holds nothing
    /// @param memory is told of the bytes outside of batches that long rows take; it may refuse by an exception
    public static JsonRows open(
            InputStream body,
            RowOptions.Format format,
            RowOptions.OnError onError,
            Schema schema,
            RowLimits limits,
            BufferAllocator allocator,
            LongConsumer memory) {
        return new JsonRows(RowSource.of(format, body, limits, memory), onError, schema, limits, allocator);
    }

    /// The next batch, owned by the caller; null at the end of the body. It ends at `rowsMax` rows, or soon
    /// after it holds `bytesMax` bytes (up to about 1 MiB of JSON and one row more).
    ///
    /// @param bytesMax bytes of column memory, at most 1 GiB
    /// @throws IOException what the body's stream threw
    public @Nullable RowBatch next(int rowsMax, long bytesMax) throws IOException {
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
    public void skip(long count) throws IOException {
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

    /// Reads one row as row `index` of the batch.
    ///
    /// @return its length in bytes; 0 when it was bad, -1 when there is none
    private long read(int index) throws IOException {
        try {
            if (!source.next(scanner)) {
                return -1;
            }
            int start = scanner.pos;
            while (!tryRead(index)) {
                fields.truncate(index);
                source.extend(scanner);
                start = scanner.pos;
            }
            int length = scanner.pos - start;
            source.taken(scanner);
            rows++;
            return length;
        } catch (BadRow bad) {
            fields.truncate(index);
            note(bad);
            source.skip(bad.code.equals(Codes.MALFORMED_JSON));
            return 0;
        }
    }

    /// False when the bytes end inside the row.
    private boolean tryRead(int index) {
        try {
            int c = scanner.peek();
            if (c != '{') {
                scanner.skip();
                throw new BadRow("", Codes.NOT_AN_OBJECT, "a row is an object, got " + scanner.kind(c));
            }
            fields.read(index);
            return true;
        } catch (CutShort _) {
            return false;
        }
    }

    private void note(BadRow bad) {
        if (first.size() < limits.faultsMax()) {
            first.add(new RowFault(rows, bad.field, bad.code, bad.reason));
        }
        faults++;
        rows++;
    }

    /// The bad rows met so far.
    public RowFaults faults() {
        return new RowFaults(faults, first);
    }

    /// Rows met so far, good and bad.
    public long rows() {
        return rows;
    }

    /// True when the rest of the body could not be told apart into rows and was not read: a JSON document
    /// that is not JSON from some point on. The last fault says where. NDJSON never breaks.
    public boolean broken() {
        return source.broken();
    }
}
