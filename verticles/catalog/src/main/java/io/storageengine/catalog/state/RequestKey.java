package io.storageengine.catalog.state;

/// What tells a request from others, so that a repeat of it is known as such (`Idempotency-Key` of the REST
/// specification).
///
/// @param key as the client chose it; empty for a request without one
/// @param requestHash of all that the client asked for: another request with the same key is refused
/// @param principal who asked; empty when nobody was asked for a token
public record RequestKey(String key, String requestHash, String principal) {
    /// The request has no key, and nobody knows whose it is.
    public static final RequestKey NONE = new RequestKey("", "", "");

    public boolean isNone() {
        return key.isEmpty();
    }
}
