package io.storageengine.ingest.session;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.FindClaim;
import io.storageengine.core.message.FoundClaim;
import io.storageengine.core.message.TableRef;
import io.storageengine.ingest.table.Arrival;
import io.storageengine.ingest.table.OpenTable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Waits for the snapshot of one request's rows, which is the same however often and wherever it is asked for.
///
/// @param key the request's `Idempotency-Key`, empty when it has none
record CommitWait(Desk desk, TableRef ref, String tableUuid, String key) {
    /// Waits for a commit. Past the time the rows are durable all the same, but nobody can say when they will
    /// be in a snapshot.
    ///
    /// @param what the rows, for the message
    Outcome<Long> await(CompletableFuture<Outcome<Long>> commit, String what) throws InterruptedException {
        try {
            Outcome<Long> snapshot = commit.get(desk.options().commitMillis(), TimeUnit.MILLISECONDS);
            return snapshot.equals(Arrival.COMMITTED_BEFORE) ? committedBefore() : snapshot;
        } catch (TimeoutException late) {
            return Outcome.failed(
                    Failure.Kind.UNKNOWN, "NotCommittedYet", "The rows are durable but in no snapshot yet: " + what);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /// The claim tells the snapshot; of rows without a key only that the current one has them.
    private Outcome<Long> committedBefore() {
        Outcome<Long> told = key.isEmpty()
                ? desk.tables().load(ref, tableUuid).map(OpenTable::snapshotId)
                : desk.ask()
                        .ask(new FindClaim(ref, tableUuid, key), desk.askTimeoutMillis())
                        .map(FoundClaim::snapshotId);
        return told instanceof Outcome.Failed<Long>(Failure failure) && failure.kind() == Failure.Kind.NOT_FOUND
                ? Arrival.COMMITTED_BEFORE
                : told;
    }
}
