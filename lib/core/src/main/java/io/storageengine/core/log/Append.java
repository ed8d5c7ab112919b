package io.storageengine.core.log;

import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.ObjectInfo;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// One append: the same bytes at the same position until it is decided who holds it.
final class Append {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long PAUSE_MILLIS_MAX = 1_000;

    private final LogObjects objects;
    private final LogReader reader;
    private final LogOptions options;
    private final Clock clock;
    private final RandomGenerator random;
    private final Header header;
    private final ByteBuffer payload;
    private final long position;
    private final Sight sight;
    private final Sight start;

    private Failure last = new Failure(Failure.Kind.UNAVAILABLE, "not tried yet");
    private boolean maybeWritten;
    private long pauseMillis = 10;

    Append(
            LogObjects objects,
            LogReader reader,
            LogOptions options,
            Clock clock,
            RandomGenerator random,
            Header header,
            ByteBuffer payload) {
        this.objects = objects;
        this.reader = reader;
        this.options = options;
        this.clock = clock;
        this.random = random;
        this.header = header;
        this.payload = payload;
        this.position = header.position();
        this.sight = endsLog() ? Sight.NONE : reader.view().sight();
        this.start = Sight.now(position, clock);
    }

    /// What a terminal seal has fenced may be deleted at once, so no sight covers a second seal.
    private boolean endsLog() {
        return options.sealIsTerminal() && header.kind() == Header.Kind.SEAL;
    }

    Appended run() {
        while (true) {
            Optional<Appended> decided = attempt();
            if (decided.isPresent()) return decided.get();
            if (!pause()) return failed(last);
        }
    }

    private Optional<Appended> attempt() {
        return switch (objects.createEntry(header, payload)) {
            case Outcome.Ok<ObjectInfo> created -> created();
            case Outcome.Failed<ObjectInfo>(Failure failure) -> refused(failure);
        };
    }

    /// Below the boundary nobody can tell whether the entry counted and was truncated while this process
    /// slept, or was created anew at a number whose entry was deleted.
    private Optional<Appended> created() {
        return switch (reader.believe(sight, position)) {
            case Outcome.Ok<Long> believed -> Optional.of(won());
            case Outcome.Failed<Long>(Failure failure) -> {
                maybeWritten = true;
                last = failure;
                yield isTruncated(failure) ? Optional.of(failed(failure)) : Optional.empty();
            }
        };
    }

    private Optional<Appended> refused(Failure failure) {
        last = failure;
        return switch (failure.kind()) {
            case CONFLICT, UNKNOWN -> {
                maybeWritten = true;
                yield look();
            }
            case THROTTLED, UNAVAILABLE -> Optional.empty();
            case INVALID, UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, EXISTS, CORRUPT, BUG -> Optional.of(failed(failure));
        };
    }

    /// Reads the position back. Absent does not mean "not written": the request may still land.
    private Optional<Appended> look() {
        return switch (reader.read(position)) {
            case Outcome.Ok<Stored>(Stored stored) ->
                Optional.of(stored.header().sameWrite(header) ? won() : new Appended.Lost(stored.entry()));
            case Outcome.Failed<Stored>(Failure failure) -> {
                boolean lasting = isTruncated(failure) || failure.kind() == Failure.Kind.CORRUPT;
                yield lasting ? Optional.of(failed(failure)) : Optional.empty();
            }
        };
    }

    private Appended won() {
        reader.learn(v -> v.passed(header, options).saw(start, options));
        if (!reader.view().bars(position, header.epoch(), options)) return new Appended.Won(position);
        return new Appended.Failed(sealed(position));
    }

    private Appended failed(Failure failure) {
        if (!maybeWritten) return new Appended.Failed(failure);
        return new Appended.Failed(new Failure(
                Failure.Kind.UNKNOWN,
                String.format(
                        Locale.ROOT,
                        "entry %d may have been written (%s): open the log anew and look",
                        position,
                        failure.message())));
    }

    static Failure sealed(long position) {
        return new Failure(
                Failure.Kind.CONFLICT,
                ObjectLog.SEALED,
                String.format(
                        Locale.ROOT, "a seal below entry %d bars this writer: another owner took over", position));
    }

    private static boolean isTruncated(Failure failure) {
        return failure.code().equals(ObjectLog.TRUNCATED);
    }

    private boolean pause() {
        long pastMillis = (clock.nanos() - start.nanos()) / NANOS_PER_MILLI;
        if (pastMillis >= options.appendDeadlineMillis()) return false;
        try {
            clock.sleep(
                    Math.min(pauseMillis + random.nextLong(pauseMillis), options.appendDeadlineMillis() - pastMillis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        pauseMillis = Math.min(2 * pauseMillis, PAUSE_MILLIS_MAX);
        return true;
    }
}
