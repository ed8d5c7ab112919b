package io.storageengine.catalog.state;

import io.storageengine.core.Failure;
import java.util.Optional;

/// What a request with a key was answered: not the body, but what is needed to give an equal answer again.
///
/// @param key of the request
/// @param requestHash of the request
/// @param kind empty when it was done; else the [Failure.Kind] of the refusal
/// @param code of the refusal; empty when it was done
/// @param text of the refusal its message; else what the operation needs to answer again, such as where the
///     metadata file lies
public record KeptReply(String key, String requestHash, String kind, String code, String text) {
    private static final int MESSAGE_CHARS_MAX = 2_000;

    static KeptReply done(RequestKey key, String text) {
        return new KeptReply(key.key(), key.requestHash(), "", "", text);
    }

    static KeptReply refused(RequestKey key, Failure failure) {
        String message = failure.message();
        String cut = message.length() > MESSAGE_CHARS_MAX ? message.substring(0, MESSAGE_CHARS_MAX) : message;
        return new KeptReply(key.key(), key.requestHash(), failure.kind().name(), failure.code(), cut);
    }

    /// Why the request was refused; empty when it was done.
    public Optional<Failure> failure() {
        return kind.isEmpty() ? Optional.empty() : Optional.of(new Failure(Failure.Kind.valueOf(kind), code, text));
    }

    /// Whether this is the answer to that request, and not to another one with the same key.
    public boolean answers(RequestKey request) {
        return requestHash.equals(request.requestHash());
    }

    /// About what it takes in memory, in characters.
    long size() {
        return 96L + key.length() + requestHash.length() + code.length() + text.length();
    }
}
