package io.storageengine.ingest.rows;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.message.RowOptions;
import io.storageengine.ingest.rows.arrow.ArrowStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.Schema;
import org.jspecify.annotations.Nullable;

/// Reads the rows of an Arrow IPC stream.
///
/// How its values become column values: columns and fields are matched by name; a value of any type that holds
/// the column's value exactly is taken, whatever its width or unit, others are refused ([TypedNumbers],
/// [TypedTimes]); texts are as JSON strings ([JsonRows]), and JSON for a variant; dictionaries are followed.
final class ArrowRows extends RowReader {
    /// Dictionaries may make many bytes of few: so many are taken, and so many for each byte that came.
    private static final long EXPANDED_BYTES_MAX = 1L << 30;

    private static final long EXPANSION_MAX = 100;

    private final ArrowStream stream;
    private final int rowBytesMax;
    private ArrowStream.@Nullable Batch batch;
    private int at;
    private long expanded;

    ArrowRows(
            InputStream body,
            RowOptions.OnError onError,
            Schema schema,
            RowLimits limits,
            BufferAllocator allocator,
            LongConsumer memory) {
        super(onError, schema, limits, allocator);
        this.stream = new ArrowStream(body, allocator, memory);
        this.rowBytesMax = limits.rowBytesMax();
    }

    @Override
    long read(int index) throws IOException {
        ArrowStream.Batch from = batch;
        while (from == null || at == from.rows()) {
            from = stream.next();
            batch = from;
            at = 0;
            if (from == null) {
                return -1;
            }
        }
        try {
            scanner.beginTyped(rowBytesMax);
            fields.take(from.columns(), at, index);
            rows++;
            return Math.max(1, scanner.weight());
        } catch (BadRow bad) {
            fields.truncate(index);
            note(bad);
            return 0;
        } finally {
            at++;
            expanded += scanner.weight();
            if (expanded > EXPANDED_BYTES_MAX && expanded / EXPANSION_MAX > stream.bytes()) {
                refuseExpansion();
            }
        }
    }

    private static void refuseExpansion() {
        String message = "The Arrow IPC stream's dictionaries make its rows more than " + EXPANSION_MAX
                + " times as long as itself: send fewer rows at once";
        throw new FailureException(new Failure(Failure.Kind.INVALID, "RequestTooLarge", message));
    }

    @Override
    public void close() {
        stream.close();
    }
}
