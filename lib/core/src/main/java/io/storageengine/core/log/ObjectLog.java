package io.storageengine.core.log;

import io.storageengine.core.Clock;
import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.ObjectStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// An append-only sequence of objects that any number of processes write without talking to each other: whoever
/// creates number n decides what n is.
///
/// Safe for any number of (virtual) threads. Calls block on the store. What one object of this class has seen
/// (seals, the end of the log) guards what it writes, so a process opens a log once and keeps it: by
/// [#newestCheckpoint], then [#read] from there until `NOT_FOUND`.
///
/// Failures of any call besides its own: what the store answers, and `CORRUPT` for bytes that nobody wrote.
public final class ObjectLog {
    /// The code of a `CONFLICT`: a seal with a higher epoch (any seal of a write-ahead log) lies below.
    public static final String SEALED = "Sealed";

    /// The code of a `CONFLICT`: the position lies below the boundary; start from the newest checkpoint.
    public static final String TRUNCATED = "LogTruncated";

    /// The code of a `NOT_FOUND`: nothing is at the position yet.
    public static final String NO_SUCH_ENTRY = "NoSuchEntry";

    private final LogObjects objects;
    private final LogReader reader;
    private final LogKeeper keeper;
    private final LogOptions options;
    private final String writer;
    private final Clock clock;
    private final RandomGenerator random;

    /// @param store where the log lives
    /// @param prefix where the log's objects live, ending in `/`: `log/{20 digits}`, `checkpoint/{20 digits}`,
    ///     `boundary`
    /// @param writer the id of this process, used by no other and never again: at most 200 bytes of UTF-8
    /// @param random shared by threads, so thread-safe
    public ObjectLog(
            ObjectStore store, String prefix, String writer, LogOptions options, Clock clock, RandomGenerator random) {
        if (writer.getBytes(StandardCharsets.UTF_8).length > Header.WRITER_BYTES_MAX) {
            throw new IllegalArgumentException("a writer's id has at most " + Header.WRITER_BYTES_MAX + " bytes");
        }
        this.objects = new LogObjects(store, prefix);
        this.reader = new LogReader(objects, options, clock);
        this.keeper = new LogKeeper(objects, reader, options);
        this.options = options;
        this.writer = writer;
        this.clock = clock;
        this.random = random;
    }

    /// The newest checkpoint, where there is one: one LIST and one GET.
    public Outcome<Optional<Checkpoint>> newestCheckpoint() {
        return reader.newestCheckpoint();
    }

    /// The newest checkpoint of a position up to `position`, where one is kept: one LIST and one GET.
    public Outcome<Optional<Checkpoint>> checkpointUpTo(long position) {
        return keeper.checkpointUpTo(position);
    }

    /// Whether any entry is there, at whatever position: one LIST.
    public Outcome<Boolean> hasEntries() {
        return objects.hasEntries();
    }

    /// The first position that still counts, 1 for a log that was never truncated: one GET.
    public Outcome<Long> first() {
        return reader.boundary().map(Boundary::below);
    }

    /// The entry at a position: one GET, and one of the boundary when this log was not looked at for half of
    /// the retention. `NOT_FOUND` ([#NO_SUCH_ENTRY]) when it is not there yet, `CONFLICT` ([#TRUNCATED]) when
    /// it lies below the boundary. In a write-ahead log the boundary is looked at for every
    /// position without data, and entries above the first seal are void.
    public Outcome<LogEntry> read(long position) {
        if (position < 1) return Outcome.failed(Failure.Kind.INVALID, "positions count from 1");
        return reader.read(position).map(Stored::entry);
    }

    /// The last position of the log, 0 when it is empty: one GET of a header per entry after `from` and one
    /// that finds nothing, besides the boundary where nobody looked lately. Goes on above the boundary when
    /// the entries after `from` are truncated.
    ///
    /// @param from the position up to which the caller has seen everything (its state, not a guess); 0 at first
    public Outcome<Long> tip(long from) {
        if (from < 0) return Outcome.failed(Failure.Kind.INVALID, "positions count from 1");
        return reader.tip(from);
    }

    /// The highest epoch that a seal holds, as far as this log was read; 0 when there is none. No request.
    public long sealedEpoch() {
        return reader.view().sealEpoch();
    }

    /// Writes an entry at a position that the caller believes free: the tip that it knows + 1. One PUT when
    /// nothing disturbs it (and a GET of the boundary when this log was not looked at for half of the
    /// retention); blocks until the outcome is known or the deadline has passed.
    ///
    /// On a write-ahead log one writer may append at consecutive positions at once; on others the log must have
    /// been read up to `position` - 1 through this object (else `INVALID`), so that every seal below is known.
    ///
    /// @param payload unchanged until the call has answered; its position does not move
    public Appended append(long position, long epoch, ByteBuffer payload) {
        Optional<Failure> refused = refuse(position, epoch);
        if (refused.isPresent()) return new Appended.Failed(refused.get());
        return write(Header.Kind.DATA, position, epoch, payload);
    }

