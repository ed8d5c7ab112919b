package io.storageengine.core;

import java.util.Objects;

/// Why something did not happen, told by what the caller should do next.
///
/// @param kind what the caller should do
/// @param code a stable word for machines, in the words of the protocol it comes from (`NoSuchKey`,
///     `InvalidRange`); the kind's name where there is none
/// @param message a sentence for people: what is wrong and what to do; never a secret
public record Failure(Kind kind, String code, String message) {
    public Failure {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(code);
        Objects.requireNonNull(message);
    }

    public Failure(Kind kind, String message) {
        this(kind, kind.name(), message);
    }

    /// The closed list of failures; `docs/errors.md` has the status of each in every protocol.
    public enum Kind {
        /// The request is wrong; nothing was written; repeat it only when changed.
        INVALID,
        /// Nobody known is asking.
        UNAUTHENTICATED,
        /// The caller may not.
        FORBIDDEN,
        /// The thing asked for is not there.
        NOT_FOUND,
        /// The thing to be created is there already.
        EXISTS,
        /// A race was lost; nothing was written; look again and re-decide.
        CONFLICT,
        /// Too much at once; nothing was written; repeat later.
        THROTTLED,
        /// Not reachable now; nothing was written; repeat later.
        UNAVAILABLE,
        /// It may or may not have been written: find out before repeating.
        UNKNOWN,
        /// Stored bytes are not what was written.
        CORRUPT,
        /// A fault of this program.
        BUG
    }
}
