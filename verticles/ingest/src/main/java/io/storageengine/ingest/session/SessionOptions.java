package io.storageengine.ingest.session;

import io.storageengine.ingest.rows.RowLimits;
import io.storageengine.ingest.table.Pace;

/// Settings of requests.
///
/// @param atomicBytesMax longest decoded body that is taken whole or not at all
/// @param inlineBytesMax rows up to that many bytes of columns go into the log themselves
/// @param bufferBytesMax bytes of columns that one request gathers before it writes a data file
/// @param sessionsMax requests at the same time
/// @param idleMillis how long a request waits for the next piece of its body
/// @param roomMillis how long a piece waits for room, and a request for memory
/// @param logMillis how long a request waits to be durable
/// @param commitMillis how long a request waits to be committed, when it asks for that
/// @param pace how soon rows are committed, where the table does not say
/// @param limits of one row
public record SessionOptions(
        long atomicBytesMax,
        long inlineBytesMax,
        long bufferBytesMax,
        int sessionsMax,
        long idleMillis,
        long roomMillis,
        long logMillis,
        long commitMillis,
        Pace pace,
        RowLimits limits) {
    public static final SessionOptions DEFAULT = new SessionOptions(
            1L << 30,
            16 << 20,
            128 << 20,
            1_000,
            60_000,
            15_000,
            60_000,
            60_000,
            new Pace(10_000, 128 << 20),
            RowLimits.DEFAULT);

    public SessionOptions {
        if (atomicBytesMax < 1 || inlineBytesMax < 1 || bufferBytesMax < inlineBytesMax || sessionsMax < 1)
            throw new IllegalArgumentException("sizes are positive, and a buffer is no smaller than what goes inline");
        if (idleMillis < 1 || roomMillis < 1 || logMillis < 1 || commitMillis < 1)
            throw new IllegalArgumentException("times are positive");
    }
}
