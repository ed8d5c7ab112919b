package io.storageengine.core.log;

import java.nio.ByteBuffer;
import java.util.Objects;

/// One entry of an object log, as it was written.
///
/// @param position its number in the log, from 1
/// @param kind data, or the seal that fences older owners
/// @param epoch the epoch its writer held
/// @param writer the id of the process that wrote it
/// @param wallMillis the writer's wall clock when it wrote it, in milliseconds since 1970
/// @param payload the bytes given to [ObjectLog#append]; read-only and owned by the entry: read a
///     [ByteBuffer#duplicate] of it
public record LogEntry(long position, Kind kind, long epoch, String writer, long wallMillis, ByteBuffer payload) {
    public LogEntry {
        if (position < 1) throw new IllegalArgumentException("positions count from 1: " + position);
        if (epoch < 0) throw new IllegalArgumentException("negative epoch: " + epoch);
        Objects.requireNonNull(kind);
        Objects.requireNonNull(writer);
        payload = payload.asReadOnlyBuffer();
    }

    public boolean isSeal() {
        return kind == Kind.SEAL;
    }

    /// What an entry is for.
    public enum Kind {
        /// The caller's bytes.
        DATA,
        /// A new owner's mark: whoever holds a lower epoch appends no more.
        SEAL
    }
}
