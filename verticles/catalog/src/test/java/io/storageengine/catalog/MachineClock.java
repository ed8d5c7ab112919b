package io.storageengine.catalog;

import io.storageengine.core.AllowedHere;
import io.storageengine.core.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// The machine's clock, for tests that run real threads; can be set forward.
@AllowedHere(why = "the real clock, as the node has it")
public final class MachineClock implements Clock {
    private final AtomicLong aheadMillis = new AtomicLong();

    private volatile boolean skips;

    /// From now on nobody sleeps: the clock goes forward instead.
    void skipSleeps() {
        skips = true;
    }

    void forward(long millis) {
        aheadMillis.addAndGet(millis);
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis() + aheadMillis.get();
    }

    @Override
    public long nanos() {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(aheadMillis.get());
    }

    @Override
    public void sleep(long millis) throws InterruptedException {
        if (skips) forward(millis);
        else TimeUnit.MILLISECONDS.sleep(millis);
    }
}
