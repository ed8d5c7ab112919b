package io.storageengine.catalog;

import io.storageengine.catalog.channels.ChannelHolds;
import io.storageengine.catalog.iceberg.IcebergJson;
import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.catalog.iceberg.StoredMetadata;
import io.storageengine.catalog.rest.Call;
import io.storageengine.catalog.rest.NativeRest;
import io.storageengine.catalog.state.Decisions;
import io.storageengine.catalog.state.RequestKey;
import io.storageengine.catalog.state.Space;
import io.storageengine.catalog.state.TableName;
import io.storageengine.catalog.state.TableState;
import io.storageengine.catalog.tables.NativeCatalog;
import io.storageengine.catalog.tables.TableCommits;
import io.storageengine.catalog.tables.Turns;
import io.storageengine.core.Clock;
import io.storageengine.core.FailureException;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.message.CatalogStorage;
import io.storageengine.core.message.CommitTable;
import io.storageengine.core.message.CommittedTable;
import io.storageengine.core.message.FindChannel;
import io.storageengine.core.message.FindClaim;
import io.storageengine.core.message.FoundChannel;
import io.storageengine.core.message.FoundClaim;
import io.storageengine.core.message.HoldChannel;
import io.storageengine.core.message.LoadTable;
import io.storageengine.core.message.LoadedTable;
import io.storageengine.core.message.TableRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.iceberg.rest.requests.UpdateTableRequest;

/// A native catalog behind the room's questions.
record HostedNative(NativeCatalog catalog, TableCommits commits, ChannelHolds channels, NativeRest rest, Clock clock)
        implements Hosted {
    /// Our own commits of rows, which come one after the other.
    private static final Turns.Writer INGEST = new Turns.Writer("ingest", Set.of());

    @Override
    public CatalogReply answer(Call call, List<String> segments) {
        return rest.answer(call, segments);
    }

    @Override
    public Optional<CatalogReply> beside(Call call, String name) {
        return rest.beside(call, name);
    }

    @Override
    public LoadedTable load(LoadTable question) {
        var found = catalog.tables().load(nameNow(question));
        StoredMetadata stored = found.stored();
        return new LoadedTable(
                stored.location(), stored.json(), found.table().progress().marks(), Map.of());
    }

    private TableName nameNow(LoadTable question) {
        TableName asked = name(question.table());
        if (question.tableUuid().isEmpty()) return asked;
        return catalog.state()
                .nameOf(uuid(question.tableUuid()))
                .orElseThrow(() -> new FailureException(Decisions.missingTable(asked)));
    }

    @Override
    public CommittedTable commit(CommitTable question) {
        var request = IcebergJson.read(question.request(), UpdateTableRequest.class);
        StoredMetadata stored = commits.commit(new TableCommits.Wanted(
                name(question.table()),
                false,
                uuid(question.tableUuid()),
                request,
                question.watermarks(),
                question.claims(),
                RequestKey.NONE,
                INGEST));
        return new CommittedTable(stored.location(), stored.json());
    }

    @Override
    public FoundClaim find(FindClaim question) {
        TableState table = catalog.state()
                .table(uuid(question.tableUuid()))
                .orElseThrow(() -> new FailureException(Decisions.missingTable(name(question.table()))));
        return new FoundClaim(table.progress().claims().find(question.key(), clock.wallMillis()));
    }

    @Override
    public FoundChannel find(FindChannel question) {
        return channels.find(question, uuid(question.tableUuid()));
    }

    @Override
    public FoundChannel hold(HoldChannel question) {
        return channels.hold(question, uuid(question.tableUuid()));
    }

    @Override
    public CatalogStorage storage() {
        return new CatalogStorage(true, Map.of());
    }

    private static TableName name(TableRef table) {
        return new TableName(Space.path(table.namespace()), table.name());
    }

    private static UUID uuid(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw Refusals.bad("Not a table uuid: " + text);
        }
    }
}
