package io.storageengine.ingest.rows;

import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.complex.ListVector;
import org.jspecify.annotations.Nullable;

/// Where the elements of a list vector's values end, and which values are there.
final class Offsets {
    private @Nullable ListVector vector;
    private ArrowBuf ends = NoMemory.BUFFER;
    private ArrowBuf validity = NoMemory.BUFFER;
    private int capacity;

    void bind(ListVector list, int rows) {
        vector = list;
        list.setInitialCapacity(rows);
        list.allocateNew();
        refresh(list);
        ends.setInt(0, 0);
    }

    private void refresh(ListVector list) {
        ends = list.getOffsetBuffer();
        validity = list.getValidityBuffer();
        capacity = (int) Math.min(ends.capacity() / 4 - 1, validity.capacity() * 8);
    }

    void append(int index, int end, boolean valid) {
        if (index >= capacity) {
            ListVector list = Objects.requireNonNull(vector);
            // Grows the list's own buffers; its `reAlloc` would move its children's too.
            list.setNotNull(index);
            refresh(list);
        }
        ends.setInt((index + 1L) << 2, end);
        BitVectorHelper.setValidityBit(validity, index, valid ? 1 : 0);
    }

    /// Where the first `values` values end.
    int end(int values) {
        return values == 0 ? 0 : ends.getInt((long) values << 2);
    }

    void finish(int count) {
        Objects.requireNonNull(vector).setLastSet(count - 1);
    }
}
