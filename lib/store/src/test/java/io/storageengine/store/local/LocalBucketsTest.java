package io.storageengine.store.local;

import io.storageengine.core.Ids;
import io.storageengine.core.store.Buckets;
import io.storageengine.store.Expect;
import io.storageengine.store.StoreContract;
import io.storageengine.store.SystemClock;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LocalBucketsTest extends StoreContract {
    private Buckets buckets;

    @BeforeAll
    void open(@TempDir Path data) {
        buckets = LocalBuckets.open(data, new SystemClock(), new Ids(Expect.random(1)))
                .orThrow();
    }

    @AfterAll
    void close() {
        buckets.close();
    }

    @Override
    public Buckets buckets() {
        return buckets;
    }
}
