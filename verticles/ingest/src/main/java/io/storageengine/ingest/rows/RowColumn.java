package io.storageengine.ingest.rows;

import io.storageengine.ingest.rows.RowFault.Codes;
import org.apache.arrow.vector.FieldVector;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/// Reads the values of one column, at any depth, from JSON and appends them to an Arrow vector.
///
/// [#bind] gives it an empty vector, any number of values are appended, [#finish] makes the vector complete. A
/// row that goes wrong half-way is taken back by [#truncate].
abstract class RowColumn {
    final JsonScanner in;
    final String path;
    private final boolean required;
    private final @Nullable Object fallback;
    /// Values appended so far.
    int count;

    RowColumn(JsonScanner in, Slot slot) {
        this.in = in;
        this.path = slot.path();
        this.required = slot.required();
        this.fallback = slot.fallback();
    }

    /// Where a column stands in its schema.
    ///
    /// @param path full name
    /// @param required null is a fault
    /// @param fallback for rows that leave the field out (Iceberg's `write-default`), as Iceberg represents it
    record Slot(String path, boolean required, @Nullable Object fallback) {
        static Slot of(String parent, Types.NestedField field) {
            String path = parent.isEmpty() ? field.name() : parent + "." + field.name();
            return new Slot(path, field.isRequired(), field.writeDefault());
        }
    }

    /// Takes an empty vector.
    ///
    /// @param rows room to begin with
    abstract void bind(FieldVector vector, int rows);

    /// Reads a value that is not null and appends it.
    ///
    /// @param first its first byte, at the scanner's place
    abstract void readValue(int first);

    /// Appends a null, asked or not: children of a null struct get one too.
    abstract void appendNull();

    /// Appends a value as Iceberg represents it.
    abstract void appendDefault(Object value);

    /// Drops what lies behind the first `values` values, complete or not.
    abstract void truncate(int values);

    /// Completes the vector's children, lengths excepted.
    abstract void finish();

    /// Bytes of Arrow memory in use.
    abstract long bytes();

    /// Reads and appends the next value.
    final void read() {
        in.at = path;
        int first = in.peek();
        if (first != 'n') {
            readValue(first);
            return;
        }
        in.literal("null");
        if (required) {
            throw in.fault(Codes.NULL_REQUIRED, "a required column cannot be null");
        }
        appendNull();
    }

    /// Appends what stands for a field that a row leaves out.
    final void absent() {
        if (fallback != null) {
            appendDefault(fallback);
        } else if (required) {
            throw new BadRow(path, Codes.MISSING_REQUIRED, "a required column is missing");
        } else {
            appendNull();
        }
    }

    final BadRow invalid(String expected) {
        return in.fault(Codes.INVALID_VALUE, in.textShown() + " is not " + expected);
    }

    final BadRow outOfRange(String what) {
        return in.fault(Codes.OUT_OF_RANGE, what + " is beyond what the column holds");
    }
}
