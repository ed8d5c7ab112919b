package io.storageengine.store.s3;

import io.storageengine.core.store.Buckets;
import io.storageengine.store.Expect;
import io.storageengine.store.Retries;
import io.storageengine.store.StoreContract;
import io.storageengine.store.SystemClock;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3BucketsTest extends StoreContract {
    private @Nullable MotoServer server;
    private Buckets buckets;

    @BeforeAll
    void open() throws IOException, InterruptedException {
        server = MotoServer.start();
        S3Options options = S3Options.at(server.endpoint())
                .withRegion("us-east-1")
                .with(new S3Options.Credentials("test-key", "test-secret", ""));
        buckets = S3Buckets.open(options, new SystemClock(), Expect.random(1), Retries.DEFAULT)
                .orThrow();
    }

    @AfterAll
    void close() {
        if (server == null) return;
        buckets.close();
        server.close();
    }

    @Override
    public Buckets buckets() {
        return buckets;
    }

    /// moto_server 5.2.5 answers 500.
    @Override
    public boolean tellsUnknownUploads() {
        return false;
    }

    /// moto_server 5.2.5 finds no route for a line break.
    @Override
    public boolean takes(String key) {
        return !key.contains("\n");
    }

    @Override
    public int rounds() {
        return 20;
    }
}
