package io.storageengine.catalog.views;

import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.catalog.iceberg.StoredView;
import io.storageengine.catalog.iceberg.ViewChanges;
import io.storageengine.catalog.iceberg.ViewFiles;
import io.storageengine.catalog.log.CatalogLog;
import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.Command;
import io.storageengine.catalog.state.Decision;
import io.storageengine.catalog.state.Decisions;
import io.storageengine.catalog.state.RequestKey;
import io.storageengine.catalog.state.TableName;
import io.storageengine.catalog.state.ViewRules;
import io.storageengine.catalog.state.ViewState;
import io.storageengine.catalog.tables.LocationRule;
import io.storageengine.catalog.tables.Submissions;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.view.ViewMetadata;

/// Commits to existing views. Commits to one view wait for each other in a fair queue; one that another process
/// overtook is made anew on what is there then, as its requirements allow.
final class ViewCommits {
    /// How often a commit that another process overtook is made anew.
    private static final int ATTEMPTS = 20;

    private final CatalogLog log;
    private final ViewFiles files;
    private final LocationRule locations;
    private final Function<String, StoredView> kept;
    private final ReentrantLock[] queues = new ReentrantLock[64];

    /// @param kept finds the view of the text that was kept for an answer
    ViewCommits(CatalogLog log, ViewFiles files, LocationRule locations, Function<String, StoredView> kept) {
        this.log = log;
        this.files = files;
        this.locations = locations;
        this.kept = kept;
        for (int i = 0; i < queues.length; i++) queues[i] = new ReentrantLock(true);
    }

    StoredView commit(TableName name, UpdateTableRequest request, RequestKey key) {
        ReentrantLock queue = queues[Math.floorMod(name.hashCode(), queues.length)];
        queue.lock();
        try {
            return inTurn(name, request, key);
        } finally {
            queue.unlock();
        }
    }

    private StoredView inTurn(TableName name, UpdateTableRequest request, RequestKey key) {
        CatalogState state = log.latest();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<StoredView> committed;
            try {
                committed = once(state, name, request, key);
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
        throw Refusals.conflict("Cannot commit: " + name.display() + " is changed by others all the time");
    }

    private static boolean isRefusal(Failure failure) {
        return switch (failure.kind()) {
            case INVALID, NOT_FOUND, EXISTS, CONFLICT -> true;
            case UNAUTHENTICATED, FORBIDDEN, THROTTLED, UNAVAILABLE, UNKNOWN, CORRUPT, BUG -> false;
        };
    }

    /// One attempt on a state; empty when another process was faster.
    private Optional<StoredView> once(CatalogState state, TableName name, UpdateTableRequest request, RequestKey key) {
        ViewState view = state.view(name).orElseThrow(() -> new FailureException(ViewRules.missing(name)));
        StoredView base = files.read(view.metadataLocation());
        Optional<ViewMetadata> after =
                ViewChanges.committed(base.metadata(), request, locations.accepted(request.updates()));
        if (after.isEmpty() && key.isNone()) return Optional.of(base);
        StoredView next = after.isEmpty() ? base : files.write(after.get(), base.location());
        return append(new Command.CommitView(name, view.uuid(), base.location(), next.location()), next, key);
    }

    private Optional<StoredView> append(Command.CommitView command, StoredView next, RequestKey key) {
        String text = Submissions.text(command.uuid(), command.location());
        boolean wrote = !command.location().equals(command.expectedLocation());
        return switch (log.submit(Submissions.with(command, key, text))) {
            case Outcome.Ok<Decision>(Decision.Accepted accepted) -> Optional.of(next);
            case Outcome.Ok<Decision>(Decision.Replayed replayed) -> {
                if (wrote) files.discard(next);
                yield Optional.of(kept.apply(Submissions.text(replayed.reply())));
            }
            case Outcome.Ok<Decision>(Decision.Refused(Failure failure)) -> {
                if (wrote) files.discard(next);
                if (!failure.code().equals(Decisions.STALE)) throw new FailureException(failure);
                yield Optional.empty();
            }
            case Outcome.Failed<Decision>(Failure failure) -> {
                if (wrote && failure.kind() != Failure.Kind.UNKNOWN) files.discard(next);
                throw new FailureException(failure);
            }
        };
    }
}
