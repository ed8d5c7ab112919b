package io.storageengine.store.local;

import io.storageengine.core.Ids;
import io.storageengine.core.store.Buckets;
import io.storageengine.store.Expect;
import io.storageengine.store.StoreContract;
import io.storageengine.store.SystemClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LocalBucketsTest extends StoreContract {
    private Path data;
    private Buckets buckets;

    @BeforeAll
    void open() throws IOException {
        data = Files.createTempDirectory("local-buckets");
        buckets = LocalBuckets.open(data, new SystemClock(), new Ids(Expect.random(1)))
                .orThrow();
    }

    @AfterAll
    void close() throws IOException {
        buckets.close();
        // The keys lie a thousand directories deep: JUnit's own clean-up takes longer than the tests.
        Disk.deleteTree(data);
    }

    @Override
    public Buckets buckets() {
        return buckets;
    }
}
