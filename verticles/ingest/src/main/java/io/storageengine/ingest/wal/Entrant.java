package io.storageengine.ingest.wal;

import io.storageengine.core.Failure;
import java.util.Optional;

/// Something that wants to be in the log: told exactly once what became of it, by the log's own thread and in
/// the order of positions.
public interface Entrant {
    Block block();

    /// Why it must not be written into that log; asked by the log's own thread before each try.
    default Optional<Failure> objection(String logId) {
        return Optional.empty();
    }

    /// It is durable; whatever must see entries in their order is done here, without waiting.
    void durable(LogPosition at);

    /// It is not in the log and never will be.
    void refused(Failure failure);
}
