package io.storageengine.catalog.rest;

import io.storageengine.catalog.iceberg.IcebergJson;
import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.catalog.state.Space;
import io.storageengine.catalog.tables.NativeCatalog;
import io.storageengine.core.message.CatalogReply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.rest.requests.CreateNamespaceRequest;
import org.apache.iceberg.rest.requests.UpdateNamespacePropertiesRequest;
import org.apache.iceberg.rest.responses.ListNamespacesResponse;

/// The operations on namespaces: list, create, load, exists, drop, change properties.
final class NamespaceCalls {
    private final NativeCatalog catalog;
    private final Idempotency idempotency;

    NamespaceCalls(NativeCatalog catalog, Idempotency idempotency) {
        this.catalog = catalog;
        this.idempotency = idempotency;
    }

    CatalogReply list(Call call) {
        String parent = call.parameter("parent").orElse("");
        Page page = Page.of(call, "namespaces " + parent);
        List<String> found = catalog.children(parent, page.after(), page.size());
        ListNamespacesResponse.Builder response =
                ListNamespacesResponse.builder().nextPageToken(page.next(found));
        page.cut(found).forEach(path -> response.add(namespace(path)));
        return Replies.of(response.build());
    }

    CatalogReply create(Call call) {
        return idempotency.answer(
                call,
                key -> {
                    CreateNamespaceRequest request = createRequest(call);
                    Map<String, String> properties = checked(request.properties());
                    catalog.createSpace(List.of(request.namespace().levels()), properties, key);
                    return described(request.namespace(), properties);
                },
                text -> {
                    CreateNamespaceRequest request = createRequest(call);
                    return described(request.namespace(), checked(request.properties()));
                });
    }

    private static CreateNamespaceRequest createRequest(Call call) {
        CreateNamespaceRequest request = IcebergJson.read(call.body(), CreateNamespaceRequest.class);
        if (request.namespace() == null) throw Refusals.bad("Invalid namespace: null");
        return request;
    }

    CatalogReply load(Call call, String path) {
        Space space = catalog.loadSpace(path);
        return call.isHead() ? Replies.noContent() : described(namespace(path), space.properties());
    }

    private static CatalogReply described(Namespace namespace, Map<String, String> properties) {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("namespace", List.of(namespace.levels()));
        described.put("properties", properties);
        return Replies.of(described);
    }

    CatalogReply drop(Call call, String path) {
        return idempotency.answer(call, key -> {
            catalog.dropSpace(path, key);
            return Replies.noContent();
        });
    }

    CatalogReply changeProperties(Call call, String path) {
        return idempotency.answer(
                call,
                key -> {
                    UpdateNamespacePropertiesRequest request = changeRequest(call);
                    String missing = catalog.changeSpace(path, request.removals(), checked(request.updates()), key);
                    return changed(request, missing);
                },
                missing -> changed(changeRequest(call), missing));
    }

    private static UpdateNamespacePropertiesRequest changeRequest(Call call) {
        var request = IcebergJson.read(call.body(), UpdateNamespacePropertiesRequest.class);
        Refusals.of(() -> {
            request.validate();
            return List.copyOf(request.removals());
        });
        return request;
    }

    private static CatalogReply changed(UpdateNamespacePropertiesRequest request, String kept) {
        List<String> missing = NativeCatalog.missing(kept);
        Set<String> removed = new TreeSet<>(request.removals());
        missing.forEach(removed::remove);
        Map<String, Object> response = new LinkedHashMap<>();
        response.put("updated", request.updates().keySet());
        response.put("removed", removed);
        response.put("missing", missing);
        return Replies.of(response);
    }

    private static Map<String, String> checked(Map<String, String> properties) {
        return Refusals.of(() -> Map.copyOf(properties));
    }

    static Namespace namespace(String path) {
        return Namespace.of(Space.levels(path).toArray(String[]::new));
    }
}
