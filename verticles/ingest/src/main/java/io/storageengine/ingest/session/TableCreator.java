package io.storageengine.ingest.session;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.storageengine.core.Ask;
import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.message.TableRef;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequestParser;
import org.apache.iceberg.rest.responses.LoadTableResponse;
import org.apache.iceberg.rest.responses.LoadTableResponseParser;

/// Makes a table that rows were sent for, and its namespace, through the Iceberg REST API. Somebody else who
/// makes it at the same time is as good. Not thread-safe.
final class TableCreator {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int TRIES_MAX = 3;
    private static final Map<String, String> HEADERS = Map.of(
            "content-type",
            "application/json",
            "accept",
            "application/json",
            "x-iceberg-access-delegation",
            "vended-credentials");
    private final Ask ask;
    private final long askTimeoutMillis;
    private final TableRef table;
    private final Schema schema;

    /// How many levels those namespaces have that were made here, the deepest first.
    private final Deque<Integer> madeLevels = new ArrayDeque<>();

    TableCreator(Ask ask, long askTimeoutMillis, TableRef table, Schema schema) {
        this.ask = ask;
        this.askTimeoutMillis = askTimeoutMillis;
        this.table = table;
        this.schema = schema;
    }

    /// Makes the table; `EXISTS` when something has its name.
    Outcome<Done> create() {
        return tableMade(inNamespace(() -> createTable(false)));
    }

    /// The table as it would be made; only the namespace is there then. `EXISTS` when the table is, `INVALID`
    /// when the catalog does not do this.
    Outcome<LoadTableResponse> stage() {
        return inNamespace(() -> createTable(true))
                .then(reply -> reply.status() / 100 == 2 ? staged(reply) : Outcome.failed(failure(reply)));
    }

    private static Outcome<LoadTableResponse> staged(CatalogReply reply) {
        try {
            return Outcome.ok(LoadTableResponseParser.fromJson(text(reply)));
        } catch (RuntimeException noTable) {
            return Outcome.failed(Failure.Kind.INVALID, "The catalog's answer to a staged create cannot be read");
        }
    }

    /// Makes the staged table, as [#create] does.
    Outcome<Done> commit(TableMetadata staged) {
        UpdateTableRequest request = UpdateTableRequest.create(
                null,
                List.of(new UpdateRequirement.AssertTableDoesNotExist()),
                List.of(
                        new MetadataUpdate.AssignUUID(staged.uuid()),
                        new MetadataUpdate.UpgradeFormatVersion(staged.formatVersion()),
                        new MetadataUpdate.AddSchema(staged.schema()),
                        new MetadataUpdate.SetCurrentSchema(-1),
                        new MetadataUpdate.AddPartitionSpec(staged.spec()),
                        new MetadataUpdate.SetDefaultPartitionSpec(-1),
                        new MetadataUpdate.AddSortOrder(staged.sortOrder()),
                        new MetadataUpdate.SetDefaultSortOrder(-1),
                        new MetadataUpdate.SetLocation(staged.location()),
                        new MetadataUpdate.SetProperties(staged.properties())));
        JsonNode body = tree(UpdateTableRequestParser.toJson(request));
        String path = tablesPath() + "/" + encoded(table.name());
        return tableMade(inNamespace(() -> post(path, body)));
    }

    private Outcome<CatalogReply> inNamespace(Supplier<Outcome<CatalogReply>> call) {
        Outcome<CatalogReply> outcome = call.get();
        for (int tries = 1; tries < TRIES_MAX && status(outcome) == 404; tries++) {
            Outcome<Done> namespaces = createNamespaces();
            if (namespaces instanceof Outcome.Failed<Done>(Failure failure)) return Outcome.failed(failure);
            outcome = call.get();
        }
        return outcome;
    }

    private Outcome<Done> createNamespaces() {
        for (int levels = 1; levels <= table.namespace().size(); levels++) {
            Outcome<CatalogReply> outcome = createNamespace(levels);
            if (status(outcome) / 100 == 2) madeLevels.push(levels);
            Outcome<Done> namespace = made(outcome);
            if (!namespace.isOk()) return namespace;
        }
        return Outcome.done();
    }

    /// Drops the namespaces that were made here, as far as they are empty: a catalog drops no others.
    void dropNamespaces() {
        for (int levels : madeLevels) {
            String path = namespacesPath() + "/" + path(table.namespace().subList(0, levels));
            ask.ask(new CallCatalog("DELETE", path, "", HEADERS, ByteBuffer.allocate(0)), askTimeoutMillis);
        }
        madeLevels.clear();
    }

    private static int status(Outcome<CatalogReply> outcome) {
        return outcome instanceof Outcome.Ok<CatalogReply>(CatalogReply reply) ? reply.status() : 0;
    }

    private static Outcome<Done> tableMade(Outcome<CatalogReply> outcome) {
        return outcome.then(reply -> reply.status() / 100 == 2 ? Outcome.done() : Outcome.failed(failure(reply)));
    }

    /// A namespace that somebody else made is as good.
    private static Outcome<Done> made(Outcome<CatalogReply> outcome) {
        return status(outcome) == 409 ? Outcome.done() : tableMade(outcome);
    }

    private static Failure failure(CatalogReply reply) {
        Failure.Kind kind = switch (reply.status()) {
            case 401 -> Failure.Kind.UNAUTHENTICATED;
            case 403 -> Failure.Kind.FORBIDDEN;
            case 404 -> Failure.Kind.NOT_FOUND;
            case 409 -> Failure.Kind.EXISTS;
            case 501 -> Failure.Kind.INVALID;
            case 429 -> Failure.Kind.THROTTLED;
            default -> reply.status() >= 500 ? Failure.Kind.UNAVAILABLE : Failure.Kind.INVALID;
        };
        return new Failure(kind, "The table could not be made: " + message(reply));
    }

    private static String message(CatalogReply reply) {
        try {
            JsonNode text = JSON.readTree(text(reply)).at("/error/message");
            return text.isTextual() ? text.asText() : "status " + reply.status();
        } catch (JsonProcessingException noJson) {
            return "status " + reply.status();
        }
    }

    private static String text(CatalogReply reply) {
        return StandardCharsets.UTF_8.decode(reply.body().duplicate()).toString();
    }

    private Outcome<CatalogReply> createNamespace(int levels) {
        ObjectNode body = JSON.createObjectNode();
        body.set("namespace", JSON.valueToTree(table.namespace().subList(0, levels)));
        body.putObject("properties");
        return post(namespacesPath(), body);
    }

    private Outcome<CatalogReply> createTable(boolean isStaged) {
        ObjectNode body = JSON.createObjectNode();
        body.put("name", table.name());
        body.set("schema", tree(SchemaParser.toJson(schema)));
        body.put("stage-create", isStaged);
        body.putObject("properties").put("format-version", "3");
        return post(tablesPath(), body);
    }

    private Outcome<CatalogReply> post(String path, JsonNode body) {
        ByteBuffer bytes = ByteBuffer.wrap(body.toString().getBytes(StandardCharsets.UTF_8));
        return ask.ask(new CallCatalog("POST", path, "", HEADERS, bytes), askTimeoutMillis);
    }

    private String namespacesPath() {
        return "/catalogs/" + table.catalog() + "/v1/namespaces";
    }

    private String tablesPath() {
        return namespacesPath() + "/" + path(table.namespace()) + "/tables";
    }

    /// Levels are joined by the unit separator, as the REST API has it.
    private static String path(List<String> namespace) {
        return encoded(String.join("\u001f", namespace));
    }

    private static String encoded(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
