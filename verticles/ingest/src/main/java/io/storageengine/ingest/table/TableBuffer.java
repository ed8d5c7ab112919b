package io.storageengine.ingest.table;

import io.storageengine.core.Backoff;
import io.storageengine.core.Clock;
import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.ingest.wal.LogPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The waiting rows of one table from one log, and the thread that commits them, batch after batch; the thread
/// is there only while rows wait. What cannot be committed is tried again for ever, ever more seldom, and
/// counts in the meantime.
final class TableBuffer {
    private static final Logger LOG = LoggerFactory.getLogger(TableBuffer.class);
    private static final long HASTE_MILLIS = 10;
    private static final long TELLING_NANOS = 1_000_000;
    private final Flush flush;
    private final Clock clock;
    private final RandomGenerator random;
    private final Backoff backoff;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Arrival> waiting = new ArrayList<>();
    private final BatchMachine machine = new BatchMachine(HASTE_MILLIS);
    private long bytes;
    private int failures;
    private boolean isHalted;
    private @Nullable Batch batch;
    private @Nullable Thread worker;

    TableBuffer(Flush flush, Clock clock, RandomGenerator random, Backoff backoff) {
        this.flush = flush;
        this.clock = clock;
        this.random = random;
        this.backoff = backoff;
    }

    void add(Arrival arrival) {
        lock.lock();
        try {
            waiting.add(arrival);
            bytes += arrival.bytes();
            machine.added(nowMillis(), arrival.bytes(), arrival.pace());
            if (worker == null)
                worker = Thread.ofVirtual()
                        .name("flush " + arrival.block().table().display())
                        .start(this::work);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void hasten() {
        lock.lock();
        try {
            machine.hasten(nowMillis());
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void drain() {
        lock.lock();
        try {
            machine.drain();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Bytes that wait or are being committed.
    long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    boolean isIdle() {
        lock.lock();
        try {
            return worker == null;
        } finally {
            lock.unlock();
        }
    }

    private void work() {
        try {
            for (Batch next = awaitBatch(); next != null; next = awaitBatch()) {
                done(next, run(next));
                next.log().tidy();
            }
        } catch (InterruptedException halted) {
            breakOff();
        }
    }

    private Outcome<Done> run(Batch next) throws InterruptedException {
        try {
            return flush.run(next);
        } catch (RuntimeException bug) {
            LOG.error("A commit to {} broke off", next.table().display(), bug);
            return Outcome.failed(Failure.Kind.BUG, "The commit broke off: " + bug);
        }
    }

    /// The batch whose time has come; null when nothing is left to do, and then the thread ends.
    private @Nullable Batch awaitBatch() throws InterruptedException {
        lock.lock();
        try {
            while (!isHalted) {
                switch (machine.next(nowMillis())) {
                    case BatchMachine.Step.Rest rest -> {
                        worker = null;
                        return null;
                    }
                    case BatchMachine.Step.Wait wait ->
                        changed.awaitNanos(TimeUnit.MILLISECONDS.toNanos(wait.untilMillis() - nowMillis()));
                    case BatchMachine.Step.Take take -> {
                        if (isWhole()) return take();
                        changed.awaitNanos(TELLING_NANOS);
                    }
                    case BatchMachine.Step.Retry retry -> {
                        return batch;
                    }
                }
            }
        } finally {
            lock.unlock();
        }
        throw new InterruptedException("halted");
    }

    /// Whether all rows of the last entry that waits here have come: the batch's mark covers that entry whole.
    private boolean isWhole() {
        LogPosition last = waiting.getLast().at();
        return last.log().isTold(last.position());
    }

    private Batch take() {
        Batch taken = new Batch(waiting);
        waiting.clear();
        machine.taken();
        batch = taken;
        return taken;
    }

    private void done(Batch tried, Outcome<Done> outcome) {
        lock.lock();
        try {
            if (outcome instanceof Outcome.Failed<Done>(Failure failure)) {
                boolean again = Flush.isAgain(failure);
                if (!again) LOG.warn("Rows of {} wait: {}", tried.table().display(), failure);
                machine.failed(nowMillis() + (again ? 0 : backoff.millis(++failures, random)));
            } else {
                failures = 0;
                batch = null;
                bytes = 0;
                for (Arrival arrival : waiting) bytes += arrival.bytes();
                machine.committed();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Ends without committing: what waits is left to the log.
    void halt() {
        lock.lock();
        try {
            isHalted = true;
            if (worker != null) worker.interrupt();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void breakOff() {
        lock.lock();
        try {
            if (batch != null) batch.free();
            waiting.forEach(Arrival::free);
            waiting.clear();
            worker = null;
        } finally {
            lock.unlock();
        }
    }

    private long nowMillis() {
        return clock.nanos() / 1_000_000;
    }
}
