package io.storageengine.core.log;

import io.storageengine.core.Clock;

/// A clock that moves only when it is told to, or when somebody sleeps.
final class FakeClock implements Clock {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private long wallMillis = 1_000_000_000_000L;
    private long nanos = 77;

    @Override
    public long wallMillis() {
        return wallMillis;
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public void sleep(long millis) {
        pass(millis);
    }

    void pass(long millis) {
        wallMillis += millis;
        nanos += millis * NANOS_PER_MILLI;
    }

    /// The machine is suspended: the monotonic clock stands still.
    void suspend(long millis) {
        wallMillis += millis;
    }

    void setWallBack(long millis) {
        wallMillis -= millis;
    }
}
