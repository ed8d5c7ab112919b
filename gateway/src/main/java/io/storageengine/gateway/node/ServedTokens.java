package io.storageengine.gateway.node;

import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.gateway.auth.TokenStore;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The tokens of a running node, over its HTTP API.
final class ServedTokens implements TokensCommand.Tokens {
    private static final String PATH = "/cluster/tokens";
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final TokensOrder.Served node;

    ServedTokens(TokensOrder.Served node) {
        this.node = node;
    }

    @Override
    public Outcome<JsonObject> create(TokenStore.Wish wish) {
        JsonArray rights = new JsonArray();
        wish.rights()
                .forEach(right -> rights.add(new JsonObject()
                        .put("catalog", right.catalog())
                        .put("level", right.level().word())));
        JsonObject body = new JsonObject()
                .put("principal", wish.principal())
                .put("rights", rights)
                .put("expires-in-seconds", TimeUnit.MILLISECONDS.toSeconds(wish.lifeMillis()));
        return send("POST", PATH, body.encode());
    }

    @Override
    public Outcome<List<JsonObject>> list() {
        return send("GET", PATH, "")
                .map(body -> body.getJsonArray("tokens", new JsonArray()).stream()
                        .map(JsonObject.class::cast)
                        .toList());
    }

    @Override
    public Outcome<Done> revoke(String id) {
        return send("DELETE", PATH + "/" + id.replaceAll("[^0-9A-Za-z]", "-"), "")
                .map(body -> Done.DONE);
    }

    private Outcome<JsonObject> send(String method, String path, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(node.server().resolve(path))
                .timeout(TIMEOUT)
                .header("content-type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (!node.token().isEmpty()) request.header("authorization", "Bearer " + node.token());
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            return answer(client.send(request.build(), HttpResponse.BodyHandlers.ofString()));
        } catch (IOException e) {
            return Outcome.failed(Failure.Kind.UNAVAILABLE, "No answer from " + node.server() + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcome.failed(Failure.Kind.UNAVAILABLE, "interrupted");
        }
    }

    private Outcome<JsonObject> answer(HttpResponse<String> response) {
        JsonObject body;
        try {
            body = response.body().isEmpty() ? new JsonObject() : new JsonObject(response.body());
        } catch (DecodeException e) {
            return Outcome.failed(Failure.Kind.UNAVAILABLE, node.server() + " is no node of Storage Engine");
        }
        if (response.statusCode() / 100 == 2) return Outcome.ok(body);
        String message = body.getJsonObject("error", new JsonObject()).getString("message", "no reason is given");
        return Outcome.failed(
                Failure.Kind.INVALID, node.server() + " answers " + response.statusCode() + ": " + message);
    }
}
