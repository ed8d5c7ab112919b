package io.storageengine.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.core.Failure;
import io.storageengine.core.Ids;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.PutOptions;
import io.storageengine.store.memory.MemoryBuckets;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenStoreTest {
    private static final List<Right> RIGHTS = List.of(new Right("dev", Level.READ), new Right("*", Level.ADMIN));

    private final SecureRandom random = new SecureRandom();
    private final HandClock clock = new HandClock();
    private final ObjectStore cluster = cluster();
    private final TokenStore store = new TokenStore(cluster, clock, random);

    private ObjectStore cluster() {
        MemoryBuckets buckets = new MemoryBuckets(clock, new Ids(random));
        buckets.create("own").orThrow();
        return buckets.bucket("own");
    }

    private TokenStore.Made made(String principal, long lifeMillis) {
        return store.create(new TokenStore.Wish(principal, RIGHTS, lifeMillis)).orThrow();
    }

    private String stored(String id) {
        return StandardCharsets.UTF_8
                .decode(cluster.read("tokens/" + id + ".json").orThrow())
                .toString();
    }

    @Test
    void whatIsMadeIsFoundAndItsTextIsReadAgain() {
        TokenStore.Made made = made("ann@example.com", 60_000);
        assertThat(store.find(made.text().id()).orThrow()).contains(made.token());
        assertThat(TokenText.parse(made.text().text())).contains(made.text());
        assertThat(made.token().rights()).isEqualTo(RIGHTS);
        assertThat(made.token().isExpired(clock.wallMillis())).isFalse();
        assertThat(made.token().isExpired(clock.wallMillis() + 60_000)).isTrue();
        assertThat(made("bob", 0).token().isExpired(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void theSecretIsKeptNowhere() {
        TokenStore.Made made = made("ann", 0);
        String secret = made.text().secret();
        assertThat(stored(made.text().id())).doesNotContain(secret).contains(Hashes.sha256Hex(secret));
        assertThat(made.toString() + store.list().orThrow() + made.token().shown())
                .doesNotContain(secret)
                .doesNotContain(made.token().sha256());
        assertThat(made.token().isOf(secret)).isTrue();
        assertThat(made.token().isOf(made.token().sha256())).isFalse();
        assertThat(made.token().isOf("")).isFalse();
    }

    @Test
    void theListHasAllOfManyAndNothingElse() {
        List<StoredToken> all = new ArrayList<>();
        for (int i = 0; i < 1_005; i++) all.add(made("p" + i, 0).token());
        cluster.put("tokens/readme.txt", Content.of(new byte[1]), PutOptions.PLAIN)
                .orThrow();
        assertThat(store.list().orThrow()).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void aRevokedTokenIsGoneAndCannotBeRevokedAgain() {
        String id = made("ann", 0).text().id();
        assertThat(store.revoke(id).isOk()).isTrue();
        assertThat(store.find(id)).isEqualTo(Outcome.ok(Optional.empty()));
        assertThat(store.revoke(id).failedWith(Failure.Kind.NOT_FOUND)).isTrue();
        assertThat(store.revoke("../catalogs/dev").failedWith(Failure.Kind.INVALID))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "administrator", "new\nline", "ü"})
    void aPrincipalIsANameThatCanBeLogged(String principal) {
        assertThat(store.create(new TokenStore.Wish(principal, RIGHTS, 0)).failedWith(Failure.Kind.INVALID))
                .isTrue();
    }

    @Test
    void aTokenHasARightAndAnEndThatExists() {
        assertThat(store.create(new TokenStore.Wish("ann", List.of(), 0)).failedWith(Failure.Kind.INVALID))
                .isTrue();
        assertThat(store.create(new TokenStore.Wish("ann", RIGHTS, Long.MAX_VALUE))
                        .failedWith(Failure.Kind.INVALID))
                .isTrue();
        assertThatThrownBy(() -> new TokenStore.Wish("ann", RIGHTS, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aDamagedTokenLetsNobodyInAndCanBeRevoked() {
        String good = stored(made("ann", 0).text().id());
        String id = "0123456789abcdef";
        List<String> bad = List.of(
                "",
                "x",
                "[]",
                "{}",
                good,
                good.replaceFirst("\"rights\":\\[.*?]", "\"rights\":[]").replaceFirst("[0-9a-f]{16}", id),
                good.replace("read", "own").replaceFirst("[0-9a-f]{16}", id),
                good.replaceFirst("[0-9a-f]{64}", "").replaceFirst("[0-9a-f]{16}", id));
        for (String text : bad) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            cluster.put("tokens/" + id + ".json", Content.of(bytes), PutOptions.PLAIN)
                    .orThrow();
            assertThat(store.find(id).failedWith(Failure.Kind.CORRUPT)).as(text).isTrue();
        }
        assertThat(store.revoke(id).isOk()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "se_", "se_0123456789abcdef_", "SE_0123456789abcdef_", "se_../../x_"})
    void whatHasNotTheFormIsNoToken(String head) {
        assertThat(TokenText.parse(head)).isEmpty();
        assertThat(TokenText.parse(head + "0".repeat(63))).isEmpty();
        assertThat(TokenText.parse(head + "0".repeat(65))).isEmpty();
    }
}
