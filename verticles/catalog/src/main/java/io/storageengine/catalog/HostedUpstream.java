package io.storageengine.catalog;

import io.storageengine.catalog.rest.Call;
import io.storageengine.catalog.rest.Replies;
import io.storageengine.catalog.upstream.Proxy;
import io.storageengine.catalog.upstream.UpstreamCatalog;
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
import java.util.List;
import java.util.Optional;

/// A catalog elsewhere behind the room's questions.
record HostedUpstream(Proxy proxy, UpstreamCatalog catalog) implements Hosted {
    @Override
    public CatalogReply answer(Call call, List<String> segments) {
        return proxy.answer(call, segments);
    }

    /// The upstream keeps its own history.
    @Override
    public Optional<CatalogReply> beside(Call call, String name) {
        return Optional.of(Replies.error(
                406,
                "UnsupportedOperationException",
                "'" + name + "' is not supported on a catalog of type 'rest': its history is its upstream's"));
    }

    @Override
    public LoadedTable load(LoadTable question) {
        return catalog.load(question);
    }

    @Override
    public CommittedTable commit(CommitTable question) {
        return catalog.commit(question);
    }

    @Override
    public FoundClaim find(FindClaim question) {
        return catalog.find(question);
    }

    @Override
    public FoundChannel find(FindChannel question) {
        return catalog.find(question);
    }

    @Override
    public FoundChannel hold(HoldChannel question) {
        return catalog.hold(question);
    }

    @Override
    public CatalogStorage storage() {
        return catalog.storage();
    }
}
