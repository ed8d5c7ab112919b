package io.storageengine.catalog.rest;

import io.storageengine.catalog.iceberg.IcebergJson;
import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.catalog.iceberg.StoredMetadata;
import io.storageengine.catalog.state.Space;
import io.storageengine.catalog.state.TableName;
import io.storageengine.catalog.state.TableState;
import io.storageengine.catalog.tables.NativeCatalog;
import io.storageengine.catalog.tables.NativeTables;
import io.storageengine.core.message.CatalogReply;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.requests.CommitTransactionRequest;
import org.apache.iceberg.rest.requests.CreateTableRequest;
import org.apache.iceberg.rest.requests.RegisterTableRequest;
import org.apache.iceberg.rest.requests.RenameTableRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.responses.ListTablesResponse;

/// The operations on tables: list, create, load, exists, commit (one or several), drop, purge,
/// register, unregister, rename.
final class TableCalls {
    private final NativeCatalog catalog;
    private final NativeTables tables;
    private final Idempotency idempotency;
    private final TableAccess access;
    private final PackedTables packed;

    TableCalls(NativeCatalog catalog, Idempotency idempotency, TableAccess access, PackedTables packed) {
        this.packed = packed;
        this.catalog = catalog;
        this.tables = catalog.tables();
        this.idempotency = idempotency;
        this.access = access;
    }

    private TableReply reply(Call call, TableName name) {
        return new TableReply(access.config(call, name));
    }

    CatalogReply list(Call call, String path) {
        Page page = Page.of(call, "tables " + path);
        List<String> found = catalog.tableNames(path, page.after(), page.size());
        return listed(path, page, found);
    }

    /// A page of a listing of tables or views.
    static CatalogReply listed(String path, Page page, List<String> found) {
        ListTablesResponse.Builder response = ListTablesResponse.builder().nextPageToken(page.next(found));
        Namespace namespace = NamespaceCalls.namespace(path);
        page.cut(found).forEach(name -> response.add(TableIdentifier.of(namespace, name)));
        return Replies.of(response.build());
    }

    /// A staged create has no effect, so that nothing of it is kept for a repeat.
    CatalogReply create(Call call, String path) {
        return idempotency.answer(
                call,
                key -> {
                    CreateTableRequest request = createRequest(call);
                    TableReply reply = reply(call, new TableName(path, request.name()));
                    return request.stageCreate()
                            ? reply.staged(json(tables.stage(path, request)))
                            : reply.all(tables.create(path, request, key));
                },
                text -> again(call, new TableName(path, createRequest(call).name()), text));
    }

    private static CreateTableRequest createRequest(Call call) {
        CreateTableRequest request = IcebergJson.read(call.body(), CreateTableRequest.class);
        return Refusals.of(() -> {
            request.validate();
            return request;
        });
    }

    private CatalogReply again(Call call, TableName name, String text) {
        return reply(call, name).all(catalog.submissions().table(text));
    }

    CatalogReply exists(TableName name) {
        tables.state(name);
        return Replies.noContent();
    }

    CatalogReply load(Call call, TableName name) {
        String snapshots = call.parameter("snapshots").orElse("all");
        boolean refs = snapshots.equalsIgnoreCase("refs");
        if (!refs && !snapshots.equalsIgnoreCase("all")) {
            throw Refusals.bad("snapshots is 'all' or 'refs', not '" + snapshots + "'");
        }
        return tables.with(name, table -> loaded(call, name, table, refs));
    }

    private CatalogReply loaded(Call call, TableName name, TableState table, boolean refs) {
        TableReply reply = reply(call, name);
        String tag = reply.tag(table.metadataLocation(), refs);
        String packedTag = PackedTables.tag(tag);
        if (isKnown(call, tag)) return Replies.notModified(tag);
        if (isKnown(call, packedTag)) return Replies.notModified(packedTag);
        if (!PackedTables.takes(call)) return loaded(table, reply, refs);
        return packed.find(packedTag).orElseGet(() -> packed.packed(packedTag, loaded(table, reply, refs)));
    }

