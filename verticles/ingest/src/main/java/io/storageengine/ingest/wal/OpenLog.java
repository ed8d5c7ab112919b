package io.storageengine.ingest.wal;

import io.storageengine.core.Clock;
import io.storageengine.core.Done;
import io.storageengine.core.Outcome;
import io.storageengine.core.log.ObjectLog;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.PutOptions;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One write-ahead log, as long as some of its entries have rows that are in no table yet.
///
/// Tables hold the positions of rows that they have not committed; what lies below all of them may go. When a
/// sealed log is held by nobody its entries are deleted, and the object `done` spares later starts from looking
/// at it. Thread-safe.
public final class OpenLog {
    /// The name, under the log's prefix, of the object that says that all of it is in its tables.
    public static final String DONE = "done";

    private static final Logger LOG = LoggerFactory.getLogger(OpenLog.class);
    private static final int TIDY_ENTRIES_MIN = 64;
    private static final long TIDY_MILLIS_MIN = 60_000;
    private final String id;
    private final String prefix;
    private final ObjectStore store;
    private final ObjectLog log;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final TreeMap<Long, Integer> held = new TreeMap<>();
    private final Map<String, Long> marks = new ConcurrentHashMap<>();
    private long next = 1;
    private long sealedAt;
    private long tidiedBelow = 1;
    private long tidiedMillis;
    private boolean isTidying;
    private boolean isDone;

    /// @param prefix where the log's objects live, ending in `/`
    public OpenLog(String id, String prefix, ObjectStore store, ObjectLog log, Clock clock) {
        this.id = id;
        this.prefix = prefix;
        this.store = store;
        this.log = log;
        this.clock = clock;
        this.tidiedMillis = nowMillis();
    }

    public String id() {
        return id;
    }

    ObjectLog entries() {
        return log;
    }

    /// Up to which position a table's rows are committed; 0 at first.
    public long mark(String tableUuid) {
        return marks.getOrDefault(tableUuid, 0L);
    }

    /// A table's rows are committed up to that position; a mark never goes back.
    public void mark(String tableUuid, long position) {
        marks.merge(tableUuid, position, Math::max);
    }

    /// A table has rows of this entry to commit.
    public void hold(long position) {
        lock.lock();
        try {
            held.merge(position, 1, Integer::sum);
        } finally {
            lock.unlock();
        }
    }

    /// These rows are committed, or kept elsewhere.
    public void release(long position) {
        lock.lock();
        try {
            held.computeIfPresent(position, (at, count) -> count == 1 ? null : count - 1);
        } finally {
            lock.unlock();
        }
    }

    /// Whether everybody who has rows in that entry was told so. Before that a table may have got some of its
    /// rows and not yet the others, and a mark at that position would claim them all.
    public boolean isTold(long position) {
        lock.lock();
        try {
            return position < next;
        } finally {
            lock.unlock();
        }
    }

    /// Rows of that entry are about to be handed on, perhaps once more: until [#written] it counts as not told.
    ///
    /// @return what [#written] is to be told afterwards, at least
    public long telling(long position) {
        lock.lock();
        try {
            long before = Math.max(next, position + 1);
            next = Math.min(next, position);
            return before;
        } finally {
            lock.unlock();
        }
    }

    /// Entries below are written, and all rows in them were handed to their tables.
    public void written(long nextPosition) {
        lock.lock();
        try {
            next = Math.max(next, nextPosition);
        } finally {
            lock.unlock();
        }
    }

    /// The log ended with a seal there.
    public void sealed(long position) {
        lock.lock();
        try {
            sealedAt = position;
        } finally {
            lock.unlock();
        }
    }

    /// Whether no table needs an entry any more.
    public boolean isFree() {
        lock.lock();
        try {
            return held.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /// Deletes what no table needs, when that is worth requests: now and then, and all once the log is sealed.
    /// What fails is done by a later call, or a later start.
    public void tidy() {
        long below;
        boolean all;
        lock.lock();
        try {
            below = held.isEmpty() ? (sealedAt > 0 ? sealedAt : next) : held.firstKey();
            all = held.isEmpty() && sealedAt > 0;
            if (isDone || isTidying || !(all || isWorthIt(below))) return;
            isTidying = true;
        } finally {
            lock.unlock();
        }
        Outcome<Done> outcome = all ? finish(below) : log.truncate(below);
        tidied(below, all, outcome);
    }

    private boolean isWorthIt(long below) {
        return below - tidiedBelow >= TIDY_ENTRIES_MIN && nowMillis() - tidiedMillis >= TIDY_MILLIS_MIN;
    }

    /// Deletes all entries below the seal and leaves the object that says that the log is done.
    public Outcome<Done> finish(long below) {
        return log.truncate(below)
                .then(done -> store.put(prefix + DONE, Content.of(new byte[0]), PutOptions.PLAIN))
                .map(info -> Done.DONE);
    }

    private void tidied(long below, boolean all, Outcome<Done> outcome) {
        lock.lock();
        try {
            isTidying = false;
            tidiedMillis = nowMillis();
            if (outcome.isOk()) {
                tidiedBelow = below;
                isDone = all;
            } else {
                LOG.warn("Used-up entries of log {} stay for now: {}", id, outcome);
            }
        } finally {
            lock.unlock();
        }
    }

    private long nowMillis() {
        return clock.nanos() / 1_000_000;
    }
}
