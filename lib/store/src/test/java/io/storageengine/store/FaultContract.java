package io.storageengine.store;

import static io.storageengine.store.Expect.fails;
import static io.storageengine.store.Expect.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure.Kind;
import io.storageengine.core.store.ByteRange;
import io.storageengine.core.store.PutOptions;
import org.junit.jupiter.api.Test;

/// What a caller can find out after an unknown outcome, on every store.
interface FaultContract extends ContractSubject {
    private FaultStore faulty(Operation operation, Fault... faults) {
        return new FaultStore(store(), FaultPlan.script(operation, faults), new SystemClock());
    }

    @Test
    default void aLostAnswerLeavesTheObjectAndTheRepeatIsRefused() {
        FaultStore faulty = faulty(Operation.PUT, Fault.LOST_ANSWER);
        fails(faulty.put("k", text("mine"), PutOptions.IF_ABSENT), Kind.UNKNOWN, "UNKNOWN");
        fails(faulty.put("k", text("mine"), PutOptions.IF_ABSENT), Kind.CONFLICT, "PreconditionFailed");
        assertThat(Expect.read(store(), "k")).isEqualTo("mine");
    }

    @Test
    default void aLostRequestLeavesNothingAndTheRepeatSucceeds() {
        FaultStore faulty = faulty(Operation.PUT, Fault.LOST_REQUEST);
        fails(faulty.put("k", text("mine"), PutOptions.IF_ABSENT), Kind.UNKNOWN, "UNKNOWN");
        fails(store().head("k"), Kind.NOT_FOUND, "NoSuchKey");
        faulty.put("k", text("mine"), PutOptions.IF_ABSENT).orThrow();
    }

    @Test
    default void aLateRequestLandsAfterItsAbsenceWasSeen() {
        FaultStore faulty = faulty(Operation.PUT, Fault.LATE_REQUEST);
        fails(faulty.put("k", text("late"), PutOptions.IF_ABSENT), Kind.UNKNOWN, "UNKNOWN");
        fails(store().head("k"), Kind.NOT_FOUND, "NoSuchKey");
        faulty.land();
        fails(faulty.put("k", text("other"), PutOptions.IF_ABSENT), Kind.CONFLICT, "PreconditionFailed");
        assertThat(Expect.read(store(), "k")).isEqualTo("late");
    }

    @Test
    default void aLostReadIsUnavailableNeverUnknown() {
        FaultStore faulty = faulty(Operation.GET, Fault.LOST_REQUEST, Fault.LOST_ANSWER);
        store().put("k", text("x"), PutOptions.PLAIN).orThrow();
        assertThat(faulty.get("k", ByteRange.ALL).failedWith(Kind.UNAVAILABLE)).isTrue();
        assertThat(faulty.get("k", ByteRange.ALL).failedWith(Kind.UNAVAILABLE)).isTrue();
        assertThat(Expect.read(faulty, "k")).isEqualTo("x");
    }
}
