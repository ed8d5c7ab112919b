package io.storageengine.ingest.rows;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/// A column of values of one width.
///
/// Validity starts as all ones, so that only nulls write to it; whatever is taken back becomes ones again.
abstract class FixedWidthColumn extends RowColumn {
    private final int widthBytes;
    private @Nullable BaseFixedWidthVector vector;
    private int capacity;
    private ArrowBuf validity = NoMemory.BUFFER;
    /// Where values go: value `i` at `i` times the width.
    ArrowBuf data = NoMemory.BUFFER;

    FixedWidthColumn(JsonScanner in, Slot slot, int widthBytes) {
        super(in, slot);
        this.widthBytes = widthBytes;
    }

    @Override
    final void bind(FieldVector bound, int rows) {
        BaseFixedWidthVector fixed = (BaseFixedWidthVector) bound;
        vector = fixed;
        fixed.allocateNew(rows);
        count = 0;
        capacity = 0;
        refresh(fixed);
    }

    private void refresh(BaseFixedWidthVector fixed) {
        data = fixed.getDataBuffer();
        validity = fixed.getValidityBuffer();
        int before = capacity;
        capacity = fixed.getValueCapacity();
        NoMemory.fillWithOnes(validity, before, capacity);
    }

    /// Makes room for one more value and counts it. Afterwards [#data] may be another buffer: fetch it later.
    ///
    /// @return its place
    final int append() {
        if (count == capacity) {
            grow();
        }
        return count++;
    }

    final void putLong(long value) {
        long at = (long) append() << 3;
        data.setLong(at, value);
    }

    final void putInt(int value) {
        long at = (long) append() << 2;
        data.setInt(at, value);
    }

    final void putDouble(double value) {
        long at = (long) append() << 3;
        data.setDouble(at, value);
    }

    final void putFloat(float value) {
        long at = (long) append() << 2;
        data.setFloat(at, value);
    }

    final void putBytes(byte[] value) {
        long at = (long) append() * widthBytes;
        data.setBytes(at, value);
    }

    private void grow() {
        BaseFixedWidthVector fixed = java.util.Objects.requireNonNull(vector);
        fixed.reAlloc();
        refresh(fixed);
    }

    @Override
    final void appendNull() {
        int index = append();
        BitVectorHelper.unsetBit(validity, index);
    }

    @Override
    final void truncate(int values) {
        for (int i = values; i < count; i++) {
            BitVectorHelper.setBit(validity, i);
        }
        count = Math.min(count, values);
    }

    @Override
    final void finish() {}

    @Override
    final long bytes() {
        return (long) count * widthBytes + (count >> 3);
    }
}
