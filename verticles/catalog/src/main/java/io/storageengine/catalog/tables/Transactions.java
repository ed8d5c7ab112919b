package io.storageengine.catalog.tables;

import io.storageengine.catalog.iceberg.MetadataFiles;
import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.catalog.iceberg.StoredMetadata;
import io.storageengine.catalog.iceberg.TableChanges;
import io.storageengine.catalog.log.CatalogLog;
import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.Command;
import io.storageengine.catalog.state.Command.TableCommit;
import io.storageengine.catalog.state.Decision;
import io.storageengine.catalog.state.Decisions;
import io.storageengine.catalog.state.RequestKey;
import io.storageengine.catalog.state.Space;
import io.storageengine.catalog.state.TableName;
import io.storageengine.catalog.state.TableState;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.jspecify.annotations.Nullable;

/// Commits to several tables at once, all of them or none, in one entry of the log; staged creates among them.
/// The metadata files are written in parallel before it.
public final class Transactions {
    private static final int ATTEMPTS = 20;

    private final CatalogLog log;
    private final MetadataFiles files;
    private final NativeTables tables;
    private final TableCommits commits;

    public Transactions(CatalogLog log, MetadataFiles files, NativeTables tables, TableCommits commits) {
        this.log = log;
        this.files = files;
        this.tables = tables;
        this.commits = commits;
    }

    /// One table's part, made on a state.
    ///
    /// @param base the table's metadata before; null when the part makes the table
    /// @param after the metadata after
    /// @param isWritten false when the table does not change
    private record Part(TableName name, @Nullable StoredMetadata base, TableMetadata after, boolean isWritten) {
        String before() {
            return base == null ? "" : base.location();
        }
    }

    /// Commits to all of these tables.
    ///
    /// @param requests each with the table's identifier
    public void commit(List<UpdateTableRequest> requests, RequestKey key) {
        List<TableName> names = names(requests);
        CatalogState seen = log.latest();
        List<UUID> queues = names.stream()
                .flatMap(name -> seen.table(name).stream())
                .map(TableState::uuid)
                .toList();
        commits.inTurn(queues, () -> {
            attempts(names, requests, key);
            return true;
        });
    }

    private static List<TableName> names(List<UpdateTableRequest> requests) {
        List<TableName> names = requests.stream().map(Transactions::name).toList();
        Set<TableName> seen = new HashSet<>();
        for (TableName name : names) {
            if (!seen.add(name)) throw Refusals.bad("A table is named twice in one commit: " + name.display());
        }
        return names;
    }

    private static TableName name(UpdateTableRequest request) {
        TableIdentifier identifier = request.identifier();
        return new TableName(Space.path(List.of(identifier.namespace().levels())), identifier.name());
    }

    private void attempts(List<TableName> names, List<UpdateTableRequest> requests, RequestKey key) {
        CatalogState state = log.latest();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            List<Part> parts;
            try {
                parts = parts(state, names, requests);
            } catch (FailureException e) {
                CatalogState fresh = TableCommits.isRefusal(e.failure()) ? log.state() : state;
                // A refusal stands only on what is true now.
                if (fresh == state) throw e;
                state = fresh;
                continue;
            }
            if (submitted(state, parts, key)) return;
            state = log.state();
        }
        throw Refusals.conflict("Cannot commit: the tables are changed by others all the time");
    }

    private List<Part> parts(CatalogState state, List<TableName> names, List<UpdateTableRequest> requests) {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) parts.add(part(state, names.get(i), requests.get(i)));
        return parts;
    }

    private Part part(CatalogState state, TableName name, UpdateTableRequest request) {
        if (TableChanges.isCreate(request)) return new Part(name, null, tables.staged(state, name, request), true);
        TableState table = state.table(name).orElseThrow(() -> new FailureException(Decisions.missingTable(name)));
        StoredMetadata base = files.read(table.metadataLocation());
        TableChanges.Committed after = commits.changed(base, request);
        return new Part(name, base, after.metadata(), after.isChange());
    }

    /// Whether it is decided; if not, one of the tables moved, and nothing of this attempt is left.
    private boolean submitted(CatalogState state, List<Part> parts, RequestKey key) {
        List<Part> written = parts.stream().filter(Part::isWritten).toList();
        if (written.isEmpty() && key.isNone() && state == log.state()) return true;
        List<StoredMetadata> stored = files.writeAll(written.stream()
                .map(part -> new MetadataFiles.Fresh(part.after(), part.before()))
                .toList());
        Command command = Submissions.with(together(parts, written, stored), key, "");
        return switch (log.submit(command)) {
            case Outcome.Ok<Decision>(Decision.Accepted accepted) -> {
                prune(written, stored);
                yield true;
            }
            case Outcome.Ok<Decision>(Decision.Replayed replayed) -> {
                stored.forEach(files::discard);
                Submissions.text(replayed.reply());
                yield true;
            }
            case Outcome.Ok<Decision>(Decision.Refused(Failure failure)) -> {
                stored.forEach(files::discard);
                if (!failure.code().equals(Decisions.STALE)) throw new FailureException(failure);
                yield false;
            }
            case Outcome.Failed<Decision>(Failure failure) -> {
                if (failure.kind() != Failure.Kind.UNKNOWN) stored.forEach(files::discard);
                throw new FailureException(failure);
            }
        };
    }

    private static Command together(List<Part> parts, List<Part> written, List<StoredMetadata> stored) {
        List<Command> commands = new ArrayList<>();
        List<TableCommit> moved = new ArrayList<>();
        for (Part part : parts) {
            int at = written.indexOf(part);
            StoredMetadata base = part.base();
            if (base == null) {
                commands.add(NativeTables.creation(part.name(), stored.get(at), true));
            } else {
                String location = at < 0 ? base.location() : stored.get(at).location();
                moved.add(new TableCommit(
                        part.name(),
                        true,
                        NativeTables.uuid(base.metadata()),
                        base.location(),
                        location,
                        List.of(),
                        List.of()));
            }
        }
        commands.add(new Command.CommitTables(moved));
        return new Command.Together(commands);
    }

    private void prune(List<Part> written, List<StoredMetadata> stored) {
        for (int i = 0; i < written.size(); i++) {
            Optional<StoredMetadata> base = Optional.ofNullable(written.get(i).base());
            if (base.isPresent())
                files.prune(base.get().metadata(), stored.get(i).metadata());
        }
    }
}
