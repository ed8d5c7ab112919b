package io.storageengine.core.log;

import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/// Reads one log and tells what is really there from ghosts: entries that a delayed or a slept writer created
/// anew at a number whose entry was deleted. What no [Sight] covers is believed only after a look at the
/// boundary, taken after the read.
final class LogReader {
    private static final int LISTINGS_MAX = 3;

    private final LogObjects objects;
    private final LogOptions options;
    private final Clock clock;
    private final AtomicReference<LogView> view = new AtomicReference<>(LogView.NONE);

    LogReader(LogObjects objects, LogOptions options, Clock clock) {
        this.objects = objects;
        this.options = options;
        this.clock = clock;
    }

    LogView view() {
        return Objects.requireNonNull(view.get());
    }

    void learn(UnaryOperator<LogView> step) {
        view.updateAndGet(step);
    }

    /// True while nothing at this position can have been deleted since the sight.
    boolean covers(Sight sight, long position) {
        return sight.covers(position, Sight.now(0, clock), options.retentionMillis());
    }

    Outcome<Boundary> boundary() {
        Sight start = Sight.now(0, clock);
        return objects.boundary().map(boundary -> {
            learn(v -> v.saw(start.from(boundary.below() - 1), options));
            return boundary;
        });
    }

    Outcome<Stored> read(long position) {
        Sight start = Sight.now(position - 1, clock);
        Sight sight = readingSight();
        return switch (objects.entry(position)) {
            case Outcome.Ok<Stored>(Stored stored) ->
                (isRepeatable(stored) ? Outcome.ok(position) : believe(sight, position)).map(ignored -> {
                    learn(v -> v.passed(stored.header(), options));
                    return stored;
                });
            case Outcome.Failed<Stored>(Failure failure) ->
                LogObjects.isAbsent(failure) ? absent(sight, start, position) : Outcome.failed(failure);
        };
    }

    /// What a write-ahead log's seal has fenced is deleted without waiting for the retention, so no sight
    /// covers what is not there, nor a seal that was created where something is not there any more.
    private Sight readingSight() {
        return options.sealIsTerminal() ? Sight.NONE : view().sight();
    }

    /// The one writer of a write-ahead log puts the same bytes at a position, if any: data is no ghost there.
    private boolean isRepeatable(Stored stored) {
        return options.sealIsTerminal() && stored.header().kind() == Header.Kind.DATA;
    }

    private Outcome<Stored> absent(Sight sight, Sight start, long position) {
        if (position < view().sealedAt() && options.sealIsTerminal()) return truncated(position);
        return believe(sight, position).then(ignored -> {
            learn(v -> v.saw(start, options));
            return Outcome.failed(
                    Failure.Kind.NOT_FOUND,
                    ObjectLog.NO_SUCH_ENTRY,
                    String.format(Locale.ROOT, "the log has no entry %d yet", position));
        });
    }

    /// Whether the answer of a read that was begun under a sight can be believed; costs a request only when the
    /// sight does not cover it.
    Outcome<Long> believe(Sight sight, long position) {
        if (covers(sight, position)) return Outcome.ok(position);
        return boundary().then(boundary -> boundary.below() > position ? truncated(position) : Outcome.ok(position));
    }

    static <T> Outcome<T> truncated(long position) {
        return Outcome.failed(
                Failure.Kind.CONFLICT,
                ObjectLog.TRUNCATED,
                String.format(
                        Locale.ROOT,
                        "entry %d lies below the log's boundary: read on from the newest checkpoint",
                        position));
    }

    Outcome<Long> tip(long from) {
        long start = from;
        while (true) {
            Sight sight = readingSight();
            Outcome<LogView> walked = walk(start);
            if (!(walked instanceof Outcome.Ok<LogView>(LogView seen))) return walked.map(LogView::known);
            Outcome<Long> first = covers(sight, start + 1)
                    ? Outcome.ok(start + 1)
                    : boundary().map(Boundary::below);
            if (!(first instanceof Outcome.Ok<Long>(Long below))) return first;
            if (below <= start + 1) {
                learn(v -> v.with(seen, options).saw(seen.sight(), options));
                return Outcome.ok(seen.known());
            }
            start = below - 1;
        }
    }

    /// Reads headers until one is absent; its sight is the moment of the last look.
    private Outcome<LogView> walk(long start) {
        LogView seen = LogView.NONE.knowing(start);
        while (true) {
            Sight look = Sight.now(seen.known(), clock);
            switch (objects.peek(seen.known() + 1)) {
                case Outcome.Ok<Header>(Header header) -> seen = seen.passed(header, options);
                case Outcome.Failed<Header>(Failure failure) -> {
                    return LogObjects.isAbsent(failure) ? Outcome.ok(seen.saw(look, options)) : Outcome.failed(failure);
                }
            }
        }
    }

    Outcome<Optional<Checkpoint>> newestCheckpoint() {
        for (int listing = 0; listing < LISTINGS_MAX; listing++) {
            Sight start = Sight.now(0, clock);
            Outcome<List<Long>> listed = objects.checkpoints();
            if (!(listed instanceof Outcome.Ok<List<Long>>(List<Long> positions))) {
                return listed.map(ignored -> Optional.empty());
            }
            if (positions.isEmpty()) {
                startAt(0, 0, start);
                return Outcome.ok(Optional.empty());
            }
            Outcome<Stored> read = objects.checkpoint(positions.getLast());
            if (read instanceof Outcome.Failed<Stored>(Failure failure) && LogObjects.isAbsent(failure)) continue;
            return read.map(stored -> {
                startAt(stored.header().position(), stored.header().epoch(), start);
                return Optional.of(new Checkpoint(stored.header().position(), stored.payload()));
            });
        }
        return Outcome.failed(
                Failure.Kind.UNAVAILABLE, "checkpoints are replaced faster than they can be read: try again");
    }

    /// A write-ahead log is truncated without checkpoints: there, their listing says nothing of the boundary.
    private void startAt(long position, long epoch, Sight listed) {
        Sight sight = options.sealIsTerminal() ? Sight.NONE : listed.from(position);
        learn(v -> v.with(new LogView(position, 0, epoch, Sight.NONE), options).saw(sight, options));
    }
}
