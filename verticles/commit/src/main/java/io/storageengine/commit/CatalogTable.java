package io.storageengine.commit;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Ids;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.CommitTable;
import io.storageengine.core.message.CommittedTable;
import io.storageengine.core.message.LoadTable;
import io.storageengine.core.message.LoadedTable;
import io.storageengine.core.message.TableRef;
import io.storageengine.iceberg.TableJson;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.UpdateRequirements;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.jspecify.annotations.Nullable;

/// A table behind the catalog room, for Iceberg's own operations. For one thread.
final class CatalogTable implements TableOperations {
    private final Committer room;
    private final TableRef table;
    private final String uuid;
    private final FileIO io;
    private final Map<String, String> defaults;
    private @Nullable TableMetadata current;

    /// @param defaults properties that each commit sets where the table has none of that name
    CatalogTable(Committer room, TableRef table, String uuid, FileIO io, Map<String, String> defaults) {
        this.room = room;
        this.table = table;
        this.uuid = uuid;
        this.io = io;
        this.defaults = defaults;
    }

    @Override
    public TableMetadata current() {
        TableMetadata known = current;
        return known == null ? refresh() : known;
    }

    @Override
    public TableMetadata refresh() {
        LoadedTable loaded = room.ask()
                .ask(new LoadTable(table, uuid), room.options().askTimeoutMillis())
                .orThrow();
        TableMetadata now = TableJson.metadata(loaded.metadataLocation(), loaded.metadata());
        if (!uuid.equals(now.uuid()))
            throw new FailureException(Failure.Kind.NOT_FOUND, "the table is another one now");
        current = now;
        return now;
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
        TableMetadata.Builder with = TableMetadata.buildFrom(metadata);
        defaults.forEach((name, value) -> {
            if (!base.properties().containsKey(name)) with.setProperties(Map.of(name, value));
        });
        List<MetadataUpdate> changes = with.build().changes();
        UpdateTableRequest request = new UpdateTableRequest(UpdateRequirements.forUpdateTable(base, changes), changes);
        CommitTable question = new CommitTable(table, uuid, TableJson.update(request), List.of(), List.of());
        Outcome<CommittedTable> outcome =
                room.ask().ask(question, room.options().askTimeoutMillis());
        current = switch (outcome) {
            case Outcome.Ok<CommittedTable>(CommittedTable done) ->
                TableJson.metadata(done.metadataLocation(), done.metadata());
            case Outcome.Failed<CommittedTable>(Failure failure) -> throw refused(failure);
        };
    }

    private static RuntimeException refused(Failure failure) {
        return switch (failure.kind()) {
            case CONFLICT -> new CommitFailedException("%s", failure.message());
            case UNKNOWN -> new CommitStateUnknownException(new FailureException(failure));
            case INVALID, UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, EXISTS, THROTTLED, UNAVAILABLE, CORRUPT, BUG ->
                new FailureException(failure);
        };
    }

    @Override
    public FileIO io() {
        return io;
    }

    @Override
    public String metadataFileLocation(String name) {
        throw new UnsupportedOperationException("nothing is written here");
    }

    @Override
    public LocationProvider locationProvider() {
        return LocationProviders.locationsFor(current().location(), current().properties());
    }

    @Override
    public long newSnapshotId() {
        return new Ids(room.random()).positiveLong();
    }
}