    private CatalogReply loaded(TableState table, TableReply reply, boolean refs) {
        StoredMetadata stored = tables.read(table);
        return refs ? reply.refs(stored, json(withRefsOnly(stored.metadata()))) : reply.all(stored);
    }

    /// Whether `If-None-Match` holds the tag (RFC 9110, 13.1.2: weak tags count too).
    private static boolean isKnown(Call call, String tag) {
        String known = call.headers().getOrDefault("if-none-match", "");
        for (String one : known.split(",", -1)) {
            String stripped = one.strip();
            if (stripped.equals("*") || stripped.equals(tag) || stripped.equals("W/" + tag)) return true;
        }
        return false;
    }

    private static TableMetadata withRefsOnly(TableMetadata metadata) {
        return TableMetadata.buildFrom(metadata)
                .withMetadataLocation(metadata.metadataFileLocation())
                .suppressHistoricalSnapshots()
                .build();
    }

    CatalogReply commit(Call call, TableName name) {
        return idempotency.answer(
                call,
                key -> {
                    var request = IcebergJson.read(call.body(), UpdateTableRequest.class);
                    return reply(call, name).all(tables.commit(name, request, key, call.connection()));
                },
                text -> again(call, name, text));
    }

    CatalogReply commitAll(Call call) {
        return idempotency.answer(call, key -> {
            var request = IcebergJson.read(call.body(), CommitTransactionRequest.class);
            catalog.transactions().commit(request.tableChanges(), key);
            return Replies.noContent();
        });
    }

    CatalogReply drop(Call call, TableName name) {
        boolean purges = purges(call);
        return idempotency.answer(call, key -> {
            if (purges) tables.purge(name, key);
            else tables.drop(name, key);
            return Replies.noContent();
        });
    }

    private static boolean purges(Call call) {
        String wanted = call.parameter("purgeRequested").orElse("false").toLowerCase(Locale.ROOT);
        return switch (wanted) {
            case "true" -> true;
            case "false", "" -> false;
            default -> throw Refusals.bad("purgeRequested is 'true' or 'false', not '" + wanted + "'");
        };
    }

    CatalogReply register(Call call, String path) {
        return idempotency.answer(
                call,
                key -> {
                    RegisterTableRequest request = registerRequest(call);
                    StoredMetadata stored = tables.register(path, request, key);
                    return reply(call, new TableName(path, request.name())).all(stored);
                },
                text -> again(call, new TableName(path, registerRequest(call).name()), text));
    }

    private static RegisterTableRequest registerRequest(Call call) {
        return IcebergJson.read(call.body(), RegisterTableRequest.class);
    }

    /// Lets a table go, so that another catalog takes it over: after this nothing is committed to it here.
    CatalogReply unregister(Call call, TableName name) {
        return idempotency.answer(
                call,
                key -> TableReply.handedOver(tables.unregister(name, key)),
                text -> TableReply.handedOver(catalog.submissions().table(text)));
    }

    CatalogReply rename(Call call) {
        return idempotency.answer(call, key -> {
            RenameTableRequest request = renaming(call);
            tables.rename(name(request.source()), name(request.destination()), key);
            return Replies.noContent();
        });
    }

    /// The body of a rename of a table or view.
    static RenameTableRequest renaming(Call call) {
        RenameTableRequest request = IcebergJson.read(call.body(), RenameTableRequest.class);
        return Refusals.of(() -> {
            request.validate();
            return request;
        });
    }

    static TableName name(TableIdentifier identifier) {
        return new TableName(Space.path(List.of(identifier.namespace().levels())), identifier.name());
    }

    private static ByteBuffer json(TableMetadata metadata) {
        return ByteBuffer.wrap(TableMetadataParser.toJson(metadata).getBytes(StandardCharsets.UTF_8));
    }
}
