package io.storageengine.core.log;

/// The durable mark of a truncated log: nothing below it counts any more.
///
/// @param below the first position that counts
/// @param etag the entity tag of the object, empty when there is none yet
/// @param wallMillis when it was written, by the store's clock
record Boundary(long below, String etag, long wallMillis) {
    static final Boundary NONE = new Boundary(1, "", 0);

    boolean isAbsent() {
        return etag.isEmpty();
    }
}
