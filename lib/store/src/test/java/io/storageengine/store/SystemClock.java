package io.storageengine.store;

import io.storageengine.core.AllowedHere;
import io.storageengine.core.Clock;

/// The machine's clock.
@AllowedHere(why = "a test of real disks and servers runs in real time")
public final class SystemClock implements Clock {
    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void sleep(long millis) throws InterruptedException {
        Thread.sleep(millis);
    }
}
