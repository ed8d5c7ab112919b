package io.storageengine.catalog.rest;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/// Short names for contents.
final class Hashes {
    private static final int BYTES = 16;

    private Hashes() {}

    /// The first 128 bits of the SHA-256 of these parts, in 22 characters.
    static String sha256(ByteBuffer... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (ByteBuffer part : parts) digest.update(part.duplicate());
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest.digest(), BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
