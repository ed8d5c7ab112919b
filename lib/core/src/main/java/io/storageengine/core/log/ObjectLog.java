package io.storageengine.core.log;

import io.storageengine.core.Clock;
import io.storageengine.core.Done;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.ObjectStore;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// An append-only sequence of objects that any number of processes write without talking to each other.
@SuppressWarnings("DoNotCallSuggester")
public final class ObjectLog {
    /// The code of a `CONFLICT`: a seal with a higher epoch (any seal of a write-ahead log) lies below.
    public static final String SEALED = "Sealed";

    /// The code of a `CONFLICT`: the position lies below the boundary; start from the newest checkpoint.
    public static final String TRUNCATED = "LogTruncated";

    /// The code of a `NOT_FOUND`: nothing is at the position yet.
    public static final String NO_SUCH_ENTRY = "NoSuchEntry";

    private final ObjectStore store;

    /// @param prefix where the log's objects live, ending in `/`
    /// @param writer the id of this process
    public ObjectLog(
            ObjectStore store, String prefix, String writer, LogOptions options, Clock clock, RandomGenerator random) {
        this.store = Objects.requireNonNull(store);
    }

    /// The newest checkpoint. Costs one LIST, and one GET when there is one.
    public Outcome<Optional<Checkpoint>> newestCheckpoint() {
        throw new UnsupportedOperationException(store.toString());
    }

    /// The entry at a position: one GET. `NOT_FOUND` ([#NO_SUCH_ENTRY]) when it is not there yet, `CONFLICT`
    /// ([#TRUNCATED]) when it lies below the boundary.
    public Outcome<LogEntry> read(long position) {
        throw new UnsupportedOperationException(store.toString() + position);
    }

    /// The last position of the log, 0 when it is empty: GETs from `from` + 1 until one is absent. `from` is a
    /// position up to which the caller has seen everything, 0 at first.
    public Outcome<Long> tip(long from) {
        throw new UnsupportedOperationException(store.toString() + from);
    }

    /// Writes an entry at a position that the caller believes free: the tip that it knows + 1. One PUT when
    /// nothing disturbs it; blocks until the outcome is known or the deadline has passed.
    public Appended append(long position, long epoch, ByteBuffer payload) {
        throw new UnsupportedOperationException(store.toString() + position + epoch + payload);
    }

    /// Fences every lower epoch: appends a seal at the first free position after `from`. `Lost` names a seal of
    /// another that bars ours (the same or a higher epoch; any seal of a write-ahead log).
    public Appended seal(long from, long epoch) {
        throw new UnsupportedOperationException(store.toString() + from + epoch);
    }

    /// Writes the state up to a position, and deletes all but the two newest checkpoints.
    public Outcome<Done> checkpoint(long position, ByteBuffer state) {
        throw new UnsupportedOperationException(store.toString() + position + state);
    }

    /// Lets entries below a position go: advances the boundary, and deletes what lay below it for the retention.
    public Outcome<Done> truncate(long below) {
        throw new UnsupportedOperationException(store.toString() + below);
    }
}
