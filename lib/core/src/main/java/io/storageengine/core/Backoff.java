package io.storageengine.core;

import java.util.random.RandomGenerator;

/// How long to wait before the next try: doubling from `firstMillis` to `mostMillis`, each wait drawn between
/// half and all of it so that many who failed together do not come back together.
public record Backoff(long firstMillis, long mostMillis) {
    public Backoff {
        if (firstMillis < 1 || mostMillis < firstMillis) throw new IllegalArgumentException("waits grow");
    }

    /// The wait in milliseconds after that many failures, at least 1.
    public long millis(int failures, RandomGenerator random) {
        long whole = firstMillis;
        for (int i = 1; i < failures && whole < mostMillis; i++) whole *= 2;
        whole = Math.min(whole, mostMillis);
        return whole - random.nextLong(whole / 2 + 1);
    }
}
