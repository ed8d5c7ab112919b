package io.storageengine.store;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.io.IOException;

/// The content to be written did not come whole: the caller's fault, not the store's.
public final class ContentException extends IOException {
    private static final long serialVersionUID = 1L;
    private final transient Failure failure;

    ContentException(Failure failure) {
        super(failure.message());
        this.failure = failure;
    }

    static ContentException incomplete(String message) {
        return new ContentException(new Failure(Failure.Kind.INVALID, "IncompleteBody", message));
    }

    public static ContentException metadataTooLarge() {
        return new ContentException(
                new Failure(Failure.Kind.INVALID, "MetadataTooLarge", "user metadata has more than 64 KiB"));
    }

    static ContentException of(IOException fault) {
        if (fault instanceof ContentException known) return known;
        if (fault.getCause() instanceof FailureException told) return new ContentException(told.failure());
        return incomplete("the body ended early: " + fault.getMessage());
    }

    public Failure failure() {
        return failure;
    }
}
