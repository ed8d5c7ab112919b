package io.storageengine.core.log;

import io.storageengine.core.Failure;
import java.util.Objects;

/// What became of an append.
public sealed interface Appended {
    /// The entry is durable at this position. With several appends of a write-ahead log in flight it counts
    /// only once every lower position of the same writer is won too.
    record Won(long position) implements Appended {}

    /// Another entry holds the position; nothing of ours is there or ever will be. Apply the winner, decide
    /// anew and try the next position; stop when the winner is a seal with a higher epoch, or any seal of a
    /// write-ahead log.
    record Lost(LogEntry winner) implements Appended {
        public Lost {
            Objects.requireNonNull(winner);
        }
    }

    /// Neither: `CONFLICT` with code [ObjectLog#SEALED] (a seal below bars this epoch, the entry does not
    /// count); `UNKNOWN` (it may be there, may still land, or was truncated while this process slept: open
    /// the log anew and look); `INVALID`; or what the store answered, nothing written.
    record Failed(Failure failure) implements Appended {
        public Failed {
            Objects.requireNonNull(failure);
        }
    }
}