    private Optional<Failure> refuse(long position, long epoch) {
        if (position < 1 || epoch < 0) {
            return Optional.of(new Failure(Failure.Kind.INVALID, "positions count from 1, epochs from 0"));
        }
        LogView view = reader.view();
        if (!options.sealIsTerminal() && position > view.known() + 1) {
            return Optional.of(new Failure(
                    Failure.Kind.INVALID,
                    String.format(
                            Locale.ROOT,
                            "read the log up to entry %d before entry %d is appended: it is known up to %d",
                            position - 1,
                            position,
                            view.known())));
        }
        return view.bars(position, epoch, options) ? Optional.of(Append.sealed(position)) : Optional.empty();
    }

    private Appended write(Header.Kind kind, long position, long epoch, ByteBuffer payload) {
        Header header = header(kind, position, epoch, payload);
        return new Append(objects, reader, options, clock, random, header, payload).run();
    }

    private Header header(Header.Kind kind, long position, long epoch, ByteBuffer payload) {
        return Header.of(kind, position, epoch, random.nextLong(), clock.wallMillis(), writer, payload);
    }

    /// Fences every lower epoch: appends a seal at the first free position after `from`. `Won` also when this
    /// writer sealed so before; `Lost` names the seal of another that bars ours (the same or a higher epoch;
    /// any seal of a write-ahead log: then the log is ended, by whomever).
    ///
    /// @param from as for [#tip]
    public Appended seal(long from, long epoch) {
        if (from < 0 || epoch < 1) {
            return new Appended.Failed(new Failure(Failure.Kind.INVALID, "the epoch of a seal is at least 1"));
        }
        long seen = from;
        while (true) {
            Outcome<Long> tip = reader.tip(seen);
            if (!(tip instanceof Outcome.Ok<Long>(Long last))) return failed(tip);
            if (outranked(epoch)) return standing(epoch);
            Appended sealed = write(Header.Kind.SEAL, last + 1, epoch, ByteBuffer.allocate(0));
            if (!(sealed instanceof Appended.Lost)) return sealed;
            seen = last;
        }
    }

    private boolean outranked(long epoch) {
        LogView view = reader.view();
        return options.sealIsTerminal() ? view.sealedAt() > 0 : view.sealEpoch() >= epoch;
    }

    /// The seal that stands in the way of ours; it may be our own of an earlier call.
    private Appended standing(long epoch) {
        long at = reader.view().sealedAt();
        if (at == 0) return new Appended.Failed(Append.sealed(at));
        Outcome<LogEntry> found = read(at);
        if (!(found instanceof Outcome.Ok<LogEntry>(LogEntry seal))) return failed(found);
        boolean own = seal.writer().equals(writer) && seal.epoch() == epoch;
        return own ? new Appended.Won(at) : new Appended.Lost(seal);
    }

    private static Appended failed(Outcome<?> outcome) {
        return switch (outcome) {
            case Outcome.Failed<?>(Failure failure) -> new Appended.Failed(failure);
            case Outcome.Ok<?> ok -> throw new IllegalStateException("not a failure: " + ok);
        };
    }

    /// Writes the state up to a position that this log was read to, and deletes checkpoints but the two newest
    /// and the first of each of the seven newest spans of 2,000 positions (for [#checkpointUpTo]): one PUT, one
    /// LIST, at most one DELETE. A checkpoint that is there already stays.
    public Outcome<Done> checkpoint(long position, ByteBuffer state) {
        LogView view = reader.view();
        if (position < 1 || position > view.known()) {
            return Outcome.failed(
                    Failure.Kind.INVALID,
                    String.format(
                            Locale.ROOT, "no checkpoint of %d: the log is known up to %d", position, view.known()));
        }
        return keeper.checkpoint(header(Header.Kind.CHECKPOINT, position, view.sealEpoch(), state), state);
    }

    /// Lets entries below a position go, never more than the newest checkpoint covers (a write-ahead log has
    /// none: there the caller answers for everything below being used up, and its first seal stays for ever).
    ///
    /// Each call deletes what a boundary that has stood for the retention left behind, then moves the
    /// boundary; so call it now and then. Below the known seal of a write-ahead log entries go at once.
    public Outcome<Done> truncate(long below) {
        if (below < 1) return Outcome.failed(Failure.Kind.INVALID, "positions count from 1");
        return keeper.limit(below)
                .then(limit -> keeper.truncate(header(Header.Kind.BOUNDARY, limit, 0, ByteBuffer.allocate(0))));
    }
}
