package io.storageengine.catalog.log;

import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.EntryCodec;
import io.storageengine.catalog.state.StateCodec;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.log.Checkpoint;
import io.storageengine.core.log.LogEntry;
import io.storageengine.core.log.ObjectLog;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The catalog's state as far as this process has read the log; it only goes forward.
final class LogView {
    /// The state after a position.
    record Now(long position, CatalogState state) {}

    private final ObjectLog log;
    private final ReentrantLock guard = new ReentrantLock();
    private volatile @Nullable Now now;
    private volatile boolean isOpen;

    LogView(ObjectLog log) {
        this.log = log;
    }

    /// Whether the log was read to its end once. Before that [#now] is a state of the past: nothing may be
    /// answered from it, however far the reading has come.
    boolean isOpen() {
        return isOpen;
    }

    Now now() {
        Now seen = now;
        if (seen == null) throw new IllegalStateException("the catalog's log is not open");
        return seen;
    }

    CatalogState state() {
        return now().state();
    }

    /// Reads on until nothing is at the next position; opens the log first when that was not done.
    void follow() {
        if (now == null) reopen();
        while (true) {
            switch (log.read(now().position() + 1)) {
                case Outcome.Ok<LogEntry>(LogEntry entry) -> advance(entry);
                case Outcome.Failed<LogEntry>(Failure failure) -> {
                    if (failure.kind() == Failure.Kind.NOT_FOUND) {
                        if (!isOpen && now().position() == 0 && isBegun()) continue;
                        isOpen = true;
                        return;
                    }
                    if (!failure.code().equals(ObjectLog.TRUNCATED)) throw new FailureException(failure);
                    reopen();
                }
            }
        }
    }

    /// Whether a log that seemed to have no entries has its first one by now. One that has others only has lost
    /// its beginning: it is no empty catalog.
    private boolean isBegun() {
        if (!log.hasEntries().orThrow()) return false;
        if (log.read(1).isOk()) return true;
        throw new FailureException(
                Failure.Kind.CORRUPT,
                "The log of this catalog has lost its beginning, and no checkpoint is left: 'se catalog recover' rebuilds it");
    }

    /// Takes the newest checkpoint, unless this view is beyond it.
    private void reopen() {
        Optional<Checkpoint> newest = log.newestCheckpoint().orThrow();
        long position = newest.map(Checkpoint::position).orElse(0L);
        CatalogState state =
                newest.map(Checkpoint::state).map(StateCodec::decode).orElse(CatalogState.EMPTY);
        guard.lock();
        try {
            Now before = now;
            if (before == null || before.position() < position) now = new Now(position, state);
        } finally {
            guard.unlock();
        }
    }

    /// Takes an entry that was read.
    void advance(LogEntry entry) {
        Now before = now();
        if (before.position() != entry.position() - 1) return;
        CatalogState after =
                entry.isSeal() ? before.state() : EntryCodec.apply(before.state(), EntryCodec.decode(entry.payload()));
        advance(entry.position(), after);
    }

    /// Takes an entry that was appended here; `after` is the state with it.
    void advance(long position, CatalogState after) {
        guard.lock();
        try {
            if (now().position() == position - 1) now = new Now(position, after);
        } finally {
            guard.unlock();
        }
    }
}
