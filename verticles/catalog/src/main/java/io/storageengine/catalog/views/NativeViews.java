package io.storageengine.catalog.views;

import io.storageengine.catalog.iceberg.Location;
import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.catalog.iceberg.StoredView;
import io.storageengine.catalog.iceberg.TablePaths;
import io.storageengine.catalog.iceberg.ViewChanges;
import io.storageengine.catalog.iceberg.ViewFiles;
import io.storageengine.catalog.log.CatalogLog;
import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.Command;
import io.storageengine.catalog.state.RequestKey;
import io.storageengine.catalog.state.Space;
import io.storageengine.catalog.state.TableName;
import io.storageengine.catalog.state.ViewRules;
import io.storageengine.catalog.state.ViewState;
import io.storageengine.catalog.tables.LocationRule;
import io.storageengine.catalog.tables.Names;
import io.storageengine.catalog.tables.Submissions;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Ids;
import java.util.UUID;
import org.apache.iceberg.rest.requests.CreateViewRequest;
import org.apache.iceberg.rest.requests.RegisterViewRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.view.ViewMetadata;

/// One native catalog's views: made, found, replaced, renamed, dropped. A metadata file is written before the
/// log's entry that points at it; one that turned out not to be pointed at is removed, one whose fate is
/// unknown never. Failures are thrown as [FailureException].
public final class NativeViews {
    private final CatalogLog log;
    private final ViewFiles files;
    private final TablePaths paths;
    private final LocationRule locations;
    private final ViewCommits commits;
    private final Submissions submissions;
    private final Ids ids;

    public NativeViews(
            CatalogLog log,
            ViewFiles files,
            TablePaths paths,
            LocationRule locations,
            Submissions submissions,
            Ids ids) {
        this.log = log;
        this.files = files;
        this.paths = paths;
        this.locations = locations;
        this.commits = new ViewCommits(log, files, locations, this::kept);
        this.submissions = submissions;
        this.ids = ids;
    }

    /// The view of a name. One GET when its metadata is not cached.
    public StoredView load(TableName name) {
        return files.read(state(name).metadataLocation());
    }

    /// What the catalog knows of a view, without its metadata.
    public ViewState state(TableName name) {
        return log.state().view(name).orElseThrow(() -> new FailureException(ViewRules.missing(name)));
    }

    /// Makes a view.
    public StoredView create(String space, CreateViewRequest request, RequestKey key) {
        TableName name = Names.view(space, request.name());
        checkFree(log.state(), name);
        UUID uuid = ids.uuid();
        String place = locations
                .accept(request.location())
                .orElseGet(() -> paths.place(Space.levels(name.space()), name.name(), uuid));
        StoredView stored = files.write(ViewChanges.created(request, place, uuid), "");
        String text = Submissions.text(uuid, stored.location());
        String stands;
        try {
            stands = submissions.submit(new Command.CreateView(name, uuid, stored.location()), key, text);
        } catch (FailureException e) {
            if (e.failure().kind() != Failure.Kind.UNKNOWN) files.discard(stored);
            throw e;
        }
        if (stands.equals(text)) return stored;
        files.discard(stored);
        return kept(stands);
    }

    /// The view of the text that was kept for an answer: as it was, or as it is now when that metadata file is
    /// gone; `NOT_FOUND` when the view is gone too.
    public StoredView kept(String text) {
        try {
            return files.read(Submissions.location(text));
        } catch (FailureException e) {
            if (e.failure().kind() != Failure.Kind.NOT_FOUND) throw e;
        }
        UUID uuid = Submissions.uuid(text);
        CatalogState state = log.state();
        ViewState now = state.viewNameOf(uuid)
                .flatMap(state::view)
                .orElseThrow(
                        () -> new FailureException(ViewRules.missing(new TableName("", "the view with uuid " + uuid))));
        return files.read(now.metadataLocation());
    }

    private static void checkFree(CatalogState state, TableName name) {
        ViewRules.createRefusal(state, name).ifPresent(failure -> {
            throw new FailureException(failure);
        });
    }

    /// Changes a view.
    public StoredView commit(TableName name, UpdateTableRequest request, RequestKey key) {
        return commits.commit(name, request, key);
    }

    /// Puts an existing metadata file in place as a view.
    public StoredView register(String space, RegisterViewRequest request, RequestKey key) {
        TableName name = Names.view(space, request.name());
        checkFree(log.state(), name);
        StoredView stored = registrable(request.metadataLocation());
        UUID uuid = uuid(stored.metadata());
        String text = Submissions.text(uuid, stored.location());
        String stands = submissions.submit(new Command.CreateView(name, uuid, stored.location()), key, text);
        return stands.equals(text) ? stored : kept(stands);
    }

    private StoredView registrable(String location) {
        StoredView stored;
        try {
            stored = files.read(location);
        } catch (FailureException e) {
            if (e.failure().kind() == Failure.Kind.CORRUPT)
                throw Refusals.bad(e.failure().message());
            throw e;
        }
        // Where its next metadata file would go.
        Location.parse(stored.metadata().location());
        return stored;
    }

    private static UUID uuid(ViewMetadata metadata) {
        try {
            return UUID.fromString(metadata.uuid());
        } catch (IllegalArgumentException e) {
            throw Refusals.bad("Not a view uuid: " + metadata.uuid());
        }
    }

    public void rename(TableName from, TableName to, RequestKey key) {
        submissions.submit(new Command.RenameView(from, Names.view(to.space(), to.name())), key);
    }

    /// Fails when there is no readable metadata at a location.
    public void checkReadable(String location) {
        files.read(location);
    }

    /// Forgets a view. Its files stay where they are.
    public void drop(TableName name, RequestKey key) {
        submissions.submit(new Command.DropView(name), key);
    }
}
