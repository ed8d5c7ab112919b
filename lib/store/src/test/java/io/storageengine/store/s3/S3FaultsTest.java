package io.storageengine.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.core.Backoff;
import io.storageengine.core.Failure;
import io.storageengine.core.Failure.Kind;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ByteRange;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ObjectBody;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.PutOptions;
import io.storageengine.store.Expect;
import io.storageengine.store.Retries;
import io.storageengine.store.SystemClock;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3FaultsTest {
    /// A busy machine must not make a fault look like another.
    private static final long PATIENT_MILLIS = 60_000;
    private static final Content BODY = Content.of(new byte[] {1, 2, 3});
    private static final S3Options.Credentials KEYS =
            new S3Options.Credentials("AKIA-test-key", "AKIA-test-secret", "AKIA-test-token");

    private static final int ATTEMPTS = 3;
    private BrokenServer server;
    private Buckets buckets;
    private ObjectStore store;

    @BeforeAll
    void start() throws IOException {
        server = BrokenServer.start();
        buckets = buckets(server.endpoint(), PATIENT_MILLIS);
        store = buckets.bucket("bucket");
    }

    @AfterAll
    void stop() throws IOException {
        buckets.close();
        server.close();
    }

    private static Buckets buckets(URI endpoint, long callMillis) {
        S3Options options =
                S3Options.at(endpoint).withRegion("us-east-1").with(KEYS).withCallMillis(callMillis);
        Retries retries = new Retries(new Backoff(1, 2), ATTEMPTS);
        return S3Buckets.open(options, new SystemClock(), Expect.random(1), retries)
                .orThrow();
    }

    private static void fails(Outcome<?> outcome, Kind kind, String code) {
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            Failure failure = failed.failure();
            assertThat(failure.kind()).as(failure.toString()).isEqualTo(kind);
            assertThat(failure.code()).as(failure.toString()).isEqualTo(code);
            assertThat(failure.toString()).doesNotContain("AKIA");
        });
    }

    @Test
    void aConnectionThatBreaksLeavesAWriteUnknownAndSendsItOnce() {
        server.does(client -> {});
        fails(store.put("k", BODY, PutOptions.IF_ABSENT), Kind.UNKNOWN, "UNKNOWN");
        assertThat(server.requests()).isEqualTo(1);
        fails(store.delete("k"), Kind.UNKNOWN, "UNKNOWN");
        assertThat(server.requests()).isEqualTo(2);
    }

    @Test
    void aConnectionThatBreaksMakesAReadUnavailableAfterItsAttempts() {
        server.does(client -> {});
        fails(store.head("k"), Kind.UNAVAILABLE, "UNAVAILABLE");
        assertThat(server.requests()).isEqualTo(ATTEMPTS);
    }

    @Test
    void aServerErrorLeavesAWriteUnknown() {
        for (int status : new int[] {500, 502, 503, 504}) {
            answer(status, "InternalError", Kind.UNKNOWN, "UNKNOWN", 1);
        }
    }

    @Test
    void throttlingWroteNothingAndIsRepeated() {
        answer(503, "SlowDown", Kind.THROTTLED, "SlowDown", ATTEMPTS);
        answer(429, "TooMany", Kind.THROTTLED, "SlowDown", ATTEMPTS);
    }

    @Test
    void answersKeepTheirCodesAndAreNotRepeated() {
        answer(409, "ConditionalRequestConflict", Kind.CONFLICT, "ConditionalRequestConflict", 1);
        answer(412, "PreconditionFailed", Kind.CONFLICT, "PreconditionFailed", 1);
        answer(403, "SignatureDoesNotMatch", Kind.FORBIDDEN, "SignatureDoesNotMatch", 1);
        answer(400, "ExpiredToken", Kind.FORBIDDEN, "ExpiredToken", 1);
        answer(404, "NoSuchBucket", Kind.NOT_FOUND, "NoSuchBucket", 1);
        answer(400, "EntityTooLarge", Kind.INVALID, "EntityTooLarge", 1);
        answer(301, "PermanentRedirect", Kind.INVALID, "PermanentRedirect", 1);
    }

    private void answer(int status, String code, Kind kind, String expected, int requests) {
        server.does(BrokenServer.error(status, code));
        fails(store.put("k", BODY, PutOptions.IF_ABSENT), kind, expected);
        assertThat(server.requests()).as(code).isEqualTo(requests);
    }

    @Test
    void aServerThatNeverAnswersIsGivenUpAtTheDeadline() {
        CountDownLatch end = new CountDownLatch(1);
        server.does(client -> awaitQuietly(end));
        try (Buckets impatient = buckets(server.endpoint(), 1_500)) {
            fails(impatient.bucket("bucket").put("k", BODY, PutOptions.IF_ABSENT), Kind.UNKNOWN, "UNKNOWN");
        }
        end.countDown();
    }

    private static void awaitQuietly(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aStreamIsReadNoFasterThanTheServerTakesIt() {
        int length = 256 << 20;
        AtomicLong pulled = new AtomicLong();
        server.does(client -> {
            client.getInputStream().readNBytes(1 << 20);
            sleepQuietly();
        });
        Content endless = new Content.Stream(length, new InputStream() {
            @Override
            public int read() {
                return pulled.getAndIncrement() < length ? 7 : -1;
            }

            @Override
            public int read(byte[] target, int offset, int count) {
                long left = length - pulled.get();
                if (left <= 0) return -1;
                int got = (int) Math.min(count, left);
                pulled.addAndGet(got);
                return got;
            }
        });
        fails(store.put("k", endless, PutOptions.PLAIN), Kind.UNKNOWN, "UNKNOWN");
        assertThat(pulled.get()).isBetween(1L << 20, 32L << 20);
    }

    private static void sleepQuietly() {
        try {
            new SystemClock().sleep(700);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void nobodyListeningMeansThatNothingWasWritten() {
        // No port that was just free: others may get it, and a client can even connect to itself there.
        try (Buckets nobody = buckets(URI.create("http://127.0.0.1:1"), PATIENT_MILLIS)) {
            fails(nobody.bucket("bucket").put("k", BODY, PutOptions.PLAIN), Kind.UNAVAILABLE, "UNAVAILABLE");
            fails(nobody.list(), Kind.UNAVAILABLE, "UNAVAILABLE");
        }
    }

    @Test
    void aBodyThatEndsEarlyThrows() throws IOException {
        server.does(client -> BrokenServer.reply(client, 200, 100, "only this"));
        assertThat(store.read("k").failedWith(Kind.UNAVAILABLE)).isTrue();
        try (ObjectBody body = store.get("k", ByteRange.ALL).orThrow()) {
            assertThatThrownBy(() -> body.stream().readAllBytes()).isInstanceOf(IOException.class);
        }
    }

    @Test
    void secretsAreInNoText() {
        assertThat(KEYS.toString()).doesNotContain("secret", "token");
        assertThat(S3Options.AWS.with(KEYS).toString()).doesNotContain("secret", "token");
    }
}
