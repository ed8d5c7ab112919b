package io.storageengine.store;

import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ObjectStore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;

/// Everything that the port promises, to be run against each store: a test class extends this.
public abstract class StoreContract
        implements BucketContract,
                ConditionContract,
                FaultContract,
                KeyContract,
                ListContract,
                ObjectContract,
                UploadContract {
    private static final AtomicInteger NEXT = new AtomicInteger();
    private String bucket = "";

    @BeforeEach
    void freshBucket() {
        bucket = "bucket-" + NEXT.incrementAndGet();
        buckets().create(bucket).orThrow();
    }

    @Override
    public abstract Buckets buckets();

    @Override
    public ObjectStore store() {
        return buckets().bucket(bucket);
    }
}
