package io.storageengine.catalog.tables;

import io.storageengine.catalog.iceberg.Location;
import io.storageengine.catalog.iceberg.MetadataFiles;
import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.catalog.iceberg.StoredMetadata;
import io.storageengine.catalog.iceberg.TableChanges;
import io.storageengine.catalog.iceberg.TablePaths;
import io.storageengine.catalog.log.CatalogLog;
import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.Command;
import io.storageengine.catalog.state.Decisions;
import io.storageengine.catalog.state.RequestKey;
import io.storageengine.catalog.state.Space;
import io.storageengine.catalog.state.TableName;
import io.storageengine.catalog.state.TableState;
import io.storageengine.catalog.state.ViewRules;
import io.storageengine.catalog.threads.Threads;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Ids;
import io.storageengine.core.store.Buckets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.rest.requests.CreateTableRequest;
import org.apache.iceberg.rest.requests.RegisterTableRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.jspecify.annotations.Nullable;

/// One native catalog's tables: made, found, renamed, dropped. A metadata file is written before the log's
/// entry that points at it; one that turned out not to be pointed at is removed, one whose fate is unknown
/// never.
public final class NativeTables {
    private static final int ATTEMPTS = 20;

    private final CatalogLog log;
    private final MetadataFiles files;
    private final TablePaths paths;
    private final LocationRule locations;
    private final TableCommits commits;
    private final Submissions submissions;
    private final Purges purges;
    private final Ids ids;

    public NativeTables(
            CatalogLog log,
            MetadataFiles files,
            TablePaths paths,
            LocationRule locations,
            TableCommits commits,
            Submissions submissions,
            Buckets buckets,
            Threads threads,
            Ids ids) {
        this.log = log;
        this.files = files;
        this.paths = paths;
        this.locations = locations;
        this.commits = commits;
        this.submissions = submissions;
        this.purges = new Purges(log, files, new Warehouse(paths, buckets), threads);
        this.ids = ids;
    }

    /// A table as the catalog and its metadata file have it.
    public record Found(TableState table, StoredMetadata stored) {}

    /// The table of a name. One GET when its metadata is not cached.
    public Found load(TableName name) {
        return with(name, table -> new Found(table, read(table)));
    }

    /// Looks at the table of a name; again when its metadata file is gone and others have committed since: they
    /// may have cleaned it up.
    public <T> T with(TableName name, Function<TableState, T> look) {
        TableState table = state(name);
        while (true) {
            try {
                return look.apply(table);
            } catch (FailureException e) {
                if (e.failure().kind() != Failure.Kind.NOT_FOUND) throw e;
                TableState now = state(name);
                if (now.metadataLocation().equals(table.metadataLocation())) throw e;
                table = now;
            }
        }
    }

    /// A table's metadata. One GET when it is not cached.
    public StoredMetadata read(TableState table) {
        return files.read(table.metadataLocation());
    }

    /// Fails when there is no readable metadata at a location.
    void checkReadable(String location) {
        files.read(location);
    }

    /// What the catalog knows of a table, without its metadata.
    public TableState state(TableName name) {
        return log.state().table(name).orElseThrow(() -> new FailureException(Decisions.missingTable(name)));
    }

    /// Makes a table.
    public StoredMetadata create(String space, CreateTableRequest request, RequestKey key) {
        TableName name = Names.table(space, request.name());
        StoredMetadata stored = files.write(newMetadata(name, request), "");
        return put(creation(name, stored, false), stored, key);
    }

    /// The metadata of a table that a later commit may make; nothing is written.
    public TableMetadata stage(String space, CreateTableRequest request) {
        return newMetadata(Names.table(space, request.name()), request);
    }

    private TableMetadata newMetadata(TableName name, CreateTableRequest request) {
        checkFree(log.state(), name);
        UUID uuid = ids.uuid();
        return TableChanges.created(request, place(name, uuid, request.location()), uuid);
    }

    /// Where the files of a table lie; of a table that is not there yet the place that [#stage] named for it,
    /// when the first of these objects lies in such a place.
    ///
    /// @param objects files of the table
    public Location placeFor(TableName name, List<Location> objects) {
        CatalogState state = log.state();
        Optional<TableState> table = state.table(name);
        if (table.isPresent())
            return Location.parse(read(table.get()).metadata().location());
        return objects.stream()
                .findFirst()
                .flatMap(object -> paths.stagedPlace(Space.levels(name.space()), name.name(), object))
                .filter(place -> state.space(name.space()).isPresent() && !state.hasUuid(place.uuidStart()))
                .map(TablePaths.StagedPlace::location)
                .orElseThrow(() -> new FailureException(Decisions.missingTable(name)));
    }

    private String place(TableName name, UUID uuid, @Nullable String wanted) {
        return locations.accept(wanted).orElseGet(() -> paths.place(Space.levels(name.space()), name.name(), uuid));
    }

    private static void checkFree(CatalogState state, TableName name) {
        if (state.space(name.space()).isEmpty()) {
            throw new FailureException(Decisions.missingSpace(name.space()));
        }
        if (state.table(name).isPresent()) {
            throw new FailureException(new Failure(
                    Failure.Kind.EXISTS, "AlreadyExistsException", "Table already exists: " + name.display()));
        }
        ViewRules.tableRefusal(state, name).ifPresent(failure -> {
            throw new FailureException(failure);
        });
    }

