package io.storageengine.gateway.auth;

import io.storageengine.core.Failure;
import io.storageengine.gateway.door.Exchange;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Optional;

/// The one token of administration, the REST API and ingestion (RFC 6750); with none set, everybody may.
public final class BearerToken {
    private static final String SCHEME = "bearer ";

    private final byte[] token;

    /// @param token empty: none is asked for
    public BearerToken(String token) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
    }

    /// Why the request may not come in; empty when it may.
    public Optional<Failure> refusal(Exchange exchange) {
        if (token.length == 0) return Optional.empty();
        String header = exchange.header("authorization");
        if (header == null || !header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return refused("Send the node's token: Authorization: Bearer <token>");
        }
        byte[] given = header.substring(SCHEME.length()).strip().getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(given, token) ? Optional.empty() : refused("The bearer token is not this node's");
    }

    private static Optional<Failure> refused(String message) {
        return Optional.of(new Failure(Failure.Kind.UNAUTHENTICATED, message));
    }
}
