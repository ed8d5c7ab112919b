package io.storageengine.core.store;

/// What must hold of the present object for a write to happen; checked by the store, atomically with the write.
public sealed interface Precondition {
    /// Nothing: create or replace.
    Precondition NONE = new None();

    record None() implements Precondition {}

    /// There is no object (`If-None-Match: *`).
    record IfAbsent() implements Precondition {}

    /// The object has this entity tag (`If-Match`), without quotes.
    record IfMatch(String etag) implements Precondition {}
}
