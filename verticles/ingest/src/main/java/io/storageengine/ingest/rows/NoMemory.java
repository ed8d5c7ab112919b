package io.storageengine.ingest.rows;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.ReferenceManager;
import org.apache.arrow.vector.BitVectorHelper;

/// Arrow memory before there is any, and validity bits.
final class NoMemory {
    /// Stands for a buffer until a column is bound.
    static final ArrowBuf BUFFER = new ArrowBuf(ReferenceManager.NO_OP, null, 0, 0);

    private NoMemory() {}

    /// Sets the bits of values `from` to `to`.
    static void fillWithOnes(ArrowBuf validity, int from, int to) {
        int i = from;
        for (; i < to && (i & 7) != 0; i++) {
            BitVectorHelper.setBit(validity, i);
        }
        if (i < to) {
            long first = i >> 3;
            validity.setOne(first, Math.min(validity.capacity(), (to + 7L) >> 3) - first);
        }
    }
}
