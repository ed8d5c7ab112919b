package io.storageengine.gateway.node;

import io.storageengine.core.Clock;
import io.storageengine.core.Done;
import io.storageengine.core.Outcome;
import io.storageengine.gateway.auth.StoredToken;
import io.storageengine.gateway.auth.TokenStore;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.PrintStream;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/// Does what `se tokens` is asked for. The token alone goes to standard output, for scripts.
final class TokensCommand {
    private TokensCommand() {}

    /// What can be done with tokens, wherever they are.
    interface Tokens {
        /// What its owner is told: `token` and the public fields.
        Outcome<JsonObject> create(TokenStore.Wish wish);

        /// The public fields of each.
        Outcome<List<JsonObject>> list();

        Outcome<Done> revoke(String id);
    }

    /// The tokens of a storage.
    record OfStorage(TokenStore store) implements Tokens {
        @Override
        public Outcome<JsonObject> create(TokenStore.Wish wish) {
            return store.create(wish).map(TokenStore.Made::told);
        }

        @Override
        public Outcome<List<JsonObject>> list() {
            return store.list()
                    .map(found -> found.stream().map(StoredToken::shown).toList());
        }

        @Override
        public Outcome<Done> revoke(String id) {
            return store.revoke(id);
        }
    }

    /// @param random fit for secrets
    /// @throws StartRefused when it cannot be done
    static void run(TokensOrder order, Clock clock, RandomGenerator random, PrintStream out, PrintStream err) {
        switch (order.place()) {
            case TokensOrder.Served served -> run(order.action(), new ServedTokens(served), out, err);
            case TokensOrder.Stored(Settings.Storage place) -> {
                OpenStorage storage = OpenStorage.open(
                        place, clock, random, "a node that runs on it can be asked: --server http://…");
                try {
                    run(order.action(), new OfStorage(new TokenStore(storage.cluster(), clock, random)), out, err);
                } finally {
                    storage.close();
                }
            }
        }
    }

    private static void run(TokensOrder.Action action, Tokens tokens, PrintStream out, PrintStream err) {
        switch (action) {
            case TokensOrder.Create(TokenStore.Wish wish) -> {
                JsonObject made = StartRefused.orRefuse(tokens.create(wish));
                out.println(made.getString("token"));
                err.println("Keep it: it is shown this once. " + line(made));
            }
            case TokensOrder.Show show ->
                StartRefused.orRefuse(tokens.list()).forEach(token -> out.println(line(token)));
            case TokensOrder.Revoke(String id) -> {
                StartRefused.orRefuse(tokens.revoke(id));
                err.println("Revoked: " + id + " is nothing any more, on every node within ten seconds.");
            }
        }
    }

    private static String line(JsonObject token) {
        return token.getString("id") + "  " + token.getString("principal") + "  "
                + rights(token.getJsonArray("rights")) + "  created " + token.getString("created") + "  expires "
                + token.getString("expires", "never");
    }

    private static String rights(JsonArray rights) {
        return rights.stream()
                .map(JsonObject.class::cast)
                .map(right -> right.getString("catalog") + ":" + right.getString("level"))
                .collect(Collectors.joining(","));
    }
}
