package io.storageengine.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;

/// One store, one clock, and logs of several writers over them.
abstract class LogFixture {
    static final long RETENTION_MILLIS = 100_000;
    static final LogOptions PLAIN = new LogOptions(false, 1_000, RETENTION_MILLIS);
    static final LogOptions WRITE_AHEAD = new LogOptions(true, 1_000, RETENTION_MILLIS);

    final FakeClock clock = new FakeClock();
    final FakeStore store = new FakeStore(clock);

    ObjectLog log(String writer, LogOptions options) {
        RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
        return new ObjectLog(store, "p/", writer, options, clock, random);
    }

    /// A log whose writer has looked at it.
    ObjectLog opened(String writer, LogOptions options) {
        ObjectLog log = log(writer, options);
        long seen = log.newestCheckpoint().orThrow().map(Checkpoint::position).orElse(0L);
        log.tip(seen).orThrow();
        store.requests.clear();
        return log;
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }

    static String text(ObjectLog log, long position) {
        return text(log.read(position).orThrow().payload());
    }

    static void fill(ObjectLog log, long from, long to) {
        for (long n = from; n <= to; n++)
            assertThat(log.append(n, 0, bytes("e" + n))).isEqualTo(new Appended.Won(n));
    }

    static Failure failure(Appended appended) {
        assertThat(appended).isInstanceOf(Appended.Failed.class);
        return ((Appended.Failed) appended).failure();
    }

    static Failure failure(Outcome<?> outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Failed.class);
        return ((Outcome.Failed<?>) outcome).failure();
    }

    static String key(long position) {
        return "p/log/" + "0".repeat(20 - Long.toString(position).length()) + position;
    }

    /// The requests since the last look, and forgets them.
    List<String> requests() {
        List<String> all = List.copyOf(store.requests);
        store.requests.clear();
        return all;
    }
}
