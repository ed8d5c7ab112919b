package io.storageengine.gateway.auth;

import io.storageengine.core.Clock;
import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ListPage;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.PutOptions;
import io.vertx.core.json.JsonObject;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// The tokens in cluster storage, one object each: `tokens/{id}.json`. Blocks; thread-safe.
public final class TokenStore {
    /// The code of a failure: there is no such token.
    static final String ABSENT = "NoSuchTokenException";

    private static final String FOLDER = "tokens/";
    private static final String END = ".json";

    private final ObjectStore cluster;
    private final Clock clock;
    private final RandomGenerator random;

    /// @param random fit for secrets, thread-safe
    public TokenStore(ObjectStore cluster, Clock clock, RandomGenerator random) {
        this.cluster = cluster;
        this.clock = clock;
        this.random = random;
    }

    /// A token that was just made: the only moment in which its text is known.
    public record Made(TokenText text, StoredToken token) {
        /// What its owner is told, once: what is stored but for the hash, and `token`.
        public JsonObject told() {
            return token.shown().put("token", text.text());
        }
    }

    /// What a token is to be.
    ///
    /// @param lifeMillis 0: until it is revoked
    public record Wish(String principal, List<Right> rights, long lifeMillis) {
        public Wish {
            rights = List.copyOf(rights);
            if (lifeMillis < 0) throw new IllegalArgumentException("a token's life is not negative");
        }
    }

    /// Makes a token: one PUT. `INVALID` when the wish cannot be; after a failure nobody knows the text of a
    /// token that may have been written, so that trying again is right.
    public Outcome<Made> create(Wish wish) {
        TokenText text = TokenText.fresh(random);
        Instant now = Instant.ofEpochMilli(clock.wallMillis());
        StoredToken token;
        try {
            Optional<Instant> expires =
                    wish.lifeMillis() == 0 ? Optional.empty() : Optional.of(now.plusMillis(wish.lifeMillis()));
            token = new StoredToken(
                    text.id(), wish.principal(), Hashes.sha256Hex(text.secret()), wish.rights(), now, expires);
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
            return Outcome.failed(Failure.Kind.INVALID, "No such token can be made: " + e.getMessage());
        }
        return cluster.put(key(text.id()), Content.of(token.stored()), PutOptions.IF_ABSENT)
                .map(written -> new Made(text, token));
    }

    /// The token of that id; empty when there is none: one GET.
    public Outcome<Optional<StoredToken>> find(String id) {
        var read = cluster.read(key(id));
        if (read.failedWith(Failure.Kind.NOT_FOUND)) return Outcome.ok(Optional.empty());
        return read.then(bytes -> StoredToken.read(id, bytes)).map(Optional::of);
    }

    /// All tokens in the order of their ids, a page of ids and a GET each at a time.
    public Outcome<List<StoredToken>> list() {
        List<StoredToken> tokens = new ArrayList<>();
        ListRequest request = ListRequest.of(FOLDER);
        try {
            while (true) {
                ListPage page = cluster.list(request).orThrow();
                for (ObjectInfo object : page.objects()) {
                    Optional<String> id = id(object.key());
                    if (id.isPresent()) find(id.get()).orThrow().ifPresent(tokens::add);
                }
                if (page.isLast()) return Outcome.ok(tokens);
                request = request.after(page.next());
            }
        } catch (FailureException e) {
            return Outcome.failed(e.failure());
        }
    }

    private static Optional<String> id(String key) {
        if (!key.endsWith(END)) return Optional.empty();
        return Optional.of(key.substring(FOLDER.length(), key.length() - END.length()))
                .filter(TokenText::isId);
    }

    /// Deletes the token, also a damaged one; `NOT_FOUND` when there is none. It is nothing any more for who
    /// looks it up from now on.
    public Outcome<Done> revoke(String id) {
        if (!TokenText.isId(id)) {
            return Outcome.failed(
                    Failure.Kind.INVALID, "A token's id has 16 digits in hex, as 'se tokens list' shows them");
        }
        var head = cluster.head(key(id));
        if (head.failedWith(Failure.Kind.NOT_FOUND)) {
            return Outcome.failed(Failure.Kind.NOT_FOUND, ABSENT, "There is no token " + id);
        }
        return head.then(known -> cluster.delete(key(id)));
    }

    private static String key(String id) {
        return FOLDER + id + END;
    }
}
