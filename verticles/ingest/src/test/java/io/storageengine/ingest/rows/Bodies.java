package io.storageengine.ingest.rows;

import io.storageengine.core.message.RowOptions.Format;
import io.storageengine.core.message.RowOptions.OnError;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/// Bodies for tests, and what is read from them.
public final class Bodies {
    private Bodies() {}

    /// What a body gave.
    ///
    /// @param values each row as the texts of its columns
    public record Read(List<List<String>> values, RowFaults faults, boolean broken, long rows) {}

    /// A schema of one optional column `c`.
    public static Schema column(Type type) {
        return new Schema(Types.NestedField.optional(1, "c", type));
    }

    public static Read ndjson(Schema schema, OnError onError, String body) {
        return read(schema, Format.NDJSON, onError, new ByteArrayInputStream(utf8(body)), RowLimits.DEFAULT);
    }

    public static Read json(Schema schema, OnError onError, String body) {
        return read(schema, Format.JSON, onError, new ByteArrayInputStream(utf8(body)), RowLimits.DEFAULT);
    }

    public static Read csv(Schema schema, OnError onError, String body) {
        return read(schema, Format.CSV, onError, new ByteArrayInputStream(utf8(body)), RowLimits.DEFAULT);
    }

    public static Read arrow(Schema schema, OnError onError, byte[] body) {
        return read(schema, Format.ARROW, onError, new ByteArrayInputStream(body), RowLimits.DEFAULT);
    }

    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static Read read(Schema schema, Format format, OnError onError, InputStream body, RowLimits limits) {
        try (BufferAllocator allocator = new RootAllocator();
                RowReader rows = RowReader.open(body, format, onError, schema, limits, allocator, _ -> {})) {
            List<List<String>> values = new ArrayList<>();
            RowBatch batch = rows.next(7, 1 << 20);
            while (batch != null) {
                try (RowBatch closing = batch) {
                    values.addAll(texts(closing));
                }
                batch = rows.next(7, 1 << 20);
            }
            boolean broken = rows instanceof JsonRows json && json.broken();
            return new Read(values, rows.faults(), broken, rows.rows());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static List<List<String>> texts(RowBatch batch) {
        List<List<String>> rows = new ArrayList<>();
        for (int row = 0; row < batch.rows(); row++) {
            int at = row;
            rows.add(batch.columns().getFieldVectors().stream()
                    .map(vector -> text(vector.getObject(at)))
                    .toList());
        }
        return rows;
    }

    private static String text(@Nullable Object value) {
        return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : String.valueOf(value);
    }

    /// A stream that answers a few bytes at a time.
    public static InputStream trickle(byte[] bytes, SplittableRandom random) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int from, int length) {
                return super.read(into, from, Math.min(length, 1 + random.nextInt(9)));
            }
        };
    }
}
