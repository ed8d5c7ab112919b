package io.storageengine.ingest.rows;

import io.storageengine.ingest.rows.RowFault.Codes;
import io.storageengine.ingest.rows.cells.Cells;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/// A column of texts or bytes of any length.
///
/// A string column takes a JSON string as it is, and any other value but null as its JSON text, so that mixed
/// data loses nothing. A binary column takes hexadecimal text (Iceberg's JSON form of single values).
final class BytesColumn extends RowColumn {
    /// Arrow counts a column's bytes in an int.
    private static final long BYTES_MAX = Integer.MAX_VALUE;

    private final boolean binary;
    private @Nullable BaseVariableWidthVector vector;
    private int capacity;
    private int end;
    private ArrowBuf validity = NoMemory.BUFFER;
    private ArrowBuf offsets = NoMemory.BUFFER;
    private ArrowBuf data = NoMemory.BUFFER;
    private long dataCapacity;

    BytesColumn(JsonScanner in, Slot slot, boolean binary) {
        super(in, slot);
        this.binary = binary;
    }

    @Override
    void bind(FieldVector bound, int rows) {
        BaseVariableWidthVector variable = (BaseVariableWidthVector) bound;
        vector = variable;
        variable.allocateNew(16L * rows, rows);
        count = 0;
        end = 0;
        capacity = 0;
        refresh(variable);
    }

    private void refresh(BaseVariableWidthVector variable) {
        data = variable.getDataBuffer();
        dataCapacity = data.capacity();
        offsets = variable.getOffsetBuffer();
        validity = variable.getValidityBuffer();
        int before = capacity;
        capacity = variable.getValueCapacity();
        if (capacity > before) {
            NoMemory.fillWithOnes(validity, before, capacity);
        }
    }

    @Override
    void readValue(int first) {
        if (first == '"') {
            in.string();
            readString();
        } else if (binary) {
            throw in.wrongType("bytes as hexadecimal text", first);
        } else {
            int start = in.pos;
            in.skip();
            append(in.bytes, start, in.pos - start);
        }
    }

    @Override
    void readString() {
        if (binary) {
            append(Hex.decode(this));
        } else {
            appendText();
        }
    }

    @Override
    void takeValue(Cells cells, int at) {
        if (!binary || !(cells instanceof Cells.Bytes bytes)) {
            throw wrongType(cells);
        }
        append(taken(bytes, at));
    }

    /// True when keys of this column are names of a JSON object.
    boolean takesNames() {
        return !binary;
    }

    /// Appends the name that the scanner read last.
    void appendText() {
        append(in.text, in.textStart, in.textEnd - in.textStart);
    }

    void append(byte[] bytes) {
        append(bytes, 0, bytes.length);
    }

    private void append(byte[] bytes, int from, int length) {
        reserve(length);
        data.setBytes(end, bytes, from, length);
        end += length;
        count++;
        offsets.setInt((long) count << 2, end);
    }

    private void reserve(int length) {
        BaseVariableWidthVector variable = java.util.Objects.requireNonNull(vector);
        if (count == capacity) {
            variable.reallocValidityAndOffsetBuffers();
            refresh(variable);
        }
        long needed = (long) end + length;
        if (needed > dataCapacity) {
            if (needed > BYTES_MAX) {
                throw in.fault(Codes.ROW_TOO_LONG, "the batch's texts exceed 2 GiB; send smaller rows");
            }
            variable.reallocDataBuffer(Math.max(needed, Math.min(2 * dataCapacity, BYTES_MAX)));
            refresh(variable);
        }
    }

    /// The text of a value.
    String textAt(int index) {
        int start = offsets.getInt((long) index << 2);
        byte[] bytes = new byte[offsets.getInt((index + 1L) << 2) - start];
        data.getBytes(start, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    void appendNull() {
        reserve(0);
        BitVectorHelper.unsetBit(validity, count++);
        offsets.setInt((long) count << 2, end);
    }

    @Override
    void appendDefault(Object value) {
        byte[] bytes;
        if (value instanceof ByteBuffer buffer) {
            bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
        } else {
            bytes = value.toString().getBytes(StandardCharsets.UTF_8);
        }
        append(bytes);
    }

    @Override
    void truncate(int values) {
        for (int i = values; i < count; i++) {
            BitVectorHelper.setBit(validity, i);
        }
        count = Math.min(count, values);
        end = count == 0 ? 0 : offsets.getInt((long) count << 2);
    }

    @Override
    void finish() {
        java.util.Objects.requireNonNull(vector).setLastSet(count - 1);
    }

    @Override
    long bytes() {
        return end + 4L * count + (count >> 3);
    }
}
