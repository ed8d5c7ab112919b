package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.catalog.log.CatalogLog;
import io.storageengine.catalog.log.CatalogLogOptions;
import io.storageengine.catalog.state.Command;
import io.storageengine.core.FailureException;
import io.storageengine.core.Ids;
import io.storageengine.core.log.LogOptions;
import io.storageengine.core.log.ObjectLog;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.store.Fault;
import io.storageengine.store.FaultPlan;
import io.storageengine.store.FaultStore;
import io.storageengine.store.memory.MemoryBuckets;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// A log that was read half is no state to answer from. A start under load once answered "no such table" so,
/// and rows that waited for the table were parked.
class HalfReadLogTest {
    private final MachineClock clock = new MachineClock();
    private final Random random = new Random(1);
    private final ObjectStore store = MemoryBuckets.oneStore(clock, new Ids(random));

    @Test
    void afterABrokenStartNothingIsAnsweredFromTheFirstHalf() {
        CatalogLog before = open(store, "first");
        for (String space : new String[] {"a", "b", "c", "d"})
            before.submit(new Command.CreateSpace(space, Map.of())).orThrow();

        AtomicBoolean isBroken = new AtomicBoolean(true);
        FaultPlan plan =
                call -> isBroken.get() && call.key().endsWith("00000000000000000003") ? Fault.UNAVAILABLE : Fault.NONE;
        CatalogLog after = open(new FaultStore(store, plan, clock), "second");
        assertThatThrownBy(after::state).isInstanceOf(FailureException.class);
        assertThatThrownBy(after::latest).isInstanceOf(FailureException.class);
        isBroken.set(false);
        assertThat(after.latest().space("d")).isPresent();
        assertThat(after.state().space("d")).isPresent();
    }

    @Test
    void aLogThatHasLostItsBeginningIsNoEmptyCatalog() {
        CatalogLog before = open(store, "first");
        assertThat(before.state().tableCount()).as("an empty log is one").isZero();
        for (String space : new String[] {"a", "b"})
            before.submit(new Command.CreateSpace(space, Map.of())).orThrow();
        store.delete("_se/catalog/log/00000000000000000001").orThrow();
        CatalogLog after = open(store, "second");
        assertThatThrownBy(after::state).hasMessageContaining("lost its beginning");
        assertThat(after.submit(new Command.CreateSpace("c", Map.of())).isOk()).isFalse();
        assertThat(store.head("_se/catalog/log/00000000000000000001").isOk())
                .as("nothing is written where it was")
                .isFalse();
    }

    private CatalogLog open(ObjectStore over, String writer) {
        ObjectLog log = new ObjectLog(over, "_se/catalog/", writer, LogOptions.DEFAULT, clock, random);
        return new CatalogLog(log, new CatalogLogOptions(true, 1_000, 10), clock);
    }
}
