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
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;

/// Makes a table that rows were sent for, and its namespace, through the Iceberg REST API. Somebody else who
/// makes it at the same time is as good.
record TableCreator(Ask ask, long askTimeoutMillis) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /// Done when the table is there, whoever made it, with whatever schema.
    Outcome<Done> create(TableRef table, Schema schema) {
        Outcome<CatalogReply> first = createTable(table, schema);
        if (status(first) != 404) return made(first);
        for (int levels = 1; levels <= table.namespace().size(); levels++) {
            Outcome<Done> namespace = made(createNamespace(table, levels));
            if (!namespace.isOk()) return namespace;
        }
        return made(createTable(table, schema));
    }

    private static int status(Outcome<CatalogReply> outcome) {
        return outcome instanceof Outcome.Ok<CatalogReply>(CatalogReply reply) ? reply.status() : 0;
    }

    private static Outcome<Done> made(Outcome<CatalogReply> outcome) {
        return outcome.then(reply -> switch (reply.status() / 100) {
            case 2 -> Outcome.done();
            default -> reply.status() == 409 ? Outcome.done() : Outcome.failed(failure(reply));
        });
    }

    private static Failure failure(CatalogReply reply) {
        Failure.Kind kind = switch (reply.status()) {
            case 401 -> Failure.Kind.UNAUTHENTICATED;
            case 403 -> Failure.Kind.FORBIDDEN;
            case 404 -> Failure.Kind.NOT_FOUND;
            case 429 -> Failure.Kind.THROTTLED;
            default -> reply.status() >= 500 ? Failure.Kind.UNAVAILABLE : Failure.Kind.INVALID;
        };
        return new Failure(kind, "The table could not be made: " + message(reply));
    }

    private static String message(CatalogReply reply) {
        try {
            JsonNode text = JSON.readTree(StandardCharsets.UTF_8
                            .decode(reply.body().duplicate())
                            .toString())
                    .at("/error/message");
            return text.isTextual() ? text.asText() : "status " + reply.status();
        } catch (JsonProcessingException noJson) {
            return "status " + reply.status();
        }
    }

    private Outcome<CatalogReply> createNamespace(TableRef table, int levels) {
        ObjectNode body = JSON.createObjectNode();
        body.set("namespace", JSON.valueToTree(table.namespace().subList(0, levels)));
        body.putObject("properties");
        return post("/catalogs/" + table.catalog() + "/v1/namespaces", body);
    }

    private Outcome<CatalogReply> createTable(TableRef table, Schema schema) {
        ObjectNode body = JSON.createObjectNode();
        body.put("name", table.name());
        body.set("schema", tree(SchemaParser.toJson(schema)));
        body.putObject("properties").put("format-version", "3");
        return post("/catalogs/" + table.catalog() + "/v1/namespaces/" + path(table.namespace()) + "/tables", body);
    }

    private Outcome<CatalogReply> post(String path, JsonNode body) {
        ByteBuffer bytes = ByteBuffer.wrap(body.toString().getBytes(StandardCharsets.UTF_8));
        Map<String, String> headers = Map.of("content-type", "application/json", "accept", "application/json");
        return ask.ask(new CallCatalog("POST", path, "", headers, bytes), askTimeoutMillis);
    }

    /// Levels are joined by the unit separator, as the REST API has it.
    private static String path(List<String> namespace) {
        return URLEncoder.encode(String.join("\u001f", namespace), StandardCharsets.UTF_8)
                .replace("+", "%20");
    }

    private static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
