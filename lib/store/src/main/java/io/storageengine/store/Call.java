package io.storageengine.store;

/// One call of a store, as a decorator sees it.
///
/// @param operation what is asked
/// @param key the key, or the prefix of a listing; the first key where there are several, empty where none
/// @param requests how many requests S3 needs for it
/// @param isRepeatable whether the call can be made again: false once its content has been read
public record Call(Operation operation, String key, int requests, boolean isRepeatable) {
    Call(Operation operation, String key) {
        this(operation, key, 1, true);
    }
}
