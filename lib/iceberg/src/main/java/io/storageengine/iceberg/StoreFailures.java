package io.storageengine.iceberg;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import java.io.IOException;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NotFoundException;

/// Turns failures of the store into what Iceberg's code expects: its own exceptions where it tells them apart,
/// else a [FailureException] that keeps the kind.
final class StoreFailures {
    private StoreFailures() {}

    static <T> T orThrow(Outcome<T> outcome, String location) {
        return switch (outcome) {
            case Outcome.Ok<T>(T value) -> value;
            case Outcome.Failed<T>(Failure failure) -> throw exception(failure, location);
        };
    }

    /// For streams, whose callers catch `IOException`.
    static <T> T orThrowIo(Outcome<T> outcome, String location) throws IOException {
        return switch (outcome) {
            case Outcome.Ok<T>(T value) -> value;
            case Outcome.Failed<T>(Failure failure) ->
                throw new IOException(
                        location + ": " + failure.code() + ": " + failure.message(), exception(failure, location));
        };
    }

    private static RuntimeException exception(Failure failure, String location) {
        return switch (failure.kind()) {
            case NOT_FOUND -> new NotFoundException("Not found: %s", location);
            case EXISTS -> new AlreadyExistsException("Already exists: %s", location);
            case CONFLICT ->
                failure.code().equals("PreconditionFailed")
                        ? new AlreadyExistsException("Already exists: %s", location)
                        : new FailureException(failure);
            case INVALID, UNAUTHENTICATED, FORBIDDEN, THROTTLED, UNAVAILABLE, UNKNOWN, CORRUPT, BUG ->
                new FailureException(failure);
        };
    }
}
