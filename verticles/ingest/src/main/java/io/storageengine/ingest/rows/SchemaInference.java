package io.storageengine.ingest.rows;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.RowOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.types.TypeUtil;

/// Finds a schema for the rows of a body from its first 1,000 rows or 16 MiB.
///
/// Integers become `long`, other numbers `double`, RFC 3339 texts with a zone `timestamptz`, `true` and `false`
/// `boolean`, objects structs, arrays lists, everything else `string`; so do fields with values of several
/// kinds, with integers beyond 64 bits, that are only ever null, or objects that are only ever empty: a
/// string column takes any JSON value as its text. Rows that are not JSON objects do not count.
public final class SchemaInference {
    private static final int ROWS = 1_000;
    private static final int BYTES = 16 << 20;
    private static final int FIELDS_MAX = 2_000;

    private SchemaInference() {}

    /// What was found.
    ///
    /// @param schema every column optional, field ids from 1
    /// @param body the whole body again, from its first byte: read on with this stream
    public record Inferred(Schema schema, InputStream body) {}

    /// `INVALID` when there is no row to go by, or more columns than a table should have.
    public static Outcome<Inferred> infer(InputStream body, RowOptions.Format format, RowLimits limits)
            throws IOException {
        Recorder recorder = new Recorder(body);
        Shape row = new Shape();
        int rows = look(RowSource.of(format, recorder, limits), recorder, row, new JsonScanner(limits.depthMax()));
        if (rows == 0 || row.fieldCount() == 0) {
            String message = "no schema can be found: the body begins with no JSON object that has fields; create the"
                    + " table first, or send rows";
            return Outcome.failed(Failure.Kind.INVALID, "SchemaNotInferred", message);
        }
        if (row.fieldCount() > FIELDS_MAX) {
            String message = "no schema can be found: the first rows have more than " + FIELDS_MAX
                    + " fields; create the table first, with a map column for fields that are data";
            return Outcome.failed(Failure.Kind.INVALID, "SchemaNotInferred", message);
        }
        try {
            Schema schema = row.toSchema();
            if (TypeUtil.indexById(schema.asStruct()).values().stream()
                    .anyMatch(field -> field.name().isEmpty())) {
                String message = "no schema can be found: a field has an empty name; name it, or leave it out";
                return Outcome.failed(Failure.Kind.INVALID, "SchemaNotInferred", message);
            }
            return Outcome.ok(new Inferred(schema, recorder.again()));
        } catch (ValidationException clash) {
            String message = "no schema can be found: " + clash.getMessage() + "; create the table first";
            return Outcome.failed(Failure.Kind.INVALID, "SchemaNotInferred", message);
        }
    }

    private static int look(RowSource source, Recorder recorder, Shape row, JsonScanner scanner) throws IOException {
        int rows = 0;
        int met = 0;
        while (met < ROWS && recorder.size() < BYTES && row.fieldCount() <= FIELDS_MAX) {
            met++;
            try {
                if (!source.next(scanner)) {
                    break;
                }
                while (!tryRow(scanner)) {
                    source.extend(scanner);
                }
                scanner.pos = scanner.start();
                row.addFields(scanner);
                source.taken(scanner);
                rows++;
            } catch (BadRow bad) {
                source.skip(bad.code.equals(RowFault.Codes.MALFORMED_JSON));
            }
        }
        return rows;
    }

    /// Checks a row before any of it counts; false when its bytes are cut short.
    private static boolean tryRow(JsonScanner scanner) {
        try {
            int first = scanner.peek();
            scanner.skip();
            if (first != '{') {
                throw new BadRow("", RowFault.Codes.NOT_AN_OBJECT, "a row is an object");
            }
            return true;
        } catch (CutShort _) {
            return false;
        }
    }

    /// Keeps what is read of a body.
    private static final class Recorder extends FilterInputStream {
        private final ByteArrayOutputStream read = new ByteArrayOutputStream();

        Recorder(InputStream in) {
            super(in);
        }

        int size() {
            return read.size();
        }

        @Override
        public int read() throws IOException {
            int b = super.read();
            if (b >= 0) {
                read.write(b);
            }
            return b;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int count = super.read(bytes, from, length);
            if (count > 0) {
                read.write(bytes, from, count);
            }
            return count;
        }

        /// From the first byte. What reads it to the end may read once more, so the body stays open.
        InputStream again() {
            InputStream rest = new FilterInputStream(in) {
                @Override
                public void close() {}
            };
            return new SequenceInputStream(new ByteArrayInputStream(read.toByteArray()), rest);
        }
    }
}
