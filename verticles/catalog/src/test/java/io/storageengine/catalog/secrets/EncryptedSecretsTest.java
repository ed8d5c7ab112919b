package io.storageengine.catalog.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.Ids;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.PutOptions;
import io.storageengine.store.memory.MemoryBuckets;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EncryptedSecretsTest {
    private static final Map<String, String> SECRETS = Map.of("token", "t0p", "s3.secret-access-key", "k");

    private final SplittableRandom random = new SplittableRandom(5);
    private final ObjectStore store = MemoryBuckets.oneStore(new Still(), new Ids(random));
    private final SecretStore secrets = new EncryptedSecrets(store, new byte[32], random);

    /// A clock that stands still.
    private record Still() implements Clock {
        @Override
        public long wallMillis() {
            return 0;
        }

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void sleep(long millis) {}
    }

    @Test
    void secretsComeBackAndAreForgotten() {
        secrets.put("a", "1", SECRETS).orThrow();
        assertThat(secrets.get("a", "1").orThrow()).isEqualTo(SECRETS);
        secrets.delete("a", "1").orThrow();
        assertThat(secrets.get("a", "1").failedWith(Failure.Kind.NOT_FOUND)).isTrue();
    }

    @Test
    void anObjectOpensOnlyWhereItBelongsAndWithItsKey() {
        secrets.put("a", "1", SECRETS).orThrow();
        var bytes = store.read("secrets/a/1.bin").orThrow();
        store.put("secrets/b/1.bin", Content.of(bytes), PutOptions.PLAIN).orThrow();
        assertThat(secrets.get("b", "1").failedWith(Failure.Kind.CORRUPT)).isTrue();
        byte[] otherKey = new byte[32];
        otherKey[0] = 1;
        var other = new EncryptedSecrets(store, otherKey, random).get("a", "1");
        assertThat(other.failedWith(Failure.Kind.CORRUPT)).isTrue();
        assertThat(other.toString()).doesNotContain("t0p");
    }

    @Test
    void noTwoObjectsAreAlike() {
        secrets.put("a", "1", SECRETS).orThrow();
        var first = store.read("secrets/a/1.bin").orThrow();
        secrets.put("a", "1", SECRETS).orThrow();
        assertThat(store.read("secrets/a/1.bin").orThrow()).isNotEqualTo(first);
    }

    @Test
    void aChangedByteIsNoticed() {
        secrets.put("a", "1", SECRETS).orThrow();
        var bytes = store.read("secrets/a/1.bin").orThrow();
        for (int i = 0; i < bytes.remaining(); i++) {
            byte[] changed = new byte[bytes.remaining()];
            bytes.duplicate().get(changed);
            changed[i] ^= 1;
            store.put("secrets/a/1.bin", Content.of(changed), PutOptions.PLAIN).orThrow();
            assertThat(secrets.get("a", "1").failedWith(Failure.Kind.CORRUPT)).isTrue();
        }
    }

    @Test
    void aKeyOfAnotherLengthIsRefused() {
        assertThatThrownBy(() -> new EncryptedSecrets(store, new byte[31], random))
                .hasMessageContaining("must have 32");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "token", "credential", "s3.secret-access-key", "s3.access-key-id", "s3.session-token",
                        "adls.sas-token.x",
                "password", "header.X-Anything", "client_secret", "ApiKey", "adls.auth.shared-key.account.key",
                        "private_key"
            })
    void credentialsAreKnownByTheirNames(String name) {
        assertThat(SecretNames.isSecret(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"uri", "warehouse", "s3.endpoint", "s3.region", "scope", "prefix", "client.region"})
    void otherPropertiesAreShown(String name) {
        assertThat(SecretNames.isSecret(name)).isFalse();
    }
}
