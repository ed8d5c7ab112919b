package io.storageengine.gateway.auth;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.PutOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// The S3 API's own key pair: made once, kept encrypted (AES-256-GCM) in cluster storage, the same for every
/// node.
public final class AccessKeyFile {
    private static final String KEY = "keys/s3.bin";
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final String UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private static final String LOWER = "abcdefghijklmnopqrstuvwxyz";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final ObjectStore cluster;
    private final SecretKeySpec key;
    private final RandomGenerator random;

    /// @param key 32 bytes
    /// @param random fit for secrets
    public AccessKeyFile(ObjectStore cluster, byte[] key, RandomGenerator random) {
        this.cluster = cluster;
        this.key = new SecretKeySpec(key, "AES");
        this.random = random;
    }

    /// The pair; made when there is none yet. Of two nodes that start at once, one makes it.
    public Outcome<AccessKey> loadOrMake() {
        Outcome<ByteBuffer> stored = cluster.read(KEY);
        if (!stored.failedWith(Failure.Kind.NOT_FOUND)) return stored.then(this::open);
        AccessKey fresh = fresh();
        var put = cluster.put(KEY, Content.of(seal(fresh)), PutOptions.IF_ABSENT);
        return put.isOk() ? Outcome.ok(fresh) : cluster.read(KEY).then(this::open);
    }

    private AccessKey fresh() {
        return new AccessKey("SE" + letters(UPPER, 18), letters(UPPER + LOWER, 40));
    }

    /// Letters and digits only: to be pasted anywhere.
    private String letters(String from, int count) {
        StringBuilder text = new StringBuilder();
        while (text.length() < count) text.append(from.charAt(random.nextInt(from.length())));
        return text.toString();
    }

    private byte[] seal(AccessKey pair) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] plain = (pair.id() + "\n" + pair.secret()).getBytes(StandardCharsets.UTF_8);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(plain);
            return ByteBuffer.allocate(nonce.length + sealed.length)
                    .put(nonce)
                    .put(sealed)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private Outcome<AccessKey> open(ByteBuffer stored) {
        byte[] bytes = new byte[stored.remaining()];
        stored.duplicate().get(bytes);
        if (bytes.length <= NONCE_BYTES) return corrupt();
        byte[] nonce = Arrays.copyOf(bytes, NONCE_BYTES);
        try {
            byte[] plain = cipher(Cipher.DECRYPT_MODE, nonce).doFinal(bytes, NONCE_BYTES, bytes.length - NONCE_BYTES);
            String[] pair = new String(plain, StandardCharsets.UTF_8).split("\n", 2);
            return pair.length == 2 ? Outcome.ok(new AccessKey(pair[0], pair[1])) : corrupt();
        } catch (AEADBadTagException e) {
            return Outcome.failed(
                    Failure.Kind.INVALID,
                    "The secrets key is not the one that this storage was set up with: give that one");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce, 0, NONCE_BYTES));
        cipher.updateAAD(KEY.getBytes(StandardCharsets.US_ASCII));
        return cipher;
    }

    private static Outcome<AccessKey> corrupt() {
        return Outcome.failed(Failure.Kind.CORRUPT, "The stored key pair of the S3 API is damaged: " + KEY);
    }
}
