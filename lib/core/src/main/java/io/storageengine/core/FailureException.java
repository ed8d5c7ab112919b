package io.storageengine.core;

/// A [Failure] on its way up a straight line of calls, within one room; it never crosses the event bus.
public final class FailureException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Failure failure;

    public FailureException(Failure failure) {
        super(failure.code() + ": " + failure.message());
        this.failure = failure;
    }

    public FailureException(Failure.Kind kind, String message) {
        this(new Failure(kind, message));
    }

    public Failure failure() {
        return failure;
    }
}
