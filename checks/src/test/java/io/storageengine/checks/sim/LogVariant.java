package io.storageengine.checks.sim;

import io.storageengine.core.Failure;
import io.storageengine.core.log.Appended;
import io.storageengine.core.log.LogOptions;

/// The log under test, or the log with one of its rules taken out: proof that the checker can fail.
enum LogVariant {
    REAL,
    /// Takes "unknown" for "not written".
    UNKNOWN_IS_FAILURE,
    /// Does not know its own writes when it reads them back.
    FORGETS_OWN_WRITES,
    /// Believes every append and every read however long ago it looked at the log.
    NEVER_DOUBTS,
    /// Acknowledges appends in flight before those below them are decided.
    ACKS_OUT_OF_ORDER,
    /// Claims to hold any epoch it is asked for.
    IGNORES_SEALS;

    static final long RETENTION_MILLIS = 60_000;

    LogOptions options(boolean sealIsTerminal) {
        return switch (this) {
            case REAL, FORGETS_OWN_WRITES, ACKS_OUT_OF_ORDER, IGNORES_SEALS ->
                new LogOptions(sealIsTerminal, 2_000, RETENTION_MILLIS);
            case UNKNOWN_IS_FAILURE -> new LogOptions(sealIsTerminal, 1, RETENTION_MILLIS);
            case NEVER_DOUBTS -> new LogOptions(sealIsTerminal, 2_000, 1_000 * RETENTION_MILLIS);
        };
    }

    /// The log that truncates; it keeps the right retention also where the variant does not.
    LogOptions keeperOptions(boolean sealIsTerminal) {
        return new LogOptions(sealIsTerminal, 2_000, RETENTION_MILLIS);
    }

    /// What the variant tells its caller.
    Appended told(Appended really) {
        boolean lies = this == UNKNOWN_IS_FAILURE
                && really instanceof Appended.Failed(Failure failure)
                && failure.kind() == Failure.Kind.UNKNOWN;
        return lies ? new Appended.Failed(new Failure(Failure.Kind.UNAVAILABLE, "nothing written, says it")) : really;
    }

    SimStore store(SimDisk disk, SimProcess process) {
        return this == FORGETS_OWN_WRITES
                ? new ForgetfulStore(disk, process, RETENTION_MILLIS)
                : new SimStore(disk, process, RETENTION_MILLIS);
    }
}
