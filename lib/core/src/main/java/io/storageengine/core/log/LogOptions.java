package io.storageengine.core.log;

/// How an object log behaves; the same for everyone who opens the log.
///
/// @param sealIsTerminal true for write-ahead logs: the first seal ends the log and entries that land above
///     it are void; one process alone writes data, any may seal; several appends may be in flight;
///     [ObjectLog#truncate] needs no checkpoint. False for logs that go on under a new epoch
/// @param appendDeadlineMillis how long an append looks for its outcome before it answers `UNKNOWN`
/// @param retentionMillis how long the boundary stands before what is below it is deleted; far above the
///     longest time that a delayed request can still land (15 minutes on S3) and the clocks' skew
public record LogOptions(boolean sealIsTerminal, long appendDeadlineMillis, long retentionMillis) {
    /// A log that goes on after a seal: catalogs, claims.
    public static final LogOptions DEFAULT = new LogOptions(false, 30_000, 2 * 3_600_000);

    /// A log that the first seal ends.
    public static final LogOptions WRITE_AHEAD = new LogOptions(true, 30_000, 2 * 3_600_000);

    public LogOptions {
        if (appendDeadlineMillis < 1) throw new IllegalArgumentException("the append deadline must be positive");
        if (retentionMillis < 2) throw new IllegalArgumentException("the retention must be positive");
    }
}
