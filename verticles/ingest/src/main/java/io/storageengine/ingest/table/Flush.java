package io.storageengine.ingest.table;

import io.storageengine.core.Ask;
import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.Claim;
import io.storageengine.core.message.CommittedFiles;
import io.storageengine.core.message.FindClaim;
import io.storageengine.core.message.FoundClaim;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings one batch into its table, one try: load the table, write files, have them committed with the mark.
/// What was done stays done for the next try. Files that a commit was asked for are never deleted here.
///
/// @param askTimeoutMillis how long a question to the catalog room may take
/// @param commitTimeoutMillis how long the commit room may take
public record Flush(
        Ask ask, Tables tables, TableWriter writer, Parking parking, long askTimeoutMillis, long commitTimeoutMillis) {
    private static final Logger LOG = LoggerFactory.getLogger(Flush.class);

    /// Done when the batch is settled; a failure means: try again later.
    Outcome<Done> run(Batch batch) throws InterruptedException {
        batch.settleCommitted();
        if (batch.isSettled()) return Outcome.done();
        if (!batch.isWritten()) {
            Outcome<Done> written = write(batch);
            if (!written.isOk() || batch.isSettled()) return written;
        }
        Outcome<CommittedFiles> outcome = ask.ask(batch.question(), commitTimeoutMillis);
        return switch (outcome) {
            case Outcome.Ok<CommittedFiles>(CommittedFiles done) -> {
                batch.settle(Outcome.ok(done.snapshotId()));
                yield Outcome.done();
            }
            case Outcome.Failed<CommittedFiles>(Failure failure) -> refused(batch, failure);
        };
    }

    private Outcome<Done> write(Batch batch) throws InterruptedException {
        Outcome<OpenTable> loaded = tables.load(batch.table(), batch.uuid());
        if (loaded instanceof Outcome.Failed<OpenTable>(Failure failure)) return refused(batch, failure);
        OpenTable table = loaded.orThrow();
        if (!table.uuid().equals(batch.uuid())) return park(batch);
        if (batch.rows().isEmpty()) {
            batch.written(List.of());
            return Outcome.done();
        }
        return writer.write(table, batch.rows()).map(files -> {
            batch.written(files);
            return Done.DONE;
        });
    }

    private Outcome<Done> park(Batch batch) {
        return parking.park(batch).map(done -> {
            batch.settle(Outcome.failed(
                    Failure.Kind.NOT_FOUND,
                    "NoSuchTableException",
                    "Table does not exist any more: " + batch.table().display() + ": its rows are parked"));
            return done;
        });
    }

    private Outcome<Done> refused(Batch batch, Failure failure) {
        return switch (failure.kind()) {
            case NOT_FOUND -> parking.isDue(failure, batch.takenMillis()) ? park(batch) : Outcome.failed(failure);
            case CONFLICT ->
                switch (failure.code()) {
                    case "WatermarkMismatch" -> overtaken(batch);
                    case "ClaimExists" -> claimed(batch);
                    default -> Outcome.failed(failure);
                };
            case INVALID, UNAUTHENTICATED, FORBIDDEN, EXISTS, THROTTLED, UNAVAILABLE, UNKNOWN, CORRUPT, BUG ->
                Outcome.failed(failure);
        };
    }

    /// The mark is not where we left it: an earlier try of ours was done after all, or somebody replayed our
    /// log. Either way it tells which rows are in.
    private Outcome<Done> overtaken(Batch batch) {
        return tables.load(batch.table(), batch.uuid()).then(table -> {
            if (!table.uuid().equals(batch.uuid())) return park(batch);
            long mark = table.marks().getOrDefault(batch.log().id(), 0L);
            LOG.info(
                    "Entries of {} up to {} are in {} already",
                    batch.log().id(),
                    mark,
                    batch.table().display());
            if (mark >= batch.next()) {
                batch.settle(Arrival.COMMITTED_BEFORE);
                batch.log().mark(batch.uuid(), mark);
                return Outcome.done();
            }
            boolean isMoved = mark > batch.log().mark(batch.uuid());
            batch.log().mark(batch.uuid(), mark);
            batch.settle(arrival -> arrival.at().position() <= mark, Arrival.COMMITTED_BEFORE);
            // Rows of a channel are in no other log: this cannot be, and must not be tried in a circle.
            return isMoved
                    ? again()
                    : Outcome.failed(
                            Failure.Kind.CORRUPT,
                            "The offsets of a channel of " + batch.table().display() + " are not where its rows begin");
        });
    }

    /// A request with one of our keys is in by another way: its rows here are dropped.
    private Outcome<Done> claimed(Batch batch) {
        Set<String> taken = new HashSet<>();
        for (Claim claim : batch.claims()) {
            Outcome<FoundClaim> found =
                    ask.ask(new FindClaim(batch.table(), batch.uuid(), claim.key()), askTimeoutMillis);
            if (found instanceof Outcome.Failed<FoundClaim>(Failure failure)) return Outcome.failed(failure);
            if (found.orThrow().claim().isPresent()) taken.add(claim.key());
        }
        LOG.info(
                "{} requests for {} were done before",
                taken.size(),
                batch.table().display());
        batch.settle(
                arrival -> arrival.block()
                        .key()
                        .map(key -> taken.contains(key.key()))
                        .orElse(false),
                Arrival.COMMITTED_BEFORE);
        return again();
    }

    static boolean isAgain(Failure failure) {
        return failure.code().equals("Again");
    }

    private static Outcome<Done> again() {
        return Outcome.failed(Failure.Kind.CONFLICT, "Again", "The rest of the batch is to be tried at once");
    }
}
