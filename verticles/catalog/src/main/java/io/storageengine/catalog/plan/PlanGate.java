package io.storageengine.catalog.plan;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Lets so many calls plan at a time, so that what they hold in memory is bounded; a few more wait, the others
/// are told to come again.
final class PlanGate {
    private static final long WAIT_MILLIS = 10_000;

    private final Semaphore running;
    private final Semaphore waiting;

    PlanGate(PlanLimits limits) {
        this.running = new Semaphore(limits.running(), true);
        this.waiting = new Semaphore(limits.waiting());
    }

    /// @throws FailureException `THROTTLED` when it is not this call's turn soon
    <T> T pass(Supplier<T> work) {
        enter();
        try {
            return work.get();
        } finally {
            running.release();
        }
    }

    private void enter() {
        if (!waiting.tryAcquire()) throw busy();
        try {
            if (!running.tryAcquire(WAIT_MILLIS, TimeUnit.MILLISECONDS)) throw busy();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FailureException(Failure.Kind.UNAVAILABLE, "stopped while a scan was to be planned");
        } finally {
            waiting.release();
        }
    }

    private static FailureException busy() {
        return new FailureException(Failure.Kind.THROTTLED, "too many scans are being planned");
    }
}
