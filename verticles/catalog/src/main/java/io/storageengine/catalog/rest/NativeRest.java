package io.storageengine.catalog.rest;

import io.storageengine.catalog.iceberg.IcebergJson;
import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.catalog.iceberg.StoredMetadata;
import io.storageengine.catalog.state.Space;
import io.storageengine.catalog.state.TableName;
import io.storageengine.catalog.tables.NativeCatalog;
import io.storageengine.core.message.CatalogReply;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.requests.CreateNamespaceRequest;
import org.apache.iceberg.rest.requests.CreateTableRequest;
import org.apache.iceberg.rest.requests.RegisterTableRequest;
import org.apache.iceberg.rest.requests.RenameTableRequest;
import org.apache.iceberg.rest.requests.UpdateNamespacePropertiesRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.responses.ListNamespacesResponse;
import org.apache.iceberg.rest.responses.ListTablesResponse;

/// The Iceberg REST API of one native catalog. Failures are thrown as
/// [io.storageengine.core.FailureException].
///
/// Dropping a table forgets it and leaves its files, also with `purgeRequested=true`: the specification lets a
/// server purge later.
public final class NativeRest {
    private final NativeCatalog catalog;
    private final TableReply reply;

    /// @param tableConfig what a loaded table's `config` says
    public NativeRest(NativeCatalog catalog, Map<String, String> tableConfig) {
        this.catalog = catalog;
        this.reply = new TableReply(tableConfig);
    }

    /// @param segments of the path after `/catalogs/{id}/v1`, decoded
    public CatalogReply answer(Call call, List<String> segments) {
        Optional<Route> found = Route.of(segments);
        if (found.isEmpty()) {
            return Replies.error(
                    404, "NoSuchRouteException", "No route for " + call.method() + " v1/" + String.join("/", segments));
        }
        Route route = found.get();
        if (!route.methods().contains(call.method())) {
            return Replies.methodNotAllowed(call.method(), "v1/" + String.join("/", segments), route.methods());
        }
        String space = segments.size() > 1 ? segments.get(1) : "";
        return switch (route) {
            case CONFIG -> config();
            case NAMESPACES -> call.writes() ? createSpace(call) : listSpaces(call);
            case NAMESPACE -> space(call, space);
            case PROPERTIES -> changeSpace(call, space);
            case TABLES -> call.writes() ? createTable(call, space) : listTables(call, space);
            case TABLE -> table(call, new TableName(space, segments.get(3)));
            case REGISTER -> register(call, space);
            case RENAME -> rename(call);
        };
    }

    private static CatalogReply config() {
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("defaults", Map.of());
        config.put("overrides", Map.of());
        config.put("endpoints", Route.endpoints());
        return Replies.of(config);
    }

    private CatalogReply listSpaces(Call call) {
        String parent = call.parameter("parent").orElse("");
        Page page = Page.of(call, "namespaces " + parent);
        List<String> found = catalog.children(parent, page.after(), page.size());
        ListNamespacesResponse.Builder response =
                ListNamespacesResponse.builder().nextPageToken(page.next(found));
        page.cut(found).forEach(path -> response.add(namespace(path)));
        return Replies.of(response.build());
    }

    private CatalogReply createSpace(Call call) {
        CreateNamespaceRequest request = IcebergJson.read(call.body(), CreateNamespaceRequest.class);
        if (request.namespace() == null) throw Refusals.bad("Invalid namespace: null");
        Map<String, String> properties = checked(request.properties());
        catalog.createSpace(List.of(request.namespace().levels()), properties);
        return described(request.namespace(), properties);
    }

    private CatalogReply space(Call call, String path) {
        if (call.method().equals("DELETE")) {
            catalog.dropSpace(path);
            return Replies.noContent();
        }
        Space space = catalog.loadSpace(path);
        return call.isHead() ? Replies.noContent() : described(namespace(path), space.properties());
    }

    private static CatalogReply described(Namespace namespace, Map<String, String> properties) {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("namespace", List.of(namespace.levels()));
        described.put("properties", properties);
        return Replies.of(described);
    }

