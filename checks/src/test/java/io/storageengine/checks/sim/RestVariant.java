package io.storageengine.checks.sim;

import io.storageengine.core.store.ObjectStore;

/// The whole catalog under test with Iceberg's own client, or one of both with a rule broken: proof that the
/// checker can fail.
enum RestVariant {
    REAL,
    /// A client that takes "unknown" for "refused" and cleans up.
    UNKNOWN_IS_REFUSED,
    /// A client that takes "unknown" for "done".
    UNKNOWN_IS_DONE,
    /// A request comes again without its key.
    FORGETS_KEYS,
    /// A transaction reaches the catalog as one commit for each table.
    SPLITS_TRANSACTIONS,
    /// Each node believes that it is alone.
    BELIEVES_TO_BE_ALONE,
    /// The clocks are farther apart than is allowed for.
    DRIFTS_TOO_FAR,
    /// The clean-up of old metadata files takes one too many.
    CLEANS_UP_TOO_MUCH,
    /// A client itself deletes the files of a table that it dropped, which another may have registered.
    PURGES_WHAT_IT_LET_GO;

    long skewMillisMax() {
        return this == DRIFTS_TOO_FAR ? 4 * 3_600_000 : 180_000;
    }

    ObjectStore store(SimDisk disk, SimProcess process) {
        return this == CLEANS_UP_TOO_MUCH
                ? new OverzealousStore(disk, process, LogVariant.RETENTION_MILLIS)
                : new SimStore(disk, process, LogVariant.RETENTION_MILLIS);
    }
}
