package io.storageengine.store;

import java.util.random.RandomGenerator;

/// How long to wait between attempts: at first about `firstMillis`, then twice as long each time, at most
/// `maxMillis`; of that a random half, so that many callers do not come back together.
///
/// @param attempts how often a call is made at most, the first time included
public record Backoff(long firstMillis, long maxMillis, int attempts) {
    /// Gives up after about 10 s.
    public static final Backoff DEFAULT = new Backoff(100, 5_000, 8);

    public Backoff {
        if (firstMillis < 1 || maxMillis < firstMillis || attempts < 1) {
            throw new IllegalArgumentException("a backoff waits 1 ms or more and tries once or more");
        }
    }

    /// The wait after a number of failed attempts, in milliseconds.
    public long delayMillis(int failed, RandomGenerator random) {
        long full = Math.min(maxMillis, firstMillis << Math.clamp(failed - 1L, 0, 20));
        return full - random.nextLong(full / 2 + 1);
    }
}
