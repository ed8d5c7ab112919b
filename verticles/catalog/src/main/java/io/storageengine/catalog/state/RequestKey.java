package io.storageengine.catalog.state;

/// What tells a request from others, so that a repeat of it is known as such (`Idempotency-Key` of the REST
/// specification).
///
/// @param key as the client chose it; empty for a request without one
/// @param requestHash of all that the client asked for: another request with the same key is refused
public record RequestKey(String key, String requestHash) {
    /// The request has no key.
    public static final RequestKey NONE = new RequestKey("", "");

    public boolean isNone() {
        return key.isEmpty();
    }
}
