package io.storageengine.ingest.rows;

import io.storageengine.core.message.RowOptions;
import io.storageengine.ingest.rows.RowFault.Codes;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.Schema;

/// Reads the rows of a JSON body (an object or an array of objects) or of NDJSON.
///
/// How JSON values become column values: numbers exactly or not at all (a double takes the nearest value);
/// a `string` column takes any JSON value, other than texts as their JSON text; decimals are numbers or texts;
/// dates and times are ISO 8601 texts; `uuid`, `fixed` and `binary` texts are as in Iceberg's JSON form of
/// single values (hexadecimal); maps with string keys are objects, others `{"keys": […], "values": […]}` or
/// arrays of pairs; `NaN`, `Infinity` and `-Infinity` are texts.
public final class JsonRows extends RowReader {
    private final RowSource source;

    private JsonRows(
            RowSource source, RowOptions.OnError onError, Schema schema, RowLimits limits, BufferAllocator allocator) {
        super(onError, schema, limits, allocator);
        this.source = source;
    }

    /// Opens a body; as [RowReader#open].
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

    @Override
    long read(int index) throws IOException {
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

    /// True when the rest of the body could not be told apart into rows and was not read: a JSON document
    /// that is not JSON from some point on. The last fault says where. NDJSON never breaks.
    public boolean broken() {
        return source.broken();
    }
}
