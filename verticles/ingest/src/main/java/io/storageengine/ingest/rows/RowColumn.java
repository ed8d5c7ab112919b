package io.storageengine.ingest.rows;

import io.storageengine.ingest.rows.RowFault.Codes;
import io.storageengine.ingest.rows.cells.Cells;
import org.apache.arrow.vector.FieldVector;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/// Reads the values of one column, at any depth, and appends them to an Arrow vector. Values come as JSON
/// ([#read]), as fields of a text format ([#readPlain]) or typed ([#take]); what they become is the same.
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

    /// Appends the value of a JSON string, which is the scanner's text.
    abstract void readString();

    /// Appends the value that a field of CSV writes, which is the scanner's text, a byte that is part of no
    /// value behind it.
    void readPlain() {
        readString();
    }

    /// Appends the value of a typed text, which is the scanner's text.
    void takeText() {
        readString();
    }

    /// Appends a typed value that is neither null nor a text.
    void takeValue(Cells cells, int at) {
        throw wrongType(cells);
    }

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
        readNull();
    }

    /// Appends a null that was sent.
    final void readNull() {
        if (required) {
            throw new BadRow(path, Codes.NULL_REQUIRED, "a required column cannot be null");
        }
        appendNull();
    }

    /// Reads the scanner's text as JSON.
    final void readJson() {
        in.beginText();
        try {
            read();
        } catch (CutShort _) {
            throw new BadRow(path, Codes.MALFORMED_JSON, "the text ends inside a JSON value");
        }
        if (!in.atEnd()) {
            throw new BadRow(path, Codes.MALFORMED_JSON, "the text has more than one JSON value");
        }
    }

    /// Appends a typed value.
    final void take(Cells cells, int at) {
        in.weigh(path, Long.BYTES);
        if (cells.isNull(at)) {
            readNull();
        } else if (cells instanceof Cells.Encoded encoded) {
            take(encoded.values(), encoded.place(at));
        } else if (cells instanceof Cells.Texts texts) {
            int length = texts.length(at);
            in.weigh(path, length);
            in.at = path;
            texts.copy(at, in.room(length), 0);
            if (!Utf8Decoder.isValid(in.text, 0, length)) {
                throw in.fault(Codes.INVALID_UTF8, "the bytes are not UTF-8");
            }
            takeText();
        } else {
            in.at = path;
            takeValue(cells, at);
        }
    }

    /// A value's bytes, which count to its row.
    final byte[] taken(Cells.Bytes bytes, int at) {
        int length = bytes.length(at);
        in.weigh(path, length);
        byte[] copy = new byte[length];
        bytes.copy(at, copy, 0);
        return copy;
    }

    final BadRow wrongType(Cells cells) {
        return new BadRow(path, Codes.WRONG_TYPE, "the column does not take values of the type " + cells.type());
    }

    final BadRow inexact(Object value) {
        return new BadRow(path, Codes.TOO_PRECISE, "`" + value + "` is not exactly a value of the column's type");
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
