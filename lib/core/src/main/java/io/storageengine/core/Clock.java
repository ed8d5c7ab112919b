package io.storageengine.core;

import java.util.concurrent.locks.Condition;

/// Time as a port: the node's clock in production, the simulation's in tests.
public interface Clock {
    /// Wall-clock time in milliseconds since 1970-01-01T00:00Z; may jump.
    long wallMillis();

    /// Monotonic time in nanoseconds since an arbitrary moment; never jumps back.
    long nanos();

    /// Waits on the calling (virtual) thread.
    ///
    /// @throws InterruptedException when the thread is told to stop
    void sleep(long millis) throws InterruptedException;

    /// Waits for a signal, at most this long; may come back sooner. The caller holds the condition's lock.
    ///
    /// @throws InterruptedException when the thread is told to stop
    @SuppressWarnings("WaitNotInLoop") // the caller has the loop
    default void await(Condition changed, long nanos) throws InterruptedException {
        changed.awaitNanos(nanos);
    }
}
