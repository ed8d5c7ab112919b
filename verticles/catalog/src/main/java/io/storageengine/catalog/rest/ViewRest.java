package io.storageengine.catalog.rest;

import io.storageengine.catalog.iceberg.IcebergJson;
import io.storageengine.catalog.iceberg.StoredView;
import io.storageengine.catalog.state.TableName;
import io.storageengine.catalog.tables.NativeCatalog;
import io.storageengine.core.message.CatalogReply;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.rest.requests.CreateViewRequest;
import org.apache.iceberg.rest.requests.RegisterViewRequest;
import org.apache.iceberg.rest.requests.RenameTableRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequest;

/// The part of the Iceberg REST API that is about views. An answer holds the metadata file's own bytes and no
/// configuration: a client needs no access to a view's files.
final class ViewRest {
    private final NativeCatalog catalog;
    private final TableReply reply = new TableReply(Map.of());

    ViewRest(NativeCatalog catalog) {
        this.catalog = catalog;
    }

    CatalogReply list(Call call, String path) {
        Page page = Page.of(call, "views " + path);
        List<String> found = catalog.viewNames(path, page.after(), page.size());
        return NativeRest.listed(path, page, found);
    }

    CatalogReply create(Call call, String path) {
        return reply(catalog.views().create(path, IcebergJson.read(call.body(), CreateViewRequest.class)));
    }

    CatalogReply view(Call call, TableName name) {
        return switch (call.method()) {
            case "HEAD" -> {
                catalog.views().state(name);
                yield Replies.noContent();
            }
            case "DELETE" -> {
                catalog.views().drop(name);
                yield Replies.noContent();
            }
            case "POST" -> {
                UpdateTableRequest request = IcebergJson.read(call.body(), UpdateTableRequest.class);
                yield reply(catalog.views().commit(name, request));
            }
            default -> reply(catalog.views().load(name));
        };
    }

    CatalogReply register(Call call, String path) {
        return reply(catalog.views().register(path, IcebergJson.read(call.body(), RegisterViewRequest.class)));
    }

    CatalogReply rename(Call call) {
        RenameTableRequest request = NativeRest.renameRequest(call);
        catalog.views().rename(NativeRest.name(request.source()), NativeRest.name(request.destination()));
        return Replies.noContent();
    }

    private CatalogReply reply(StoredView stored) {
        return reply.of(stored.location(), stored.json());
    }
}
