package io.storageengine.ingest.channel;

import io.storageengine.core.message.TableRef;

/// Brings what another process's log holds of a table into it.
public interface LogDrain {
    /// Ends the log, if it has not ended, and waits until all of the table's rows in it are committed.
    ///
    /// @param log its id
    /// @throws io.storageengine.core.FailureException when that cannot be done now
    void drain(String log, TableRef table, String tableUuid, long millis) throws InterruptedException;
}
