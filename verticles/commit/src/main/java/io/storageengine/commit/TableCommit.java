package io.storageengine.commit;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.Claim;
import io.storageengine.core.message.CommitTable;
import io.storageengine.core.message.CommittedFiles;
import io.storageengine.core.message.CommittedTable;
import io.storageengine.core.message.LoadTable;
import io.storageengine.core.message.LoadedTable;
import io.storageengine.core.message.TableRef;
import io.storageengine.core.message.Watermark;
import io.storageengine.iceberg.TableJson;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.TableMetadata;
import org.jspecify.annotations.Nullable;

/// One change of one table, tried until it is decided: load, build a snapshot on what was loaded, commit with
/// the expected marks; lost a race: again on the new base; nobody knows: load and look.
///
/// A change whose outcome was unknown may still land later. It is tried again all the same: the marks let only
/// one of the two through. Its files stay, whatever comes.
final class TableCommit {
    private final Committer room;
    private final TableRef table;
    private final String uuid;
    private final Group group;
    private final Set<Long> unknown = new HashSet<>();
    private boolean isUnknown;
    private @Nullable Draft draft;

    TableCommit(Committer room, TableRef table, String uuid, Group group) {
        this.room = room;
        this.table = table;
        this.uuid = uuid;
        this.group = group;
    }

    Outcome<CommittedFiles> run() {
        long deadline = room.clock().nanos() + room.options().deadlineMillis() * 1_000_000;
        for (int tries = 1; ; tries++) {
            Outcome<CommittedFiles> outcome = tryOnce();
            if (!mayRetry(outcome)) return finished(outcome);
            if (room.clock().nanos() - deadline > 0) return finished(outOfTime(outcome));
            try {
                room.clock().sleep(room.options().backoff().millis(tries, room.random()));
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
                return outOfTime(outcome);
            }
        }
    }

    private static boolean mayRetry(Outcome<CommittedFiles> outcome) {
        return outcome instanceof Outcome.Failed<CommittedFiles>(Failure failure)
                && switch (failure.kind()) {
                    case UNAVAILABLE, THROTTLED, UNKNOWN -> true;
                    case CONFLICT -> !isFinal(failure);
                    case INVALID, UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, EXISTS, CORRUPT, BUG -> false;
                };
    }

    private static boolean isFinal(Failure failure) {
        return failure.code().equals("WatermarkMismatch") || failure.code().equals("ClaimExists");
    }

    private Outcome<CommittedFiles> outOfTime(Outcome<CommittedFiles> last) {
        if (isUnknown)
            return Outcome.failed(Failure.Kind.UNKNOWN, "Whether " + table.display() + " was changed is not known");
        return last.failedWith(Failure.Kind.CONFLICT)
                ? Outcome.failed(Failure.Kind.UNAVAILABLE, "Every race for " + table.display() + " was lost: try later")
                : last;
    }

    private Outcome<CommittedFiles> finished(Outcome<CommittedFiles> outcome) {
        if (!outcome.isOk()) dropDraft();
        else if (draft != null) draft.close();
        return outcome;
    }

    private Outcome<CommittedFiles> tryOnce() {
        return room.ask()
                .ask(new LoadTable(table, uuid), room.options().askTimeoutMillis())
                .then(this::tryOn);
    }

    private Outcome<CommittedFiles> tryOn(LoadedTable loaded) {
        try {
            TableMetadata base = TableJson.metadata(loaded.metadataLocation(), loaded.metadata());
            if (!uuid.equals(base.uuid())) return gone();
            Optional<CommittedFiles> landed = landed(base, loaded);
            if (landed.isPresent()) return Outcome.ok(landed.get());
            if (anyPassed(loaded)) return mismatch();
            Outcome<CommittedFiles> outcome = commit(draftOn(base, loaded));
            if (outcome.isOk() && !group.files().isEmpty()) room.upkeep().committed(table, base);
            return outcome;
        } catch (FailureException failed) {
            return Outcome.failed(failed.failure());
        }
    }

    private Outcome<CommittedFiles> gone() {
        return Outcome.failed(
                Failure.Kind.NOT_FOUND,
                "NoSuchTableException",
                "Table does not exist: " + table.display() + " with uuid " + uuid);
    }

    private static Outcome<CommittedFiles> mismatch() {
        return Outcome.failed(Failure.Kind.CONFLICT, "WatermarkMismatch", "Somebody else has committed these entries");
    }

    /// Looks whether a try of unknown outcome was done after all.
    private Optional<CommittedFiles> landed(TableMetadata base, LoadedTable loaded) {
        if (!isUnknown) return Optional.empty();
        for (long id : unknown) if (id >= 0 && base.snapshot(id) != null) return Optional.of(new CommittedFiles(id));
        boolean marksOnly = group.files().isEmpty() && !group.marks().isEmpty();
        boolean done = marksOnly && group.marks().stream().allMatch(mark -> mark(loaded, mark) == mark.next());
        return done ? Optional.of(new CommittedFiles(-1)) : Optional.empty();
    }

    private boolean anyPassed(LoadedTable loaded) {
        return group.marks().stream().anyMatch(mark -> mark(loaded, mark) > mark.expected());
    }

    private static long mark(LoadedTable loaded, Watermark mark) {
        return loaded.watermarks().getOrDefault(mark.log(), 0L);
    }

    private Draft draftOn(TableMetadata base, LoadedTable loaded) {
        Draft present = draft;
        if (present != null && present.isOn(loaded.metadataLocation())) return present;
        dropDraft();
        Draft made = group.files().isEmpty()
                ? Draft.withoutFiles(base)
                : Draft.of(room, table, base, loaded.ioProperties(), group.files());
        draft = made;
        return made;
    }

    /// The draft lost for certain: its manifests go, unless one of its tries may still land.
    private void dropDraft() {
        Draft lost = draft;
        draft = null;
        if (lost == null) return;
        if (!unknown.contains(lost.snapshotId())) lost.deleteFiles();
        lost.close();
    }

    private Outcome<CommittedFiles> commit(Draft ready) {
        List<Claim> claims = group.claims().stream()
                .map(claim -> claim.in(ready.snapshotId()))
                .toList();
        CommitTable question = new CommitTable(table, uuid, ready.request(), group.marks(), claims);
        Outcome<CommittedTable> outcome =
                room.ask().ask(question, room.options().askTimeoutMillis());
        if (outcome.failedWith(Failure.Kind.UNKNOWN)) {
            isUnknown = true;
            unknown.add(ready.snapshotId());
        }
        if (isUnknown && outcome instanceof Outcome.Failed<CommittedTable>(Failure failure) && isFinal(failure))
            return look(failure);
        return outcome.map(done -> new CommittedFiles(ready.snapshotId()));
    }

    /// Refused for good, but an earlier try of unknown outcome may be the reason.
    private Outcome<CommittedFiles> look(Failure refusal) {
        Outcome<LoadedTable> now =
                room.ask().ask(new LoadTable(table, uuid), room.options().askTimeoutMillis());
        return now.then(loaded -> {
            TableMetadata base = TableJson.metadata(loaded.metadataLocation(), loaded.metadata());
            return landed(base, loaded)
                    .<Outcome<CommittedFiles>>map(Outcome::ok)
                    .orElse(Outcome.failed(refusal));
        });
    }
}
