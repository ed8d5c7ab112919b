package io.storageengine.ingest.rows;

import io.storageengine.ingest.rows.RowFault.Codes;
import io.storageengine.ingest.rows.cells.Cells;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.StructVector;

/// A column of objects with the fields of a struct.
final class StructColumn extends RowColumn {
    private final Validity validity = new Validity();
    private final StructFields fields;

    StructColumn(JsonScanner in, Slot slot, StructFields fields) {
        super(in, slot);
        this.fields = fields;
    }

    @Override
    void bind(FieldVector bound, int rows) {
        StructVector struct = (StructVector) bound;
        validity.bind(struct, rows);
        count = 0;
        fields.bind(List.copyOf(struct.getChildrenFromFields()), rows);
    }

    @Override
    void readValue(int first) {
        if (first != '{') {
            throw in.wrongType("an object", first);
        }
        fields.read(count);
        validity.append(count, true);
        count++;
    }

    @Override
    void readString() {
        throw in.wrongType("an object", '"');
    }

    @Override
    void readPlain() {
        readJson();
    }

    @Override
    void takeValue(Cells cells, int at) {
        if (!(cells instanceof Cells.Structs structs)) {
            throw wrongType(cells);
        }
        fields.take(structs, at, count);
        validity.append(count, true);
        count++;
    }

    @Override
    void appendNull() {
        fields.appendNulls();
        validity.append(count, false);
        count++;
    }

    /// A struct's default is `{}`: its fields have defaults of their own.
    @Override
    void appendDefault(Object value) {
        fields.absent(count);
        validity.append(count, true);
        count++;
    }

    @Override
    void truncate(int values) {
        count = Math.min(count, values);
        fields.truncate(values);
    }

    @Override
    void finish() {
        fields.finish();
    }

    @Override
    long bytes() {
        return fields.bytes() + (count >> 3);
    }

    /// Refuses a key that the schema does not have.
    static BadRow unknown(JsonScanner in, String parent) {
        return unknown(in.textAsString(), parent);
    }

    static BadRow unknown(String name, String parent) {
        String shown = name.length() > 100 ? name.substring(0, 100) + "…" : name;
        String field = parent.isEmpty() ? shown : parent + "." + shown;
        return new BadRow(
                field,
                Codes.UNKNOWN_FIELD,
                "the table has no column `" + field + "`; add it to the table or leave it out of the row");
    }
}
