package io.storageengine.gateway.auth;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// A token as cluster storage keeps it, `tokens/{id}.json`: without its secret.
///
/// @param id 16 digits in hex
/// @param principal whom it was made for
/// @param sha256 of the secret's characters, in hex. The secret has 256 random bits: nothing slower is needed
/// @param rights at least one
/// @param created when it was made
/// @param expires from when on it is nothing any more; empty: only once it is revoked
public record StoredToken(
        String id, String principal, String sha256, List<Right> rights, Instant created, Optional<Instant> expires) {
    private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

    public StoredToken {
        rights = List.copyOf(rights);
        if (!TokenText.isId(id)) throw new IllegalArgumentException("a token's id has 16 digits in hex");
        if (!sha256.matches("[0-9a-f]{64}")) throw new IllegalArgumentException("not a SHA-256 in hex");
        if (expires.isPresent() && expires.get().isAfter(LAST)) {
            throw new IllegalArgumentException("a token expires before the year 10000");
        }
        if (rights.isEmpty()) throw new IllegalArgumentException("a token has at least one right");
        if (!principal.matches("[A-Za-z0-9._@:/+-]{1,128}")) {
            throw new IllegalArgumentException("a principal has 1 to 128 letters, digits and . _ @ : / + -");
        }
        if (principal.equals(Caller.ADMINISTRATOR_NAME)) {
            throw new IllegalArgumentException("'" + principal + "' is who has the node's own token (--auth.token)");
        }
    }

    /// Whether that is the token's secret; takes as long whatever the secret is.
    boolean isOf(String secret) {
        byte[] given = Hashes.digest("SHA-256").digest(secret.getBytes(StandardCharsets.US_ASCII));
        return MessageDigest.isEqual(given, HexFormat.of().parseHex(sha256));
    }

    boolean isExpired(long wallMillis) {
        return expires.isPresent() && expires.get().toEpochMilli() <= wallMillis;
    }

    Caller caller() {
        return new Caller(principal, rights);
    }

    /// What may be shown of it: all but the hash.
    public JsonObject shown() {
        JsonArray list = new JsonArray();
        rights.forEach(right -> list.add(new JsonObject()
                .put("catalog", right.catalog())
                .put("level", right.level().word())));
        JsonObject shown = new JsonObject()
                .put("id", id)
                .put("principal", principal)
                .put("rights", list)
                .put("created", created.toString());
        expires.ifPresent(at -> shown.put("expires", at.toString()));
        return shown;
    }

    byte[] stored() {
        return shown().put("sha256", sha256).encode().getBytes(StandardCharsets.UTF_8);
    }

    /// Reads what [#stored] wrote; `CORRUPT` for anything else, without quoting it.
    static Outcome<StoredToken> read(String id, ByteBuffer bytes) {
        try {
            JsonObject json = new JsonObject(
                    StandardCharsets.UTF_8.decode(bytes.duplicate()).toString());
            String expires = json.getString("expires");
            StoredToken token = new StoredToken(
                    json.getString("id", ""),
                    json.getString("principal", ""),
                    json.getString("sha256", ""),
                    rights(json.getJsonArray("rights", new JsonArray())),
                    Instant.parse(json.getString("created", "")),
                    Optional.ofNullable(expires).map(Instant::parse));
            if (token.id().equals(id)) return Outcome.ok(token);
        } catch (IllegalArgumentException | ClassCastException | DateTimeException | DecodeException e) {
            return corrupt(id);
        }
        return corrupt(id);
    }

    private static Outcome<StoredToken> corrupt(String id) {
        return Outcome.failed(Failure.Kind.CORRUPT, "The stored token " + id + " is damaged: revoke it");
    }

    /// @throws IllegalArgumentException when one is none
    static List<Right> rights(JsonArray list) {
        List<Right> rights = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            JsonObject right = list.getJsonObject(i);
            String level = right.getString("level", "");
            rights.add(new Right(
                    right.getString("catalog", ""),
                    Level.of(level)
                            .orElseThrow(() -> new IllegalArgumentException(
                                    "a right's level is read, write or admin, not '" + level + "'"))));
        }
        return rights;
    }

    @Override
    public String toString() {
        return "StoredToken" + shown().encode();
    }
}
