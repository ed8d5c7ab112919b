package io.storageengine.ingest.session;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.ingest.table.Memory;
import java.util.function.LongConsumer;

/// The bytes outside of columns that one request holds: the beginning of its body, and rows that are longer than
/// most. Not thread-safe; closed, it has given everything back.
final class Hold implements LongConsumer, AutoCloseable {
    private final Memory memory;
    private long bytes;

    Hold(Memory memory) {
        this.memory = memory;
    }

    /// @param more negative to give back
    /// @throws FailureException `THROTTLED` when there is no room for them
    @Override
    public void accept(long more) {
        if (more > memory.freeBytes())
            throw new FailureException(
                    Failure.Kind.THROTTLED,
                    "No memory for more of a long row or a new table's first rows: try again later");
        memory.count(more);
        bytes += more;
    }

    @Override
    public void close() {
        memory.count(-bytes);
        bytes = 0;
    }
}
