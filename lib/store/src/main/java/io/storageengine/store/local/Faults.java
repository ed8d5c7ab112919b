package io.storageengine.store.local;

import io.storageengine.core.Failure;
import io.storageengine.core.Failure.Kind;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.store.ContentException;
import java.io.IOException;
import java.nio.file.FileSystemException;

/// What a disk's exceptions mean.
final class Faults {
    private Faults() {}

    /// A failure before anything could be seen.
    static <T> Outcome<T> nothingWritten(IOException fault) {
        return Outcome.failed(of(fault, Kind.UNAVAILABLE));
    }

    /// A failure while a name was changed or made durable.
    static <T> Outcome<T> unknown(IOException fault) {
        return Outcome.failed(of(fault, Kind.UNKNOWN));
    }

    static Failure of(IOException fault, Kind otherwise) {
        if (fault instanceof ContentException content) return content.failure();
        if (fault.getCause() instanceof FailureException told) return told.failure();
        return new Failure(otherwise, "the local disk refused: " + reason(fault));
    }

    private static String reason(IOException fault) {
        if (fault instanceof FileSystemException named && named.getReason() != null) return named.getReason();
        return fault.getClass().getSimpleName();
    }
}
