package io.storageengine.catalog.rest;

import io.storageengine.catalog.iceberg.IcebergJson;
import io.storageengine.catalog.iceberg.StoredView;
import io.storageengine.catalog.state.TableName;
import io.storageengine.catalog.tables.NativeCatalog;
import io.storageengine.catalog.views.NativeViews;
import io.storageengine.core.message.CatalogReply;
import java.util.Map;
import org.apache.iceberg.rest.requests.CreateViewRequest;
import org.apache.iceberg.rest.requests.RegisterViewRequest;
import org.apache.iceberg.rest.requests.RenameTableRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequest;

/// The operations on views: list, create, load, exists, commit, drop, register, rename. An answer holds the
/// metadata file's own bytes and no configuration: a client needs no access to a view's files.
final class ViewCalls {
    private final NativeCatalog catalog;
    private final NativeViews views;
    private final Idempotency idempotency;
    private final TableReply reply = new TableReply(Map.of());

    ViewCalls(NativeCatalog catalog, Idempotency idempotency) {
        this.catalog = catalog;
        this.views = catalog.views();
        this.idempotency = idempotency;
    }

    CatalogReply list(Call call, String path) {
        Page page = Page.of(call, "views " + path);
        return TableCalls.listed(path, page, catalog.viewNames(path, page.after(), page.size()));
    }

    CatalogReply create(Call call, String path) {
        return idempotency.answer(
                call,
                key -> reply(views.create(path, IcebergJson.read(call.body(), CreateViewRequest.class), key)),
                this::again);
    }

    CatalogReply exists(TableName name) {
        views.state(name);
        return Replies.noContent();
    }

    CatalogReply load(TableName name) {
        return reply(views.load(name));
    }

    CatalogReply commit(Call call, TableName name) {
        return idempotency.answer(
                call,
                key -> reply(views.commit(name, IcebergJson.read(call.body(), UpdateTableRequest.class), key)),
                this::again);
    }

    CatalogReply drop(Call call, TableName name) {
        return idempotency.answer(call, key -> {
            views.drop(name, key);
            return Replies.noContent();
        });
    }

    CatalogReply register(Call call, String path) {
        return idempotency.answer(
                call,
                key -> reply(views.register(path, IcebergJson.read(call.body(), RegisterViewRequest.class), key)),
                this::again);
    }

    CatalogReply rename(Call call) {
        return idempotency.answer(call, key -> {
            RenameTableRequest request = TableCalls.renaming(call);
            views.rename(TableCalls.name(request.source()), TableCalls.name(request.destination()), key);
            return Replies.noContent();
        });
    }

    private CatalogReply again(String text) {
        return reply(views.kept(text));
    }

    private CatalogReply reply(StoredView stored) {
        return reply.untagged(stored.location(), stored.json());
    }
}
