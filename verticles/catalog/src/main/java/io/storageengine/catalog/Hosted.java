package io.storageengine.catalog;

import io.storageengine.catalog.rest.Call;
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

/// A registered catalog at work. Failures are thrown as [io.storageengine.core.FailureException].
interface Hosted {
    /// @param segments of the path after `/catalogs/{id}/v1`, decoded
    CatalogReply answer(Call call, List<String> segments);

    /// What is beside the Iceberg REST API; empty when there is nothing of that name.
    ///
    /// @param name the segment of the path after `/catalogs/{id}`
    Optional<CatalogReply> beside(Call call, String name);

    LoadedTable load(LoadTable question);

    CommittedTable commit(CommitTable question);

    FoundClaim find(FindClaim question);

    FoundChannel find(FindChannel question);

    FoundChannel hold(HoldChannel question);

    CatalogStorage storage();
}
