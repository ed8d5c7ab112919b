package io.storageengine.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TokenCacheTest {
    private static final String ID = "0123456789abcdef";
    private static final StoredToken TOKEN = new StoredToken(
            ID, "ann", "0".repeat(64), List.of(new Right("dev", Level.READ)), Instant.EPOCH, Optional.empty());

    private final HandClock clock = new HandClock();
    private final Map<String, StoredToken> stored = new ConcurrentHashMap<>(Map.of(ID, TOKEN));
    private final AtomicInteger lookups = new AtomicInteger();
    private final TokenCache cache = new TokenCache(this::lookUp, clock);
    private volatile boolean down;

    private Outcome<Optional<StoredToken>> lookUp(String id) {
        lookups.incrementAndGet();
        if (down) return Outcome.failed(Failure.Kind.FORBIDDEN, "the bucket is closed to us");
        return Outcome.ok(Optional.ofNullable(stored.get(id)));
    }

    private Outcome<Optional<StoredToken>> find(String id) {
        return cache.find(id).join();
    }

    @Test
    void aTokenCostsOneLookupInItsTimeAndARevokeHoldsAfterIt() {
        for (int i = 0; i < 100; i++) assertThat(find(ID).orThrow()).contains(TOKEN);
        assertThat(lookups).hasValue(1);
        assertThat(cache.find(ID)).as("known: no wait").isDone();
        stored.clear();
        clock.pass(TokenCache.FRESH_MILLIS - 1);
        assertThat(find(ID).orThrow()).contains(TOKEN);
        clock.pass(1);
        assertThat(find(ID).orThrow()).isEmpty();
        assertThat(lookups).hasValue(2);
    }

    @Test
    void anIdOfNobodyCostsOneLookupInItsTimeToo() {
        for (int i = 0; i < 100; i++)
            assertThat(find("ffffffffffffffff").orThrow()).isEmpty();
        assertThat(lookups).hasValue(1);
    }

    @Test
    void whatIsForgottenIsLookedUpAgain() {
        find(ID).orThrow();
        stored.clear();
        cache.forget(ID);
        assertThat(find(ID).orThrow()).isEmpty();
    }

    @Test
    void theStoragesRefusalIsNotTheCallersAndIsNotKept() {
        down = true;
        assertThat(find(ID).failedWith(Failure.Kind.UNAVAILABLE)).isTrue();
        assertThat(find(ID).toString()).doesNotContain("bucket");
        down = false;
        assertThat(find(ID).orThrow()).contains(TOKEN);
    }

    @Test
    void aFaultOfTheLookupIsToldAndTheNextOneWorks() {
        AtomicInteger calls = new AtomicInteger();
        TokenCache faulty = new TokenCache(
                id -> {
                    if (calls.incrementAndGet() == 1) throw new IllegalStateException("a fault");
                    return Outcome.ok(Optional.of(TOKEN));
                },
                clock);
        assertThat(faulty.find(ID).join().failedWith(Failure.Kind.BUG)).isTrue();
        assertThat(faulty.find(ID).join().orThrow()).contains(TOKEN);
    }

    @Test
    void garbageFillsTheMemoryToABoundAndDoesNotPushOutWhatIsUsed() {
        find(ID).orThrow();
        for (int i = 0; i < 3 * TokenCache.ENTRIES_MAX; i++) {
            find(String.format(Locale.ROOT, "%016x", i)).orThrow();
            if (i % 1_000 == 0) assertThat(cache.find(ID)).isDone();
        }
        assertThat(cache.size()).isEqualTo(TokenCache.ENTRIES_MAX);
        assertThat(lookups).hasValue(1 + 3 * TokenCache.ENTRIES_MAX);
    }

    @Test
    void requestsThatComeTogetherShareOneLookupAndLookupsAtOnceAreBounded() throws Exception {
        CountDownLatch full = new CountDownLatch(TokenCache.LOOKUPS_MAX);
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger all = new AtomicInteger();
        TokenCache slow = new TokenCache(
                id -> {
                    all.incrementAndGet();
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    full.countDown();
                    awaited(go);
                    inside.decrementAndGet();
                    return Outcome.ok(Optional.empty());
                },
                clock);
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            for (int twice = 0; twice < 2; twice++) answers.add(slow.find(String.format(Locale.ROOT, "%016x", i)));
        }
        full.await();
        go.countDown();
        answers.forEach(CompletableFuture::join);
        assertThat(most).hasValue(TokenCache.LOOKUPS_MAX);
        assertThat(all).hasValue(500);
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
