package io.storageengine.catalog.tables;

import io.storageengine.catalog.iceberg.MetadataFiles;
import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.catalog.iceberg.StoredMetadata;
import io.storageengine.catalog.iceberg.TableChanges;
import io.storageengine.catalog.log.CatalogLog;
import io.storageengine.catalog.rebase.AppendRebase;
import io.storageengine.catalog.rebase.Rebased;
import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.Command;
import io.storageengine.catalog.state.Decision;
import io.storageengine.catalog.state.Decisions;
import io.storageengine.catalog.state.RequestKey;
import io.storageengine.catalog.state.TableName;
import io.storageengine.catalog.state.TableState;
import io.storageengine.catalog.tables.Turns.Writer;
import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.Claim;
import io.storageengine.core.message.Watermark;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.iceberg.rest.requests.UpdateTableRequest;

/// Commits to existing tables. Commits to one table take [Turns], so that a doomed one is refused before it
/// writes anything; commits to different tables share the log's entries.
public final class TableCommits {
    /// How often a commit that another process overtook is made anew.
    private static final int ATTEMPTS = 20;

    private final CatalogLog log;
    private final MetadataFiles files;
    private final LocationRule locations;
    private final Submissions submissions;
    private final AppendRebase rebase;
    private final Clock clock;
    private final Turns turns;

    public TableCommits(
            CatalogLog log,
            MetadataFiles files,
            LocationRule locations,
            Submissions submissions,
            AppendRebase rebase,
            Clock clock) {
        this.log = log;
        this.files = files;
        this.locations = locations;
        this.submissions = submissions;
        this.rebase = rebase;
        this.clock = clock;
        this.turns = new Turns(clock);
    }

    /// What is to be committed.
    ///
    /// @param table its name
    /// @param isNamed true when the table must have that name; else the uuid alone tells which table
    public record Wanted(
            TableName table,
            boolean isNamed,
            UUID uuid,
            UpdateTableRequest request,
            List<Watermark> marks,
            List<Claim> claims,
            RequestKey key,
            Writer writer) {
        public Wanted {
            marks = List.copyOf(marks);
            claims = List.copyOf(claims);
        }

        boolean isOnlyUpdates() {
            return marks.isEmpty() && claims.isEmpty() && key.isNone();
        }
    }

    /// Commits to the table of that name.
    ///
    /// @param connection what the request came by
    StoredMetadata commit(TableName name, UpdateTableRequest request, RequestKey key, String connection) {
        Writer writer = new Writer(connection, TableChanges.addedSnapshots(request));
        Optional<TableState> guess = log.latest().table(name);
        if (guess.isPresent()) {
            try {
                return commit(named(name, guess.get().uuid(), request, key, writer));
            } catch (FailureException e) {
                // Another process may have put another table under the name.
                if (e.failure().kind() != Failure.Kind.NOT_FOUND) throw e;
            }
        }
        TableState found =
                log.state().table(name).orElseThrow(() -> new FailureException(Decisions.missingTable(name)));
        return commit(named(name, found.uuid(), request, key, writer));
    }

    private static Wanted named(TableName name, UUID uuid, UpdateTableRequest request, RequestKey key, Writer writer) {
        return new Wanted(name, true, uuid, request, List.of(), List.of(), key, writer);
    }

    /// Commits to the table of that uuid, whatever it is called now.
    public StoredMetadata commit(Wanted wanted) {
        return turns.take(wanted.uuid(), wanted.writer(), () -> inTurn(wanted));
    }

    /// Does the work when it is these tables' turn.
    <T> T inTurn(List<UUID> tables, Supplier<T> work) {
        return turns.takeAll(tables, work);
    }

