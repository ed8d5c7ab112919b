package io.storageengine.core.message;

/// A one-off request's `Idempotency-Key` with what became of it; unique per table uuid and key.
///
/// @param key the key as the client sent it
/// @param requestHash hash of the request's body and options, hexadecimal
/// @param log id of the write-ahead log that holds the request
/// @param position the request's entry in that log
/// @param answer the answer's JSON, to be repeated
/// @param wallMillis when the request was accepted, for expiry
/// @param snapshotId the snapshot that the commit made of the request's rows; -1 as long as it is not decided
public record Claim(
        String key, String requestHash, String log, long position, String answer, long wallMillis, long snapshotId) {
    /// A claim whose commit is still to come.
    public Claim(String key, String requestHash, String log, long position, String answer, long wallMillis) {
        this(key, requestHash, log, position, answer, wallMillis, -1);
    }

    /// This claim as the commit that makes that snapshot records it.
    public Claim in(long snapshot) {
        return new Claim(key, requestHash, log, position, answer, wallMillis, snapshot);
    }
}
