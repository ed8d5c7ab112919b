package io.storageengine.ingest.rows.arrow;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;

/// What is wrong with a stream as a whole.
final class Invalid {
    private Invalid() {}

    static FailureException because(String why) {
        return new FailureException(
                new Failure(Failure.Kind.INVALID, "InvalidArrow", "The Arrow IPC stream cannot be read: " + why));
    }

    static void unless(boolean good, String why) {
        if (!good) {
            throw because(why);
        }
    }
}
