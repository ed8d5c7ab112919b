package io.storageengine.catalog.upstream;

import io.storageengine.catalog.channels.ChannelHolds;
import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
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
import java.util.Optional;
import java.util.UUID;

/// An upstream catalog behind the room's questions. Failures are thrown as [FailureException].
public final class UpstreamCatalog {
    private final Upstream upstream;
    private final UpstreamTables tables;
    private final UpstreamClaims claims;
    private final ChannelHolds channels;

    public UpstreamCatalog(Upstream upstream, UpstreamClaims claims, ChannelHolds channels) {
        this.upstream = upstream;
        this.tables = new UpstreamTables(upstream);
        this.claims = claims;
        this.channels = channels;
    }

    /// One request.
    public LoadedTable load(LoadTable question) {
        return tables.load(question.table()).loaded();
    }

    /// One load and one commit when nothing disturbs them.
    public CommittedTable commit(CommitTable question) {
        ForeignTable base = tables.load(question.table(), question.tableUuid());
        Optional<Failure> moved = UpstreamTables.mismatch(question.watermarks(), base);
        if (moved.isPresent()) throw new FailureException(moved.get());
        claims.note(uuid(question.tableUuid()), question.claims(), base);
        return tables.commit(question, base);
    }

    /// One request when something was noted for the key.
    public FoundClaim find(FindClaim question) {
        return new FoundClaim(claims.find(
                uuid(question.tableUuid()), question.key(), () -> tables.load(question.table(), question.tableUuid())));
    }

    /// No request of the upstream: who holds a channel is in a log of this engine's own.
    public FoundChannel find(FindChannel question) {
        return channels.find(question, uuid(question.tableUuid()));
    }

    /// No request of the upstream.
    public FoundChannel hold(HoldChannel question) {
        return channels.hold(question, uuid(question.tableUuid()));
    }

    public CatalogStorage storage() {
        return new CatalogStorage(false, upstream.properties());
    }

    private static UUID uuid(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw Refusals.bad("Not a table uuid: " + text);
        }
    }
}
