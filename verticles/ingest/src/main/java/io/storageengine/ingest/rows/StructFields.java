package io.storageengine.ingest.rows;

import io.storageengine.ingest.rows.RowFault.Codes;
import io.storageengine.ingest.rows.cells.Cells;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/// The fields of an object: of a struct, or of a whole row.
///
/// Fields are expected in the order in which they came before; a name that breaks it is looked up.
final class StructFields {
    private final JsonScanner in;
    private final String path;
    private final RowColumn[] columns;
    private final Name[] names;
    private final NameTable table;
    /// Which column usually follows a column; one more than the columns for the first.
    private final int[] next;
    /// The typed columns that were taken from last, and which of ours each of them is.
    private Cells.@Nullable Structs taken;

    private int[] places = new int[0];

    StructFields(JsonScanner in, String path, List<String> names, List<RowColumn> columns) {
        this.in = in;
        this.path = path;
        this.columns = columns.toArray(RowColumn[]::new);
        List<Name> quoted = names.stream().map(Name::new).toList();
        this.names = quoted.toArray(Name[]::new);
        this.table = new NameTable(quoted);
        this.next = new int[columns.size() + 1];
        for (int i = 0; i < columns.size(); i++) {
            next[i] = i + 1 < columns.size() ? i + 1 : 0;
        }
    }

    void bind(List<? extends FieldVector> vectors, int rows) {
        for (int i = 0; i < columns.length; i++) {
            columns[i].bind(vectors.get(i), rows);
        }
    }

    /// Reads an object, whose brace is at the scanner's place, as value `row` of every column.
    void read(int row) {
        in.enter();
        int seen = 0;
        int last = columns.length;
        if (in.peek() != '}') {
            do {
                last = nextColumn(last);
                RowColumn column = columns[last];
                if (column.count != row) {
                    throw new BadRow(column.path, Codes.DUPLICATE_KEY, "the object has this key twice");
                }
                column.read();
                seen++;
            } while (in.more('}'));
        }
        in.leave();
        if (seen < columns.length) {
            absent(row);
        }
    }

    private int nextColumn(int last) {
        in.at = path;
        if (in.peek() != '"') {
            throw in.malformed("expected a name in quotes");
        }
        int guess = next[last];
        if (columns.length > 0 && in.skipName(names[guess])) {
            return guess;
        }
        in.name();
        int found = table.find(in.text, in.textStart, in.textEnd);
        if (found < 0) {
            throw StructColumn.unknown(in, path);
        }
        next[last] = found;
        return found;
    }

    /// The place of a column by its name, or -1.
    int find(String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        return table.find(utf8, 0, utf8.length);
    }

    int size() {
        return columns.length;
    }

    RowColumn column(int place) {
        return columns[place];
    }

    /// Takes typed fields as value `row` of every column.
    @SuppressWarnings("ReferenceEquality") // of another batch they may be others, and looking costs more than finding
    void take(Cells.Structs structs, int at, int row) {
        if (taken != structs) {
            taken = structs;
            places = structs.names().stream().mapToInt(this::find).toArray();
        }
        for (int i = 0; i < places.length; i++) {
            if (places[i] < 0) {
                throw StructColumn.unknown(structs.names().get(i), path);
            }
            RowColumn column = columns[places[i]];
            if (column.count != row) {
                throw new BadRow(column.path, Codes.DUPLICATE_KEY, "there is more than one field of this name");
            }
            column.take(structs.fields().get(i), at);
        }
        if (places.length < columns.length) {
            absent(row);
        }
    }

    /// Fills the columns that row `row` did not have.
    void absent(int row) {
        for (RowColumn column : columns) {
            if (column.count == row) {
                column.absent();
            }
        }
    }

    void appendNulls() {
        for (RowColumn column : columns) {
            column.appendNull();
        }
    }

    void truncate(int values) {
        for (RowColumn column : columns) {
            column.truncate(values);
        }
    }

    void finish() {
        for (RowColumn column : columns) {
            column.finish();
        }
    }

    long bytes() {
        long bytes = 0;
        for (RowColumn column : columns) {
            bytes += column.bytes();
        }
        return bytes;
    }
}
