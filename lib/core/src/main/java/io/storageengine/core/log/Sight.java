package io.storageengine.core.log;

import io.storageengine.core.Clock;

/// A moment at which this process saw that no boundary lay above `floor` + 1.
///
/// A boundary stands for the retention before anything below it is deleted. So for that long after the moment
/// no position above `floor` can have been deleted, and what is read or created there is no ghost. Half of
/// the retention is kept as a margin for clocks. This holds of: a verified end of the log, a listing of the
/// checkpoints (no boundary passes the newest), a look at the boundary itself.
///
/// @param floor positions above it are covered
/// @param wallMillis wall clock before the request that saw it was sent
/// @param nanos monotonic clock at the same time: a wall clock can be set back, a monotonic one stands still
///     while a machine sleeps
record Sight(long floor, long wallMillis, long nanos) {
    static final Sight NONE = new Sight(Long.MAX_VALUE, 0, 0);
    private static final long NANOS_PER_MILLI = 1_000_000;

    static Sight now(long floor, Clock clock) {
        return new Sight(floor, clock.wallMillis(), clock.nanos());
    }

    Sight from(long newFloor) {
        return new Sight(newFloor, wallMillis, nanos);
    }

    boolean covers(long position, Sight now, long retentionMillis) {
        return floor < position && ageMillis(now) < retentionMillis / 2;
    }

    /// The older of two sights covers more positions: it is kept until it nears its end.
    Sight orNewer(Sight other, long retentionMillis) {
        boolean keep = floor <= other.floor && ageMillis(other) < retentionMillis / 4;
        return keep ? this : other;
    }

    private long ageMillis(Sight now) {
        return Math.max(now.wallMillis - wallMillis, (now.nanos - nanos) / NANOS_PER_MILLI);
    }
}
