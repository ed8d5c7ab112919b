package io.storageengine.catalog.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.catalog.rest.Call;
import io.storageengine.catalog.rest.Replies;
import io.storageengine.catalog.secrets.SecretNames;
import io.storageengine.core.message.CatalogReply;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Passes a client's call on to an upstream and its answer back, without anything that is this server's own:
/// its credentials, the upstream's address, the words of its failures.
public final class Proxy {
    private static final List<String> REQUEST_HEADERS =
            List.of("accept", "content-type", "if-none-match", "idempotency-key", "x-iceberg-access-delegation");
    private static final List<String> ANSWER_HEADERS = List.of("etag", "retry-after", "cache-control");
    private static final int SECRET_CHARS_LEAST = 4;

    private final Upstream upstream;

    public Proxy(Upstream upstream) {
        this.upstream = upstream;
    }

    /// @param segments of the path after `/catalogs/{id}/v1`, decoded
    public CatalogReply answer(Call call, List<String> segments) {
        if (segments.equals(List.of("config"))) {
            return call.method().equals("GET")
                    ? config()
                    : Replies.methodNotAllowed(call.method(), "v1/config", List.of("GET"));
        }
        if (segments.getFirst().equals("oauth")) {
            return Replies.error(404, "NoSuchRouteException", "This server gives no tokens of the upstream");
        }
        if (segments.stream().anyMatch(s -> s.isEmpty() || s.equals(".") || s.equals(".."))) {
            throw Refusals.bad("A segment of the path is empty, '.' or '..'");
        }
        String path = String.join("/", call.rawPath().subList(2, call.rawPath().size()));
        String query = call.rawQuery().isEmpty() ? "" : "?" + call.rawQuery();
        return reply(call, upstream.call(call.method(), path + query, headers(call), call.body()));
    }

    private static Map<String, String> headers(Call call) {
        Map<String, String> headers = new HashMap<>();
        for (String name : REQUEST_HEADERS) {
            String value = call.headers().get(name);
            if (value != null) headers.put(name, value);
        }
        return headers;
    }

    /// The upstream's configuration, but for secrets and for what would lead a client past this server.
    private CatalogReply config() {
        JsonNode theirs = upstream.askConfig().answer();
        Map<String, Object> ours = new LinkedHashMap<>();
        ours.put("defaults", shown(theirs.path("defaults")));
        ours.put("overrides", shown(theirs.path("overrides")));
        for (String field : List.of("endpoints", "idempotency-key-lifetime")) {
            if (theirs.hasNonNull(field)) ours.put(field, theirs.path(field));
        }
        return Replies.of(ours);
    }

    private static Map<String, String> shown(JsonNode properties) {
        Map<String, String> shown = new TreeMap<>(UpstreamJson.strings(properties));
        shown.keySet().removeIf(name -> SecretNames.isSecret(name) || leadsPast(name));
        return shown;
    }

    private static boolean leadsPast(String name) {
        return name.equals("uri")
                || name.equals("prefix")
                || name.equals("warehouse")
                || name.startsWith("oauth2")
                || name.startsWith("rest.")
                || name.startsWith("s3.signer.");
    }

    private CatalogReply reply(Call call, UpstreamHttp.Answer answer) {
        Map<String, String> headers = new HashMap<>();
        for (String name : ANSWER_HEADERS) {
            String value = answer.headers().get(name);
            if (value != null) headers.put(name, value);
        }
        int status = answer.status();
        if (status == 429) return Replies.failure(Upstreams.throttled(), call.writes());
        if (status == 508) return Replies.failure(Upstreams.loop(), call.writes());
        if (status >= 500) return Replies.failure(Upstreams.failed(call.writes()), call.writes());
        if (status >= 300 && status != 304) return refusal(call, answer);
        if (answer.body().hasRemaining()) {
            if (!UpstreamJson.isObject(answer.body()))
                return Replies.failure(Upstreams.failed(call.writes()), call.writes());
            headers.put("content-type", "application/json");
        }
        return new CatalogReply(status, headers, withoutCatalogSecrets(answer.body()));
    }

    /// A table's `config` may hold a token for the upstream itself: that is this server's, not the client's.
    private static ByteBuffer withoutCatalogSecrets(ByteBuffer body) {
        String text = StandardCharsets.ISO_8859_1.decode(body.duplicate()).toString();
        if (!text.contains("\"token\"") && !text.contains("\"credential\"") && !text.contains("oauth2")) return body;
        JsonNode tree = UpstreamJson.treeOrMissing(body);
        if (!(tree.path("config") instanceof ObjectNode config)) return body;
        config.remove(List.of("token", "credential", "oauth2-server-uri"));
        return ByteBuffer.wrap(UpstreamJson.bytes(tree));
    }

    private CatalogReply refusal(Call call, UpstreamHttp.Answer answer) {
        JsonNode error = UpstreamJson.treeOrMissing(answer.body()).path("error");
        if (call.isHead()) return new CatalogReply(answer.status(), Map.of(), ByteBuffer.allocate(0));
        if (answer.status() < 400 || !error.isObject() || tellsSecret(error.toString())) {
            int status = answer.status() < 400 ? 502 : answer.status();
            return Replies.error(status, "RESTException", "The upstream catalog answers " + answer.status());
        }
        return Replies.error(
                answer.status(),
                error.path("type").asText("RESTException"),
                error.path("message").asText());
    }

    private boolean tellsSecret(String text) {
        return upstream.properties().entrySet().stream()
                .filter(property -> SecretNames.isSecret(property.getKey()))
                .flatMap(property -> List.of(property.getValue().split(":", -1)).stream())
                .anyMatch(secret -> secret.length() >= SECRET_CHARS_LEAST && text.contains(secret));
    }
}
