package io.storageengine.store.local;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.io.IOException;

/// Stored bytes are not what was written.
final class CorruptException extends IOException {
    private static final long serialVersionUID = 1L;

    CorruptException(String message) {
        super(message, new FailureException(Failure.Kind.CORRUPT, message));
    }
}
