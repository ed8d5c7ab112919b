package io.storageengine.catalog.upstream;

import io.storageengine.core.Failure;

/// What an upstream's failures mean for whoever asked.
final class Upstreams {
    private Upstreams() {}

    static Failure throttled() {
        return new Failure(Failure.Kind.THROTTLED, "the upstream catalog is busy");
    }

    /// A 5xx: on a write nobody knows whether it was done.
    static Failure failed(boolean writes) {
        return new Failure(writes ? Failure.Kind.UNKNOWN : Failure.Kind.UNAVAILABLE, "the upstream catalog failed");
    }
}
