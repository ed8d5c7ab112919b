package io.storageengine.gateway.auth;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// What signs the chunks and trailers of a body after its head was verified (AWS Signature Version 4).
public final class Signing {
    private static final String EMPTY_SHA256 = Hashes.sha256Hex("");

    private final byte[] key;
    private final String date;
    private final String scope;
    private final String seed;

    /// @param key the derived signing key
    /// @param date `x-amz-date`
    /// @param scope `date/region/service/aws4_request`
    /// @param seed the head's signature, hexadecimal
    Signing(byte[] key, String date, String scope, String seed) {
        this.key = key.clone();
        this.date = date;
        this.scope = scope;
        this.seed = seed;
    }

    /// Derives the key of a scope.
    static byte[] key(String secret, String day, String region, String service) {
        byte[] ofDay = Hashes.hmacSha256(("AWS4" + secret).getBytes(StandardCharsets.UTF_8), day);
        return Hashes.hmacSha256(Hashes.hmacSha256(Hashes.hmacSha256(ofDay, region), service), "aws4_request");
    }

    /// The head's signature: the first link of the chain.
    public String seed() {
        return seed;
    }

    /// The signature of a chunk.
    ///
    /// @param previous the signature before it
    /// @param sha256Hex hash of the chunk's bytes
    public String chunk(String previous, String sha256Hex) {
        return sign(String.join("\n", "AWS4-HMAC-SHA256-PAYLOAD", date, scope, previous, EMPTY_SHA256, sha256Hex));
    }

    /// The signature of the trailers.
    ///
    /// @param canonical each as `name:value\n`
    public String trailer(String previous, String canonical) {
        return sign(String.join("\n", "AWS4-HMAC-SHA256-TRAILER", date, scope, previous, Hashes.sha256Hex(canonical)));
    }

    private String sign(String text) {
        return HexFormat.of().formatHex(Hashes.hmacSha256(key, text));
    }
}
