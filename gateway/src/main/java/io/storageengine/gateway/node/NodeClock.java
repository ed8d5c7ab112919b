package io.storageengine.gateway.node;

import io.storageengine.core.AllowedHere;
import io.storageengine.core.Clock;

/// The machine's clock.
@AllowedHere(why = "the one place where the machine's time enters")
final class NodeClock implements Clock {
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
