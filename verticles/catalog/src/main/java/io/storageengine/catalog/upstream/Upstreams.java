package io.storageengine.catalog.upstream;

import io.storageengine.catalog.rest.Replies;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;

/// What an upstream's failures mean for whoever asked.
final class Upstreams {
    private Upstreams() {}

    static Failure throttled() {
        return new Failure(Failure.Kind.THROTTLED, Replies.UPSTREAM_FAILED, "the upstream catalog is busy");
    }

    /// A 5xx: on a write nobody knows whether it was done.
    static Failure failed(boolean writes) {
        return new Failure(
                writes ? Failure.Kind.UNKNOWN : Failure.Kind.UNAVAILABLE,
                Replies.UPSTREAM_FAILED,
                "the upstream catalog failed");
    }

    static FailureException unavailable(String message) {
        return new FailureException(new Failure(Failure.Kind.UNAVAILABLE, Replies.UPSTREAM_FAILED, message));
    }

    static Failure loop() {
        return new Failure(
                Failure.Kind.UNAVAILABLE,
                Replies.UPSTREAM_LOOP,
                "The upstream of this catalog leads back to this server: register the catalog with the address of"
                        + " the catalog that holds the tables");
    }
}
