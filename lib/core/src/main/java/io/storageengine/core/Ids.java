package io.storageengine.core;

import java.util.UUID;
import java.util.random.RandomGenerator;

/// Makes identifiers from a given source of randomness; thread-safe when the source is.
public final class Ids {
    private final RandomGenerator random;

    public Ids(RandomGenerator random) {
        this.random = random;
    }

    /// A random UUID (RFC 9562, version 4).
    public UUID uuid() {
        long high = (random.nextLong() & 0xffff_ffff_ffff_0fffL) | 0x4000L;
        long low = (random.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    /// A positive 63-bit number, as Iceberg uses for snapshot ids.
    public long positiveLong() {
        return (random.nextLong() & Long.MAX_VALUE) | 1L;
    }
}
