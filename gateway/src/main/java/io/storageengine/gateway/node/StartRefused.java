package io.storageengine.gateway.node;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;

/// The node cannot start as it was asked to; the message says what to change.
final class StartRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StartRefused(String message) {
        super(message);
    }

    /// What was to be had.
    ///
    /// @throws StartRefused with the failure's message
    static <T> T orRefuse(Outcome<T> outcome) {
        return switch (outcome) {
            case Outcome.Ok<T>(T value) -> value;
            case Outcome.Failed<T>(Failure failure) -> throw new StartRefused(failure.message());
        };
    }
}
