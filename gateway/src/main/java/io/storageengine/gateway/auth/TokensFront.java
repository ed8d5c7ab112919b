package io.storageengine.gateway.auth;

import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.gateway.door.Exchange;
import io.storageengine.gateway.door.Front;
import io.storageengine.gateway.door.Reply;
import io.storageengine.gateway.door.RestErrors;
import io.storageengine.gateway.door.Route;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes, lists and revokes tokens for who administers every catalog: `POST` and `GET /cluster/tokens`,
/// `DELETE /cluster/tokens/{id}`.
public final class TokensFront implements Front<Route.Tokens> {
    private static final Logger LOG = LoggerFactory.getLogger(TokensFront.class);
    private static final int BODY_BYTES_MAX = 64 << 10;
    private static final Set<String> FIELDS = Set.of("principal", "rights", "expires-in-seconds");
    private static final Need NEED = new Need.On(Right.EVERY, Level.ADMIN);

    private final Access access;
    private final TokenStore store;
    private final TokenCache cache;

    public TokensFront(Access access, TokenStore store, TokenCache cache) {
        this.access = access;
        this.store = store;
        this.cache = cache;
    }

    @Override
    public void handle(Exchange exchange, Route.Tokens route) {
        access.admit(
                exchange,
                NEED,
                caller -> exchange.whole(BODY_BYTES_MAX)
                        .onSuccess(body -> Thread.ofVirtual().name("tokens").start(() -> serve(exchange, route, body)))
                        .onFailure(e -> {
                            if (e instanceof FailureException known) refuse(exchange, known.failure());
                        }),
                failure -> refuse(exchange, failure));
    }

    private void serve(Exchange exchange, Route.Tokens route, Buffer body) {
        try {
            switch (answer(exchange.method(), route.id(), body)) {
                case Outcome.Ok<Reply>(Reply reply) -> exchange.answer(reply);
                case Outcome.Failed<Reply>(Failure failure) -> refuse(exchange, told(failure));
            }
        } catch (RuntimeException e) {
            LOG.error("request {} failed", exchange.id(), e);
            refuse(exchange, new Failure(Failure.Kind.BUG, "an internal error"));
        }
    }

    private Outcome<Reply> answer(String method, String id, Buffer body) {
        return switch (method + (id.isEmpty() ? " all" : " one")) {
            case "POST all" -> wish(body).then(store::create).map(made -> json(201, made.told()));
            case "GET all" -> store.list().map(TokensFront::listed);
            case "DELETE one" -> revoke(id).map(done -> Reply.of(204));
            default ->
                Outcome.failed(
                        Failure.Kind.INVALID,
                        "MethodNotAllowed",
                        "Tokens are made by POST /cluster/tokens, listed by GET /cluster/tokens and revoked by"
                                + " DELETE /cluster/tokens/{id}");
        };
    }

    /// The storage's refusals are this node's trouble, not the caller's.
    private static Failure told(Failure failure) {
        boolean ours = failure.code().equals(TokenStore.ABSENT);
        return switch (failure.kind()) {
            case INVALID, THROTTLED, UNAVAILABLE, UNKNOWN, CORRUPT, BUG -> failure;
            case NOT_FOUND, UNAUTHENTICATED, FORBIDDEN, EXISTS, CONFLICT ->
                ours ? failure : new Failure(Failure.Kind.BUG, failure.code(), failure.message());
        };
    }

    private Outcome<Done> revoke(String id) {
        Outcome<Done> revoked = store.revoke(id);
        cache.forget(id);
        return revoked;
    }

    private static Outcome<TokenStore.Wish> wish(Buffer body) {
        try {
            JsonObject json = new JsonObject(body);
            if (!FIELDS.containsAll(json.fieldNames())) return invalid("its fields are " + FIELDS);
            long seconds = json.getLong("expires-in-seconds", 0L);
            List<Right> rights = StoredToken.rights(json.getJsonArray("rights", new JsonArray()));
            long millis = Math.multiplyExact(seconds, TimeUnit.SECONDS.toMillis(1));
            return Outcome.ok(new TokenStore.Wish(json.getString("principal", ""), rights, millis));
        } catch (IllegalArgumentException | ArithmeticException e) {
            return invalid(String.valueOf(e.getMessage()));
        } catch (DecodeException | ClassCastException | NullPointerException e) {
            return invalid("it is a JSON object like {\"principal\":\"reports\",\"rights\":[{\"catalog\":\"dev\","
                    + "\"level\":\"read\"}],\"expires-in-seconds\":86400}");
        }
    }

    private static Outcome<TokenStore.Wish> invalid(String why) {
        return Outcome.failed(Failure.Kind.INVALID, "The token asked for cannot be made: " + why);
    }

    private static Reply listed(List<StoredToken> tokens) {
        JsonArray list = new JsonArray();
        tokens.forEach(token -> list.add(token.shown()));
        return json(200, new JsonObject().put("tokens", list));
    }

    private static Reply json(int status, JsonObject body) {
        return new Reply(
                status, Map.of("content-type", "application/json", "cache-control", "no-store"), body.toBuffer());
    }

    @Override
    public void refuse(Exchange exchange, Failure failure) {
        if (RestErrors.status(failure, false) >= 500) {
            LOG.warn("request {}: {} {}", exchange.id(), failure.code(), failure.message());
        }
        exchange.answer(RestErrors.reply(failure, false));
    }
}