    private CatalogReply changeSpace(Call call, String path) {
        var request = IcebergJson.read(call.body(), UpdateNamespacePropertiesRequest.class);
        Refusals.of(() -> {
            request.validate();
            return request;
        });
        Map<String, String> updates = checked(request.updates());
        List<String> removals = Refusals.of(() -> List.copyOf(request.removals()));
        var changed = catalog.changeSpace(path, removals, updates);
        Map<String, Object> response = new LinkedHashMap<>();
        response.put("updated", updates.keySet());
        response.put("removed", changed.removed());
        response.put("missing", changed.missing());
        return Replies.of(response);
    }

    private static Map<String, String> checked(Map<String, String> properties) {
        return Refusals.of(() -> Map.copyOf(properties));
    }

    private CatalogReply listTables(Call call, String path) {
        Page page = Page.of(call, "tables " + path);
        List<String> found = catalog.tableNames(path, page.after(), page.size());
        ListTablesResponse.Builder response = ListTablesResponse.builder().nextPageToken(page.next(found));
        Namespace namespace = namespace(path);
        page.cut(found).forEach(name -> response.add(TableIdentifier.of(namespace, name)));
        return Replies.of(response.build());
    }

    private CatalogReply createTable(Call call, String path) {
        CreateTableRequest request = IcebergJson.read(call.body(), CreateTableRequest.class);
        Refusals.of(() -> {
            request.validate();
            return request;
        });
        return request.stageCreate()
                ? reply.of("", json(catalog.tables().stage(path, request)))
                : reply(catalog.tables().create(path, request));
    }

    private CatalogReply table(Call call, TableName name) {
        return switch (call.method()) {
            case "HEAD" -> {
                catalog.tables().state(name);
                yield Replies.noContent();
            }
            case "DELETE" -> {
                catalog.tables().drop(name);
                yield Replies.noContent();
            }
            case "POST" -> commit(call, name);
            default -> load(call, name);
        };
    }

    private CatalogReply commit(Call call, TableName name) {
        return reply(catalog.tables().commit(name, IcebergJson.read(call.body(), UpdateTableRequest.class)));
    }

    private CatalogReply load(Call call, TableName name) {
        String snapshots = call.parameter("snapshots").orElse("all");
        StoredMetadata stored = catalog.tables().load(name).stored();
        return switch (snapshots) {
            case "all", "ALL" -> reply(stored);
            case "refs", "REFS" -> reply.of(stored.location(), json(withRefsOnly(stored.metadata())));
            default -> throw Refusals.bad("snapshots is 'all' or 'refs', not '" + snapshots + "'");
        };
    }

    private static TableMetadata withRefsOnly(TableMetadata metadata) {
        return TableMetadata.buildFrom(metadata)
                .withMetadataLocation(metadata.metadataFileLocation())
                .suppressHistoricalSnapshots()
                .build();
    }

    private CatalogReply register(Call call, String path) {
        var request = IcebergJson.read(call.body(), RegisterTableRequest.class);
        return reply(catalog.tables().register(path, request));
    }

    private CatalogReply rename(Call call) {
        RenameTableRequest request = IcebergJson.read(call.body(), RenameTableRequest.class);
        Refusals.of(() -> {
            request.validate();
            return request;
        });
        catalog.tables().rename(name(request.source()), name(request.destination()));
        return Replies.noContent();
    }

    private static TableName name(TableIdentifier identifier) {
        return new TableName(Space.path(List.of(identifier.namespace().levels())), identifier.name());
    }

    private CatalogReply reply(StoredMetadata stored) {
        return reply.of(stored.location(), stored.json());
    }

    private static ByteBuffer json(TableMetadata metadata) {
        return ByteBuffer.wrap(TableMetadataParser.toJson(metadata).getBytes(StandardCharsets.UTF_8));
    }

    private static Namespace namespace(String path) {
        return Namespace.of(Space.levels(path).toArray(String[]::new));
    }
}
