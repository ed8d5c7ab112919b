package io.storageengine.core.log;

import java.nio.ByteBuffer;

/// The state of a log's fold up to and including one position.
///
/// @param position the last position that the state covers; 0 for none
/// @param state the bytes given to [ObjectLog#checkpoint]; read-only: read a [ByteBuffer#duplicate] of it
public record Checkpoint(long position, ByteBuffer state) {
    public Checkpoint {
        if (position < 0) throw new IllegalArgumentException("negative position: " + position);
        state = state.asReadOnlyBuffer();
    }
}