    /// Changes a table, or makes it when the request says that it must not be there (a staged create).
    ///
    /// @param connection what the request came by
    public StoredMetadata commit(TableName name, UpdateTableRequest request, RequestKey key, String connection) {
        return TableChanges.isCreate(request)
                ? createStaged(name, request, key)
                : commits.commit(name, request, key, connection);
    }

    private StoredMetadata createStaged(TableName name, UpdateTableRequest request, RequestKey key) {
        StoredMetadata stored = files.write(staged(log.state(), name, request), "");
        return put(creation(name, stored, true), stored, key);
    }

    /// The metadata of a table that a staged create is to make; nothing is written.
    TableMetadata staged(CatalogState state, TableName given, UpdateTableRequest request) {
        TableName name = Names.table(given.space(), given.name());
        if (state.table(name).isPresent()) throw Refusals.conflict("Requirement failed: table already exists");
        checkFree(state, name);
        List<MetadataUpdate> updates = new ArrayList<>(locations.accepted(request.updates()));
        UUID uuid = ids.uuid();
        if (updates.stream().noneMatch(MetadataUpdate.SetLocation.class::isInstance)) {
            updates.add(new MetadataUpdate.SetLocation(place(name, uuid, null)));
        }
        return TableChanges.createdBy(updates, uuid);
    }

    static Command creation(TableName name, StoredMetadata stored, boolean staged) {
        return new Command.CreateTable(name, uuid(stored.metadata()), stored.location(), staged);
    }

    private StoredMetadata put(Command command, StoredMetadata stored, RequestKey key) {
        String text = Submissions.text(stored);
        String stands;
        try {
            stands = submissions.submit(command, key, text);
        } catch (FailureException e) {
            if (e.failure().kind() != Failure.Kind.UNKNOWN) files.discard(stored);
            throw e;
        }
        if (stands.equals(text)) return stored;
        files.discard(stored);
        return submissions.table(stands);
    }

    /// Puts an existing metadata file in place as a table.
    public StoredMetadata register(String space, RegisterTableRequest request, RequestKey key) {
        TableName name = Names.table(space, request.name());
        CatalogState state = log.state();
        if (!request.overwrite()) checkFree(state, name);
        StoredMetadata stored = registrable(request.metadataLocation());
        String text = Submissions.text(stored);
        String stands = submissions.submit(
                new Command.RegisterTable(name, uuid(stored.metadata()), stored.location(), request.overwrite()),
                key,
                text);
        return stands.equals(text) ? stored : submissions.table(stands);
    }

    private StoredMetadata registrable(String location) {
        StoredMetadata stored;
        try {
            stored = files.read(location);
        } catch (FailureException e) {
            if (e.failure().kind() == Failure.Kind.CORRUPT)
                throw Refusals.bad(e.failure().message());
            throw e;
        }
        locations.accept(stored.metadata().location());
        if (stored.metadata().formatVersion() > TableChanges.FORMAT_VERSION_MAX) {
            throw Refusals.bad(
                    "Format version " + stored.metadata().formatVersion() + " is not supported: use 1, 2 or 3");
        }
        if (stored.metadata().uuid() != null) return stored;
        // Tables of format 1 may have none; every table here does.
        TableMetadata named = TableMetadata.buildFrom(stored.metadata())
                .assignUUID(ids.uuid().toString())
                .build();
        return files.write(named, location);
    }

    static UUID uuid(TableMetadata metadata) {
        try {
            return UUID.fromString(metadata.uuid());
        } catch (IllegalArgumentException e) {
            throw Refusals.bad("Not a table uuid: " + metadata.uuid());
        }
    }

    public void rename(TableName from, TableName to, RequestKey key) {
        submissions.submit(new Command.RenameTable(from, Names.table(to.space(), to.name())), key);
    }

    /// That there is a table of that name, without a look at the log's tip when this process knows it.
    public void checkKnown(TableName name) {
        if (log.latest().table(name).isEmpty()) state(name);
    }

    /// Forgets a table, so that another catalog takes it over: its last metadata. Its files stay where they
    /// are.
    public StoredMetadata unregister(TableName name, RequestKey key) {
        String stands = letGo(name, key, stored -> false);
        return submissions.table(stands);
    }

    /// The text of the answer.
    private String letGo(TableName name, RequestKey key, Predicate<StoredMetadata> purges) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            StoredMetadata stored = load(name).stored();
            var command = new Command.UnregisterTable(name, stored.location(), purges.test(stored));
            try {
                return submissions.submit(command, key, Submissions.text(stored));
            } catch (FailureException e) {
                if (!e.failure().code().equals(Decisions.STALE)) throw e;
            }
        }
        throw Refusals.conflict("Cannot let go: " + name.display() + " is changed by others all the time");
    }

    /// Forgets a table and begins to delete its files; those of a table whose metadata cannot be read stay, or
    /// that says `gc.enabled=false`.
    public void purge(TableName name, RequestKey key) {
        try {
            String text = letGo(name, key, Purges::takes);
            purges.start(Submissions.location(text));
        } catch (FailureException e) {
            boolean unreadable = e.failure().kind() == Failure.Kind.CORRUPT
                    || e.failure().code().equals("NotFoundException");
            if (!unreadable) throw e;
            drop(name, key);
        }
    }

    /// Forgets a table. Its files stay where they are.
    public void drop(TableName name, RequestKey key) {
        submissions.submit(new Command.DropTable(name), key);
    }
}