    private StoredMetadata inTurn(Wanted wanted) {
        CatalogState state = log.latest();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<StoredMetadata> committed;
            try {
                committed = once(state, wanted);
            } catch (FailureException e) {
                CatalogState fresh = isRefusal(e.failure()) ? log.state() : state;
                // A refusal stands only on what is true now.
                if (fresh == state) throw e;
                state = fresh;
                continue;
            }
            if (committed.isPresent()) return committed.get();
            state = log.state();
        }
        throw Refusals.conflict("Cannot commit: " + wanted.table().display() + " is changed by others all the time");
    }

    static boolean isRefusal(Failure failure) {
        return switch (failure.kind()) {
            case INVALID, NOT_FOUND, EXISTS, CONFLICT -> true;
            case UNAUTHENTICATED, FORBIDDEN, THROTTLED, UNAVAILABLE, UNKNOWN, CORRUPT, BUG -> false;
        };
    }

    /// One attempt on a state; empty when another process was faster.
    private Optional<StoredMetadata> once(CatalogState state, Wanted wanted) {
        TableState table = state.table(wanted.uuid())
                .orElseThrow(() -> new FailureException(Decisions.missingTable(wanted.table())));
        Decisions.progressRefusal(table, wanted.marks(), wanted.claims(), clock.wallMillis())
                .ifPresent(failure -> {
                    throw new FailureException(failure);
                });
        StoredMetadata base = files.read(table.metadataLocation());
        Made made = made(base, wanted);
        boolean same = !made.after().isChange();
        if (same && wanted.isOnlyUpdates()) return Optional.of(base);
        StoredMetadata next;
        try {
            next = same ? base : files.write(made.after().metadata(), base.location());
        } catch (RuntimeException e) {
            // Nothing points at it yet.
            made.rebased().ifPresent(rebase::discard);
            throw e;
        }
        return append(wanted, base, next, made.rebased());
    }

    /// What a commit makes of a table.
    ///
    /// @param rebased present when it had lost a race and was put on the head
    private record Made(TableChanges.Committed after, Optional<Rebased> rebased) {}

    private Made made(StoredMetadata base, Wanted wanted) {
        try {
            return new Made(changed(base, wanted.request()), Optional.empty());
        } catch (FailureException lost) {
            // Our own commits come again by themselves.
            if (!wanted.isNamed() || !lost.failure().code().equals(Refusals.LOST_RACE)) throw lost;
            Rebased rebased = rebase.rebase(base, wanted.request()).orElseThrow(() -> lost);
            try {
                return new Made(changed(base, rebased.request()), Optional.of(rebased));
            } catch (FailureException still) {
                rebase.discard(rebased);
                throw lost;
            }
        }
    }

    /// What a request makes of a table.
    TableChanges.Committed changed(StoredMetadata base, UpdateTableRequest request) {
        return TableChanges.committed(base.metadata(), request, locations.accepted(request.updates()));
    }

    private Optional<StoredMetadata> append(
            Wanted wanted, StoredMetadata base, StoredMetadata next, Optional<Rebased> rebased) {
        Command command = new Command.CommitTables(List.of(new Command.TableCommit(
                wanted.table(),
                wanted.isNamed(),
                wanted.uuid(),
                base.location(),
                next.location(),
                wanted.marks(),
                wanted.claims())));
        Outcome<Decision> outcome = log.submit(Submissions.with(command, wanted.key(), Submissions.text(next)));
        boolean wrote = !next.location().equals(base.location());
        return switch (outcome) {
            case Outcome.Ok<Decision>(Decision.Accepted accepted) -> {
                if (wrote) files.prune(base.metadata(), next.metadata());
                yield Optional.of(next);
            }
            case Outcome.Ok<Decision>(Decision.Replayed replayed) -> {
                if (wrote) discard(next, rebased);
                yield Optional.of(submissions.table(Submissions.text(replayed.reply())));
            }
            case Outcome.Ok<Decision>(Decision.Refused(Failure failure)) -> {
                if (wrote) discard(next, rebased);
                if (!failure.code().equals(Decisions.STALE)) throw new FailureException(failure);
                yield Optional.empty();
            }
            case Outcome.Failed<Decision>(Failure failure) -> {
                if (wrote && failure.kind() != Failure.Kind.UNKNOWN) discard(next, rebased);
                throw new FailureException(failure);
            }
        };
    }

    private void discard(StoredMetadata lost, Optional<Rebased> rebased) {
        files.discard(lost);
        rebased.ifPresent(rebase::discard);
    }
}
