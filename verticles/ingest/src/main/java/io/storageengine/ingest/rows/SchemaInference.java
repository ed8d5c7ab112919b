package io.storageengine.ingest.rows;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.RowOptions;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.iceberg.Schema;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.types.TypeUtil;

/// Finds a schema for the rows of a body from its first 1,000 rows or 16 MiB. Arrow streams say theirs themselves
/// ([ArrowSchemas]).
///
/// Integers become `long`, other numbers `double`, RFC 3339 texts with a zone `timestamptz`, `true` and `false`
/// `boolean`, objects structs, arrays lists, everything else `string`; so do fields with values of several
/// kinds, with integers beyond 64 bits, that are only ever null, or objects that are only ever empty: a
/// string column takes any JSON value as its text. Of names that differ only by case the first one seen
/// becomes a column.
///
/// In CSV a field without quotes that JSON would take for a number, or that is `true` or `false` in any case, is
/// that, and one in quotes a text.
///
/// Bad rows and those with a name twice count only when there are no others, as far as they can be read: the
/// table that they are for refuses them, and says why.
public final class SchemaInference {
    private static final int ROWS = 1_000;
    private static final int BYTES = 16 << 20;
    private static final int FIELDS_MAX = 2_000;

    private SchemaInference() {}

    /// Reads the beginning of a body; every column is optional, field ids count from 1. There are no columns
    /// when it has no row to go by.
    ///
    /// `INVALID` when there are more columns than a table should have, or fields that cannot be columns.
    public static Outcome<Schema> infer(Rereadable body, RowOptions.Format format, RowLimits limits)
            throws IOException {
        if (format == RowOptions.Format.ARROW) {
            return ArrowSchemas.of(body);
        }
        if (format == RowOptions.Format.CSV) {
            return schema(lookAtCsv(body, limits));
        }
        return schema(
                look(RowSource.of(format, body, limits, body.memory()), body, new JsonScanner(limits.depthMax())));
    }

    private static Outcome<Schema> schema(Shape row) {
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
            return Outcome.ok(schema);
        } catch (ValidationException clash) {
            String message = "no schema can be found: " + clash.getMessage() + "; create the table first";
            return Outcome.failed(Failure.Kind.INVALID, "SchemaNotInferred", message);
        }
    }

    /// There is no row to go by, and nothing wrong with those that are there.
    public static Failure none() {
        String message = "no schema can be found: the body begins with no JSON object that has fields; create the"
                + " table first, or send rows";
        return new Failure(Failure.Kind.INVALID, "SchemaNotInferred", message);
    }

    private static Shape look(RowSource source, Rereadable body, JsonScanner scanner) throws IOException {
        Shape good = new Shape();
        Shape doubtful = new Shape();
        int rows = 0;
        while (rows < ROWS && body.size() < BYTES && good.fieldCount() <= FIELDS_MAX) {
            try {
                if (!source.next(scanner)) {
                    break;
                }
                Names names = new Names();
                while (!tryRow(scanner, names, doubtful)) {
                    source.extend(scanner);
                    names = new Names();
                }
                scanner.pos = scanner.start();
                (names.areUnique ? good : doubtful).addFields(scanner);
                source.taken(scanner);
                rows += names.areUnique ? 1 : 0;
            } catch (BadRow bad) {
                source.skip(bad.code.equals(RowFault.Codes.MALFORMED_JSON));
            }
        }
        return good.isEmpty() ? doubtful : good;
    }

    private static Shape lookAtCsv(Rereadable body, RowLimits limits) throws IOException {
        JsonScanner scanner = new JsonScanner(1);
        CsvSource source =
                new CsvSource(new ByteWindow(body, body.memory()), limits.rowBytesMax(), CsvRows.COLUMNS_MAX);
        List<String> names = CsvRows.header(source, scanner);
        Shape shape = new Shape();
        for (String name : names.subList(0, Math.min(names.size(), FIELDS_MAX + 1))) {
            shape.addNull(name);
        }
        int rows = 0;
        while (rows < ROWS && body.size() < BYTES && names.size() <= FIELDS_MAX) {
            try {
                if (!source.next()) {
                    break;
                }
                rows += source.fields() == names.size() ? 1 : 0;
                for (int i = 0; i < names.size() && source.fields() == names.size(); i++) {
                    if (!source.isNull(i)) {
                        source.text(i, names.get(i), scanner);
                        shape.addText(names.get(i), scanner, source.isQuoted(i));
                    }
                }
            } catch (BadRow bad) {
                // The table that it is for refuses it, and says why.
            }
        }
        return shape;
    }

    /// Checks a row before any of it counts; false when its bytes are cut short. What can be read of one that
    /// is bad is doubtful.
    private static boolean tryRow(JsonScanner scanner, Names names, Shape doubtful) {
        try {
            int first = scanner.peek();
            if (first != '{') {
                scanner.skip();
                throw new BadRow("", RowFault.Codes.NOT_AN_OBJECT, "a row is an object");
            }
            names.check(scanner);
            return true;
        } catch (CutShort _) {
            guess(scanner, doubtful);
            return false;
        } catch (BadRow bad) {
            guess(scanner, doubtful);
            throw bad;
        }
    }

    /// A table with the columns of a bad row says what is bad about it in the words of any other table.
    private static void guess(JsonScanner scanner, Shape doubtful) {
        scanner.begin(scanner.bytes, scanner.start(), scanner.limit);
        try {
            if (scanner.peek() == '{') {
                doubtful.addFields(scanner);
            }
        } catch (CutShort | BadRow end) {
            // What was read up to here stays.
        }
    }

    /// Walks a value as a [Shape] does, and looks at the names of its objects.
    private static final class Names {
        private boolean areUnique = true;

        void check(JsonScanner in) {
            switch (in.peek()) {
                case '{' -> checkFields(in);
                case '[' -> checkElements(in);
                default -> in.skip();
            }
        }

        private void checkFields(JsonScanner in) {
            Set<String> folded = new HashSet<>();
            in.enter();
            if (in.peek() != '}') {
                do {
                    in.name();
                    areUnique &= folded.add(folded(in.textAsString()));
                    check(in);
                } while (in.more('}'));
            }
            in.leave();
        }

        private void checkElements(JsonScanner in) {
            in.enter();
            if (in.peek() != ']') {
                do {
                    check(in);
                } while (in.more(']'));
            }
            in.leave();
        }
    }

    /// Two names are one column to engines that do not tell case apart.
    static String folded(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
