package io.storageengine.ingest.wal;

/// How long an entry gathers what comes: briefly as long as few entries are written, longer when their rate
/// passes what it may cost. Not thread-safe.
final class Linger {
    private final long leastMillis;
    private final long mostMillis;
    private final double entriesPerMilli;
    private final double burst;
    private double saved;
    private long seenMillis;

    /// @param entriesPerSecond entries that may be written in the long run without waiting for more
    /// @param burst entries that may be written at once after a rest
    Linger(long leastMillis, long mostMillis, double entriesPerSecond, double burst, long nowMillis) {
        this.leastMillis = leastMillis;
        this.mostMillis = mostMillis;
        this.entriesPerMilli = entriesPerSecond / 1000;
        this.burst = burst;
        this.saved = burst;
        this.seenMillis = nowMillis;
    }

    /// How long the next entry gathers; counts it as written.
    ///
    /// @param nowMillis monotonic
    long nextMillis(long nowMillis) {
        saved = Math.min(burst, saved + (nowMillis - seenMillis) * entriesPerMilli);
        seenMillis = nowMillis;
        saved -= 1;
        if (saved >= 0) return leastMillis;
        saved = Math.max(saved, -burst);
        return Math.clamp((long) (-saved / entriesPerMilli), leastMillis, mostMillis);
    }
}
