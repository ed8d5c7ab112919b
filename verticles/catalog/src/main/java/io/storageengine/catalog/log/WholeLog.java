package io.storageengine.catalog.log;

import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.Change;
import io.storageengine.catalog.state.EntryCodec;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.log.Appended;
import io.storageengine.core.log.ObjectLog;
import java.util.List;

/// A catalog's log for a process that does not serve it: read once to its end, or begun with one entry.
public final class WholeLog {
    private static final long EPOCH = 1;

    private WholeLog() {}

    /// A catalog as of one entry of its log.
    ///
    /// @param position of the entry; 0 for a log without any
    public record AsOf(long position, CatalogState state) {}

    /// The catalog as of the last entry that is there now.
    ///
    /// @throws FailureException when the log cannot be read
    public static AsOf read(ObjectLog log) {
        LogView view = new LogView(log);
        view.follow();
        LogView.Now now = view.now();
        return new AsOf(now.position(), now.state());
    }

    /// Begins a log: these changes are its first entry, whole or not at all.
    ///
    /// @throws FailureException `CONFLICT` when somebody else has begun it, `UNKNOWN` when nobody can tell
    public static void begin(ObjectLog log, long wallMillis, List<Change> changes) {
        if (read(log).position() > 0) throw begun();
        switch (log.append(1, EPOCH, EntryCodec.encode(wallMillis, changes, List.of()))) {
            case Appended.Won won -> {}
            case Appended.Lost lost -> throw begun();
            case Appended.Failed(Failure failure) -> throw new FailureException(failure);
        }
    }

    private static FailureException begun() {
        return new FailureException(Failure.Kind.CONFLICT, "The log has its first entry already");
    }
}
