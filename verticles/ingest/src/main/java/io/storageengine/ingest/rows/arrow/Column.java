package io.storageengine.ingest.rows.arrow;

import org.apache.arrow.memory.ArrowBuf;
import org.jspecify.annotations.Nullable;

/// What every column of a batch has: a type, a length, and which of its values are null.
class Column {
    private final String type;
    private final int length;
    private final @Nullable ArrowBuf validity;

    /// @param validity a bit a value, 0 for null; null when none is
    Column(String type, int length, @Nullable ArrowBuf validity) {
        this.type = type;
        this.length = length;
        this.validity = validity;
    }

    Column(Column same) {
        this(same.type, same.length, same.validity);
    }

    public final String type() {
        return type;
    }

    final int length() {
        return length;
    }

    public boolean isNull(int at) {
        return validity != null && (validity.getByte(at >> 3) >> (at & 7) & 1) == 0;
    }
}
