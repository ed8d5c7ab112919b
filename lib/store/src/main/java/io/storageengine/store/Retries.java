package io.storageengine.store;

import io.storageengine.core.Backoff;
import java.util.Objects;

/// How often a call is made, and how long is waited in between.
///
/// @param attempts how often at most, the first time included
public record Retries(Backoff waits, int attempts) {
    /// Gives up after about 10 s.
    public static final Retries DEFAULT = new Retries(new Backoff(100, 5_000), 8);

    public Retries {
        Objects.requireNonNull(waits);
        if (attempts < 1) throw new IllegalArgumentException("a call is made once or more");
    }
}
