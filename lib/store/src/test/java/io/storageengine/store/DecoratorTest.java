package io.storageengine.store;

import static io.storageengine.store.Expect.fails;
import static io.storageengine.store.Expect.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.core.Backoff;
import io.storageengine.core.Clock;
import io.storageengine.core.Failure.Kind;
import io.storageengine.core.Ids;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.ByteRange;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.PutOptions;
import io.storageengine.store.memory.MemoryBuckets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class DecoratorTest {
    private final ObjectStore memory = MemoryBuckets.oneStore(new SystemClock(), new Ids(Expect.random(1)));
    private final SleepLog clock = new SleepLog();

    /// A clock that does not wait but remembers what it was asked to.
    private static final class SleepLog implements Clock {
        private final List<Long> slept = new ArrayList<>();

        @Override
        public long wallMillis() {
            return 0;
        }

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void sleep(long millis) {
            slept.add(millis);
        }
    }

    private RetryingStore retrying(FaultPlan plan) {
        FaultStore faulty = new FaultStore(memory, plan, clock);
        return new RetryingStore(faulty, new Retries(new Backoff(100, 1_000), 4), clock, Expect.random(2));
    }

    @Test
    void throttledCallsAreRepeatedWithGrowingPauses() {
        var store = retrying(FaultPlan.script(Operation.PUT, Fault.THROTTLED, Fault.UNAVAILABLE, Fault.THROTTLED));
        store.put("k", text("x"), PutOptions.IF_ABSENT).orThrow();
        assertThat(clock.slept).hasSize(3);
        assertThat(clock.slept.get(0)).isBetween(50L, 100L);
        assertThat(clock.slept.get(1)).isBetween(100L, 200L);
        assertThat(clock.slept.get(2)).isBetween(200L, 400L);
    }

    @Test
    void repeatingEnds() {
        var store = retrying(call -> Fault.THROTTLED);
        fails(store.head("k"), Kind.THROTTLED, "SlowDown");
        assertThat(clock.slept).hasSize(3);
    }

    @Test
    void anUnknownOutcomeIsNeverRepeated() {
        var store = retrying(FaultPlan.script(Operation.PUT, Fault.LOST_ANSWER));
        fails(store.put("k", text("x"), PutOptions.IF_ABSENT), Kind.UNKNOWN, "UNKNOWN");
        assertThat(clock.slept).isEmpty();
    }

    @Test
    void aStreamIsNeverRepeated() {
        var store = retrying(FaultPlan.script(Operation.PUT, Fault.THROTTLED));
        fails(store.put("k", Expect.stream(1, new byte[1]), PutOptions.PLAIN), Kind.THROTTLED, "SlowDown");
        assertThat(clock.slept).isEmpty();
    }

    @Test
    void requestsAreCountedAsS3WouldSeeThem() {
        CountingStore counting = new CountingStore(memory);
        counting.put("k", text("x"), PutOptions.PLAIN).orThrow();
        counting.read("k").orThrow();
        counting.get("k", ByteRange.ALL).orThrow();
        counting.list(ListRequest.of("")).orThrow();
        counting.deleteAll(Collections.nCopies(2_500, "k")).orThrow();
        counting.deleteAll(List.of()).orThrow();
        assertThat(counting.counts())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(Operation.PUT, 1L, Operation.GET, 2L, Operation.LIST, 1L, Operation.DELETE_ALL, 3L));
        counting.reset();
        assertThat(counting.counts()).isEmpty();
    }

    @Test
    void delaysGoThroughTheClock() {
        FaultStore slow = new FaultStore(memory, FaultPlan.script(Operation.HEAD, new Fault.Delayed(70)), clock);
        fails(slow.head("k"), Kind.NOT_FOUND, "NoSuchKey");
        assertThat(clock.slept).containsExactly(70L);
    }

    @Test
    void oneSeedGivesTheSameFaults() {
        long seed = 42;
        assertThat(faults(Expect.random(seed))).as("seed %d", seed).isEqualTo(faults(Expect.random(seed)));
    }

    private static List<Fault> faults(RandomGenerator random) {
        FaultPlan plan = FaultPlan.seeded(random, 500, 20);
        List<Fault> faults = new ArrayList<>();
        for (int i = 0; i < 200; i++) faults.add(plan.next(new Call(Operation.PUT, "k")));
        assertThat(faults).contains(Fault.NONE, Fault.LOST_ANSWER, Fault.LOST_REQUEST, Fault.LATE_REQUEST);
        return faults;
    }

    @Test
    void aTenantSeesNothingOfItsNeighbours() {
        for (String key : List.of("acme/a", "acme2/b", "acme", "b", "../acme/c")) {
            memory.put(key, text(key), PutOptions.PLAIN).orThrow();
        }
        ScopedStore acme = new ScopedStore(memory, "acme/");
        assertThat(Expect.keys(acme, "")).containsExactly("a");
        for (String key : List.of("../b", "../acme2/b", "/b", "b", "..", "./../b")) {
            fails(acme.head(key), Kind.NOT_FOUND, "NoSuchKey");
            acme.delete(key).orThrow();
        }
        assertThat(acme.head("").failedWith(Kind.INVALID)).isTrue();
        assertThat(acme.delete("").failedWith(Kind.INVALID)).isTrue();
        assertThat(acme.deleteAll(List.of("", "a")).orThrow()).hasSize(1);
        assertThat(Expect.keys(memory, "")).containsExactly("../acme/c", "acme", "acme2/b", "b");
    }

    @Test
    void aTenantsUploadIsNoOtherTenants() {
        ScopedStore acme = new ScopedStore(memory, "acme/");
        String id = acme.createUpload("k", PutOptions.PLAIN).orThrow();
        ScopedStore other = new ScopedStore(memory, "other/");
        fails(other.uploadPart("k", id, 1, text("x")), Kind.NOT_FOUND, "NoSuchUpload");
        fails(other.abortUpload("k", id), Kind.NOT_FOUND, "NoSuchUpload");
        assertThat(other.listUploads("", "", "", 10).orThrow()).isEmpty();
        assertThat(acme.listUploads("", "", "", 10).orThrow()).hasSize(1);
    }

    @Test
    void aScopeEndsWithASlash() {
        assertThatThrownBy(() -> new ScopedStore(memory, "acme")).isInstanceOf(IllegalArgumentException.class);
        Outcome<ObjectInfo> whole = new ScopedStore(memory, "").put("k", text("x"), PutOptions.PLAIN);
        assertThat(whole.orThrow().key()).isEqualTo("k");
    }
}
