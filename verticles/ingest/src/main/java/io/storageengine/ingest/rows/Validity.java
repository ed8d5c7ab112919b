package io.storageengine.ingest.rows;

import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.complex.StructVector;
import org.jspecify.annotations.Nullable;

/// Which values of a struct vector are there.
final class Validity {
    private @Nullable StructVector vector;
    private ArrowBuf bits = NoMemory.BUFFER;
    private int capacity;

    void bind(StructVector struct, int rows) {
        vector = struct;
        struct.setInitialCapacity(rows);
        struct.allocateNew();
        refresh(struct);
    }

    private void refresh(StructVector struct) {
        bits = struct.getValidityBuffer();
        capacity = (int) Math.min(Integer.MAX_VALUE, bits.capacity() * 8);
    }

    void append(int index, boolean valid) {
        if (index >= capacity) {
            StructVector struct = Objects.requireNonNull(vector);
            // Grows the struct's own bits; its `reAlloc` would move its children's buffers too.
            struct.setIndexDefined(index);
            refresh(struct);
        }
        BitVectorHelper.setValidityBit(bits, index, valid ? 1 : 0);
    }
}
