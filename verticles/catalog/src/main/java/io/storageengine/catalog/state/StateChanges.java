package io.storageengine.catalog.state;

import io.storageengine.catalog.state.TableState.Progress;
import io.storageengine.core.message.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// A catalog written as the changes that make it from nothing, so that one entry can begin a log with it.
public final class StateChanges {
    private StateChanges() {}

    /// The changes that lead from [CatalogState#EMPTY] to the same namespaces, tables and views, with the
    /// tables' marks and claims. The claims count from the entry that has these changes. What is kept of
    /// dropped tables and of answered REST requests is not in them.
    public static List<Change> of(CatalogState state) {
        List<Change> changes = new ArrayList<>();
        state.spaces().forEach((path, space) -> changes.add(new Change.SpaceCreated(path, space.properties())));
        state.spaces().forEach((path, space) -> {
            space.tables().forEach((name, table) -> add(changes, new TableName(path, name), table));
            space.views().forEach((name, view) -> changes.add(created(new TableName(path, name), view)));
        });
        return changes;
    }

    private static void add(List<Change> changes, TableName name, TableState table) {
        UUID uuid = table.uuid();
        changes.add(new Change.TableCreated(name, uuid, table.metadataLocation()));
        Progress progress = table.progress();
        if (progress.isEmpty()) return;
        progress.channels().held().forEach((channel, hold) -> changes.add(new Change.ChannelHeld(uuid, channel, hold)));
        List<Claim> claims =
                progress.claims().all().stream().map(Claims.Dated::claim).toList();
        changes.add(new Change.TableCommitted(uuid, table.metadataLocation(), progress.marks(), claims));
    }

    private static Change created(TableName name, ViewState view) {
        return new Change.ViewCreated(name, view.uuid(), view.metadataLocation());
    }
}
