package io.storageengine.gateway.auth;

import io.storageengine.core.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// A clock that stands still until it is moved on.
final class HandClock implements Clock {
    private final AtomicLong millis = new AtomicLong(1_796_000_000_000L);

    void pass(long more) {
        millis.addAndGet(more);
    }

    @Override
    public long wallMillis() {
        return millis.get();
    }

    @Override
    public long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(millis.get());
    }

    @Override
    public void sleep(long more) {
        pass(more);
    }
}
