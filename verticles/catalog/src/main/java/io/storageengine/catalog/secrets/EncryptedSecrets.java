package io.storageengine.catalog.secrets;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.PutOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Map;
import java.util.random.RandomGenerator;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// Secrets as encrypted objects in the cluster storage, `secrets/{catalog}/{registration}.bin`: `SES1`, a
/// random nonce of 12 bytes, then AES-256-GCM (NIST SP 800-38D) of their JSON with a tag of 16 bytes. The
/// catalog's id and the registration are authenticated with it: an object that is moved to another catalog
/// does not open.
public final class EncryptedSecrets implements SecretStore {
    /// The key's length in bytes.
    public static final int KEY_BYTES = 32;

    private static final byte[] MAGIC = "SES1".getBytes(StandardCharsets.US_ASCII);
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ObjectStore store;
    private final SecretKey key;
    private final RandomGenerator random;

    /// @param key 32 bytes; copied
    /// @param random must be cryptographically secure (`SecureRandom`), except in tests
    public EncryptedSecrets(ObjectStore store, byte[] key, RandomGenerator random) {
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException("the secrets' key has " + key.length + " bytes; it must have 32");
        }
        this.store = store;
        this.key = new SecretKeySpec(key, "AES");
        this.random = random;
    }

    @Override
    public Outcome<Done> put(String catalog, String registration, Map<String, String> secrets) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] sealed = seal(catalog, registration, nonce, json(secrets));
        ByteBuffer object = ByteBuffer.allocate(MAGIC.length + nonce.length + sealed.length);
        object.put(MAGIC).put(nonce).put(sealed).flip();
        return store.put(path(catalog, registration), Content.of(object), PutOptions.PLAIN)
                .map(info -> Done.DONE);
    }

    @Override
    public Outcome<Map<String, String>> get(String catalog, String registration) {
        return store.read(path(catalog, registration)).then(object -> open(catalog, registration, object.duplicate()));
    }

    @Override
    public Outcome<Done> delete(String catalog, String registration) {
        return store.delete(path(catalog, registration));
    }

    private static String path(String catalog, String registration) {
        return "secrets/" + catalog + "/" + registration + ".bin";
    }

    private byte[] seal(String catalog, String registration, byte[] nonce, byte[] plain) {
        try {
            return cipher(Cipher.ENCRYPT_MODE, catalog, registration, nonce).doFinal(plain);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM is not available", e);
        }
    }

    private Outcome<Map<String, String>> open(String catalog, String registration, ByteBuffer object) {
        if (object.remaining() < MAGIC.length + NONCE_BYTES + TAG_BITS / 8) return unreadable(catalog);
        byte[] magic = new byte[MAGIC.length];
        byte[] nonce = new byte[NONCE_BYTES];
        object.get(magic).get(nonce);
        if (!Arrays.equals(magic, MAGIC)) return unreadable(catalog);
        byte[] sealed = new byte[object.remaining()];
        object.get(sealed);
        try {
            byte[] plain =
                    cipher(Cipher.DECRYPT_MODE, catalog, registration, nonce).doFinal(sealed);
            return Outcome.ok(JSON.readValue(plain, new TypeReference<Map<String, String>>() {}));
        } catch (GeneralSecurityException | IOException e) {
            return unreadable(catalog);
        }
    }

    private Cipher cipher(int mode, String catalog, String registration, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD((catalog + "/" + registration).getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    private static <T> Outcome<T> unreadable(String catalog) {
        return Outcome.failed(
                Failure.Kind.CORRUPT,
                "The secrets of catalog " + catalog + " cannot be read with this key; start with the key that"
                        + " wrote them");
    }

    private static byte[] json(Map<String, String> secrets) {
        try {
            return JSON.writeValueAsBytes(secrets);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
