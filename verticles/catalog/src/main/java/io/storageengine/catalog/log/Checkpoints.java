package io.storageengine.catalog.log;

import io.storageengine.catalog.state.StateCodec;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.log.ObjectLog;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes a checkpoint every so many entries and lets entries go that are no more needed, neither for a start
/// nor for the catalog's history. A checkpoint that fails is only a longer start: the next one is tried after
/// as many entries again.
final class Checkpoints {
    /// Entries that are kept as the catalog's history.
    private static final long HISTORY_ENTRIES = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);

    private final ObjectLog log;
    private final int every;
    private final ReentrantLock writing = new ReentrantLock();
    private long last = -1;

    Checkpoints(ObjectLog log, int every) {
        this.log = log;
        this.every = every;
    }

    void writeWhenDue(LogView.Now now) {
        if (!writing.tryLock()) return;
        try {
            // The first look after a start only notes where the log stands: no burst of checkpoints.
            if (last < 0) last = now.position() - now.position() % every;
            if (now.position() - last < every) return;
            last = now.position();
            write(now);
        } finally {
            writing.unlock();
        }
    }

    private void write(LogView.Now now) {
        var done = log.checkpoint(now.position(), StateCodec.encode(now.state()))
                .then(ok -> log.truncate(Math.max(1, now.position() - HISTORY_ENTRIES)));
        if (done instanceof Outcome.Failed<?>(Failure failure)) {
            LOG.atWarn()
                    .addKeyValue("position", now.position())
                    .addKeyValue("failure", failure.code())
                    .log("catalog checkpoint failed");
        }
    }
}
