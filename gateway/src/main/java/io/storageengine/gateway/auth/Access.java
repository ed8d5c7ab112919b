package io.storageengine.gateway.auth;

import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.gateway.door.Exchange;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds out who sends a request of administration, the REST API or ingestion, by its bearer token (RFC 6750),
/// and whether they may.
public final class Access {
    private static final Logger LOG = LoggerFactory.getLogger(Access.class);
    private static final String SCHEME = "bearer ";

    private final boolean asks;
    private final byte[] administrator;
    private final TokenCache tokens;
    private final Clock clock;

    /// @param asks false: whoever comes may do everything, and no token is looked at
    /// @param administrator the token that may do everything; empty: there is none
    public Access(boolean asks, String administrator, TokenCache tokens, Clock clock) {
        this.asks = asks;
        this.administrator = administrator.isEmpty() ? new byte[0] : sha256(administrator);
        this.tokens = tokens;
        this.clock = clock;
    }

    /// Calls `welcome` when the caller may do what is needed, else `refuse`: `UNAUTHENTICATED`, `FORBIDDEN`,
    /// or that it cannot be found out now. On the request's event loop, at once when the token is known;
    /// neither is called when the client went away meanwhile.
    public void admit(Exchange exchange, Need need, Consumer<Caller> welcome, Consumer<Failure> refuse) {
        identify(exchange, who -> {
            switch (who) {
                case Outcome.Ok<Caller>(Caller caller) ->
                    need.refusal(caller).ifPresentOrElse(refuse, () -> welcome.accept(caller));
                case Outcome.Failed<Caller>(Failure failure) -> refuse.accept(failure);
            }
        });
    }

    private void identify(Exchange exchange, Consumer<Outcome<Caller>> then) {
        if (!asks) {
            then.accept(Outcome.ok(Caller.ANYBODY));
            return;
        }
        Optional<String> sent = sent(exchange.header("authorization"));
        if (sent.isEmpty()) {
            then.accept(refused("Send a token: Authorization: Bearer <token> ('se tokens create' makes one)"));
        } else if (isAdministrator(sent.get())) {
            then.accept(Outcome.ok(Caller.ADMINISTRATOR));
        } else {
            TokenText.parse(sent.get())
                    .ifPresentOrElse(text -> identify(exchange, text, then), () -> then.accept(unknown()));
        }
    }

    private void identify(Exchange exchange, TokenText text, Consumer<Outcome<Caller>> then) {
        CompletableFuture<Outcome<Optional<StoredToken>>> found = tokens.find(text.id());
        if (found.isDone()) {
            then.accept(judge(text, found.join()));
            return;
        }
        var _ = found.thenAccept(token -> exchange.context().runOnContext(v -> {
            if (!exchange.isGone()) guarded(exchange, then, judge(text, token));
        }));
    }

    /// A fault after a wait has no door above it that would answer.
    private static void guarded(Exchange exchange, Consumer<Outcome<Caller>> then, Outcome<Caller> who) {
        try {
            then.accept(who);
        } catch (RuntimeException e) {
            LOG.error("request {} failed", exchange.id(), e);
            then.accept(Outcome.failed(Failure.Kind.BUG, "an internal error"));
        }
    }

    private static Optional<String> sent(@Nullable String header) {
        if (header == null || !header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) return Optional.empty();
        return Optional.of(header.substring(SCHEME.length()).strip());
    }

    /// Hashes are compared, so that not even the length of the right token shows in the time it takes.
    private boolean isAdministrator(String sent) {
        return administrator.length > 0 && MessageDigest.isEqual(sha256(sent), administrator);
    }

    private static byte[] sha256(String text) {
        return Hashes.digest("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    }

    private Outcome<Caller> judge(TokenText text, Outcome<Optional<StoredToken>> found) {
        return found.then(token -> {
            if (token.isEmpty() || !token.get().isOf(text.secret())) return unknown();
            if (token.get().isExpired(clock.wallMillis())) {
                return refused("The token expired at " + token.get().expires().orElseThrow() + ": ask for a new one");
            }
            return Outcome.ok(token.get().caller());
        });
    }

    private static Outcome<Caller> unknown() {
        return refused("The bearer token is not known here: it is wrong, was revoked or is of another storage");
    }

    private static Outcome<Caller> refused(String message) {
        return Outcome.failed(Failure.Kind.UNAUTHENTICATED, message);
    }
}
