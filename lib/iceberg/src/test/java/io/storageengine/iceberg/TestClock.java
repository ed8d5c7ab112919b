package io.storageengine.iceberg;

import io.storageengine.core.AllowedHere;
import io.storageengine.core.Clock;
import java.util.concurrent.TimeUnit;

/// The machine's clock, for tests that run real threads.
@AllowedHere(why = "the real clock, as the node has it")
public final class TestClock implements Clock {
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
        TimeUnit.MILLISECONDS.sleep(millis);
    }
}
