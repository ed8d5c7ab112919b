package io.storageengine.ingest.wal;

import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.log.Appended;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Appends to a log of our own, one entry at a time, and finds out what became of each: when nobody knows, the
/// log is sealed, and where its seal stands tells. For one thread.
final class LogWriter {
    private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);
    private static final long EPOCH = 1;
    private final OpenLog log;
    private final WalOptions options;
    private final Clock clock;
    private final RandomGenerator random;
    private long next = 1;
    private boolean isEnded;

    /// What became of an entry.
    sealed interface Verdict {
        /// It is durable there.
        record Durable(long position) implements Verdict {}

        /// It is not in this log and never will be; the log has ended.
        record Lapsed() implements Verdict {}

        /// It was not written; the log goes on.
        record Refused(Failure failure) implements Verdict {}
    }

    LogWriter(OpenLog log, WalOptions options, Clock clock, RandomGenerator random) {
        this.log = log;
        this.options = options;
        this.clock = clock;
        this.random = random;
    }

    OpenLog log() {
        return log;
    }

    /// Whether a seal has ended the log.
    boolean isEnded() {
        return isEnded;
    }

    Verdict append(ByteBuffer payload) throws InterruptedException {
        return switch (log.entries().append(next, EPOCH, payload)) {
            case Appended.Won won -> new Verdict.Durable(next++);
            case Appended.Lost lost ->
                ended(lost.winner().isSeal() ? lost.winner().position() : seal());
            case Appended.Failed failed -> failed(failed.failure());
        };
    }

    private Verdict failed(Failure failure) throws InterruptedException {
        return switch (failure.kind()) {
            case UNKNOWN -> {
                LOG.warn("Entry {} of log {} is undecided: the log is sealed", next, log.id());
                yield ended(seal());
            }
            case CONFLICT -> ended(seal());
            case INVALID, UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, EXISTS, THROTTLED, UNAVAILABLE, CORRUPT, BUG ->
                new Verdict.Refused(failure);
        };
    }

    private Verdict ended(long sealedAt) {
        isEnded = true;
        log.sealed(sealedAt);
        return sealedAt > next ? new Verdict.Durable(next++) : new Verdict.Lapsed();
    }

    /// Ends the log, however long it takes, and answers where its seal stands.
    private long seal() throws InterruptedException {
        for (int tries = 1; ; tries++) {
            OptionalLong sealed = trySeal();
            if (sealed.isPresent()) return sealed.getAsLong();
            clock.sleep(options.backoff().millis(tries, random));
        }
    }

    /// Ends the log and answers where its seal stands; empty when the store does not do it now.
    OptionalLong trySeal() {
        return switch (log.entries().seal(next - 1, EPOCH + 1)) {
            case Appended.Won won -> OptionalLong.of(won.position());
            case Appended.Lost lost -> OptionalLong.of(lost.winner().position());
            case Appended.Failed failed -> {
                LOG.warn("Log {} cannot be sealed yet: {}", log.id(), failed.failure());
                yield OptionalLong.empty();
            }
        };
    }
}
