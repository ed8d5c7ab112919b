package io.storageengine.core.store;

import java.util.Map;

/// How to write an object.
///
/// @param precondition what must hold for the write to happen
/// @param contentType the media type
/// @param metadata user metadata, names in lower case
public record PutOptions(Precondition precondition, String contentType, Map<String, String> metadata) {
    /// Creates or replaces, without metadata.
    public static final PutOptions PLAIN = new PutOptions(Precondition.NONE, "application/octet-stream", Map.of());

    /// Creates, never replaces.
    public static final PutOptions IF_ABSENT = PLAIN.with(new Precondition.IfAbsent());

    public PutOptions {
        metadata = Map.copyOf(metadata);
    }

    public PutOptions with(Precondition other) {
        return new PutOptions(other, contentType, metadata);
    }
}
