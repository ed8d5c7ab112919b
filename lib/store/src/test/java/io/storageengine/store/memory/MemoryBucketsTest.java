package io.storageengine.store.memory;

import io.storageengine.core.Ids;
import io.storageengine.core.store.Buckets;
import io.storageengine.store.Expect;
import io.storageengine.store.StoreContract;
import io.storageengine.store.SystemClock;

class MemoryBucketsTest extends StoreContract {
    private final Buckets buckets = new MemoryBuckets(new SystemClock(), new Ids(Expect.random(1)));

    @Override
    public Buckets buckets() {
        return buckets;
    }
}
