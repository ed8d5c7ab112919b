package io.storageengine.store;

import static io.storageengine.store.Expect.text;

import io.storageengine.core.Ids;
import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.PutOptions;
import io.storageengine.store.memory.MemoryBuckets;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/// A part of a bucket keeps the contract of a whole one.
class ScopedStoreTest
        implements ConditionContract, FaultContract, KeyContract, ListContract, ObjectContract, UploadContract {
    private static final String SCOPE = "te\u00e9/acme/";
    private final Buckets buckets = new MemoryBuckets(new SystemClock(), new Ids(Expect.random(1)));

    @BeforeEach
    void neighbours() {
        buckets.create("bucket").orThrow();
        ObjectStore all = buckets.bucket("bucket");
        for (String key : List.of("a", "te\u00e9/acmd/z", "te\u00e9/acme", "te\u00e9/acme!", "te\u00e9/acme0/a", "z")) {
            all.put(key, text("neighbour"), PutOptions.PLAIN).orThrow();
        }
    }

    @Override
    public Buckets buckets() {
        return buckets;
    }

    @Override
    public ObjectStore store() {
        return new ScopedStore(buckets.bucket("bucket"), SCOPE);
    }

    @Override
    public boolean takes(String key) {
        return (SCOPE + key).getBytes(StandardCharsets.UTF_8).length <= Keys.BYTES_MAX;
    }
}
