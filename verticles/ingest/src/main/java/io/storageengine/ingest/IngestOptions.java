package io.storageengine.ingest;

import io.storageengine.core.Backoff;
import io.storageengine.ingest.session.SessionOptions;
import io.storageengine.ingest.wal.WalOptions;

/// Settings of the ingest room.
///
/// @param node this node's name, first part of its logs' ids: letters, digits and `-`
/// @param memoryBytesMax what all rows on their way may take
/// @param tableBytesMax what the waiting rows of one table may take
/// @param writersMax data files that are encoded and stored at the same time
/// @param askTimeoutMillis for questions to the catalog room
/// @param commitTimeoutMillis for questions to the commit room
/// @param backoff between tries of a commit, and of recovery's reads
/// @param sessions of requests
/// @param wal of the write-ahead log
public record IngestOptions(
        String node,
        long memoryBytesMax,
        long tableBytesMax,
        int writersMax,
        long askTimeoutMillis,
        long commitTimeoutMillis,
        Backoff backoff,
        SessionOptions sessions,
        WalOptions wal) {
    public IngestOptions {
        if (!node.matches("[A-Za-z0-9-]{1,100}"))
            throw new IllegalArgumentException("a node's name has letters, digits and `-`: " + node);
        if (memoryBytesMax < 16 << 20 || tableBytesMax < 1)
            throw new IllegalArgumentException("rows on their way need 16 MiB at least");
        if (writersMax < 1 || askTimeoutMillis < 1 || commitTimeoutMillis < 1)
            throw new IllegalArgumentException("counts and times are positive");
    }

    /// The usual settings for a node with that much memory for rows.
    public static IngestOptions of(String node, long memoryBytesMax, int cores) {
        return new IngestOptions(
                node,
                memoryBytesMax,
                memoryBytesMax / 2,
                cores * 2,
                30_000,
                90_000,
                new Backoff(100, 30_000),
                SessionOptions.DEFAULT,
                WalOptions.DEFAULT);
    }

    public IngestOptions with(SessionOptions other) {
        return new IngestOptions(
                node,
                memoryBytesMax,
                tableBytesMax,
                writersMax,
                askTimeoutMillis,
                commitTimeoutMillis,
                backoff,
                other,
                wal);
    }

    public IngestOptions with(WalOptions other) {
        return new IngestOptions(
                node,
                memoryBytesMax,
                tableBytesMax,
                writersMax,
                askTimeoutMillis,
                commitTimeoutMillis,
                backoff,
                sessions,
                other);
    }
}
