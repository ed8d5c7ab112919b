package io.storageengine.ingest.wal;

import io.storageengine.core.Backoff;
import io.storageengine.core.log.LogOptions;

/// Settings of the write-ahead log.
///
/// @param lingerMillisMin how long an entry gathers when little is written
/// @param lingerMillisMax how long it gathers at most
/// @param entriesPerSecond entries a second that the log settles at under load, unless they are full
/// @param segmentBytes an entry of that many bytes waits for no more
/// @param backoff between tries to seal a log whose last entry is undecided
/// @param log the object log's own
public record WalOptions(
        long lingerMillisMin,
        long lingerMillisMax,
        double entriesPerSecond,
        long segmentBytes,
        Backoff backoff,
        LogOptions log) {
    public static final WalOptions DEFAULT =
            new WalOptions(5, 250, 25, 8 << 20, new Backoff(50, 5_000), LogOptions.WRITE_AHEAD);

    public WalOptions {
        if (lingerMillisMin < 0 || lingerMillisMax < lingerMillisMin)
            throw new IllegalArgumentException("a linger from its least to its most");
        if (entriesPerSecond <= 0 || segmentBytes < 1)
            throw new IllegalArgumentException("rates and sizes are positive");
    }
}
