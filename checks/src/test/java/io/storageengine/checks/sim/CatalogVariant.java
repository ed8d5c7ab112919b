package io.storageengine.checks.sim;

import io.storageengine.core.log.LogOptions;

/// The catalog under test, or one whose owners break a rule: proof that the checker can fail.
enum CatalogVariant {
    REAL,
    /// Acknowledges a commit of which nobody knows whether it is there.
    ANSWERS_EARLY,
    /// Takes "unknown" for "not written".
    UNKNOWN_IS_FAILURE,
    /// Does not know its own writes when it reads them back.
    FORGETS_OWN_WRITES,
    /// Commits the tables of a transaction one after the other.
    SPLITS_TRANSACTIONS,
    /// Sends a request again without its key.
    FORGETS_KEYS,
    /// Reads what this process knows, without a look at what others wrote.
    READS_STALE;

    LogOptions options() {
        return new LogOptions(false, this == UNKNOWN_IS_FAILURE ? 1 : 2_000, LogVariant.RETENTION_MILLIS);
    }

    SimStore store(SimDisk disk, SimProcess process) {
        return this == FORGETS_OWN_WRITES
                ? new ForgetfulStore(disk, process, LogVariant.RETENTION_MILLIS)
                : new SimStore(disk, process, LogVariant.RETENTION_MILLIS);
    }
}
