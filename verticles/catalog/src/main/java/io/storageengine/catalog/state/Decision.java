package io.storageengine.catalog.state;

import io.storageengine.core.Failure;
import java.util.List;

/// What becomes of a command.
public sealed interface Decision {
    /// It is done by these changes; by none when there is nothing to do.
    record Accepted(List<Change> changes) implements Decision {
        public Accepted {
            changes = List.copyOf(changes);
        }
    }

    /// It is not done.
    record Refused(Failure failure) implements Decision {}

    /// The request had a key, and this is its answer: that of its first time when it came before, else a
    /// refusal that is kept by these changes.
    record Replayed(KeptReply reply, List<Change> changes) implements Decision {
        public Replayed {
            changes = List.copyOf(changes);
        }
    }

    static Decision accepted(Change... changes) {
        return new Accepted(List.of(changes));
    }

    static Decision refused(Failure.Kind kind, String code, String message) {
        return new Refused(new Failure(kind, code, message));
    }
}
