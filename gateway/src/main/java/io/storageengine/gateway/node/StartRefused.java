package io.storageengine.gateway.node;

/// The node cannot start as it was asked to; the message says what to change.
final class StartRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StartRefused(String message) {
        super(message);
    }
}
