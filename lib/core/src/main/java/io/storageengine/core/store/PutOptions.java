package io.storageengine.core.store;

import java.util.Map;
import java.util.function.Supplier;

/// How to write an object.
///
/// @param precondition what must hold for the write to happen
/// @param contentType the media type
/// @param metadata user metadata, names in lower case
/// @param etag which entity tag the object gets
/// @param lateMetadata user metadata that is known only when the content was read to its end (trailing
///     checksums): asked once, then, and added to `metadata`. A store that sends metadata before the body (S3)
///     does not ask
public record PutOptions(
        Precondition precondition,
        String contentType,
        Map<String, String> metadata,
        Etag etag,
        Supplier<Map<String, String>> lateMetadata) {
    /// What an entity tag is made of.
    public enum Etag {
        /// What costs the store least: unique per write on disk and in memory, MD5 on S3. Two writes of the
        /// same bytes may or may not have the same tag.
        ANY,
        /// The MD5 of the body in lower-case hex; of an upload the MD5 of its parts' MD5s, then `-` and their
        /// count: what clients of the S3 API expect.
        MD5
    }

    /// Creates or replaces, without metadata.
    public static final PutOptions PLAIN = new PutOptions(Precondition.NONE, "application/octet-stream", Map.of());

    /// Creates, never replaces.
    public static final PutOptions IF_ABSENT = PLAIN.with(new Precondition.IfAbsent());

    public PutOptions {
        metadata = Map.copyOf(metadata);
    }

    public PutOptions(Precondition precondition, String contentType, Map<String, String> metadata) {
        this(precondition, contentType, metadata, Etag.ANY, Map::of);
    }

    public PutOptions with(Precondition other) {
        return new PutOptions(other, contentType, metadata, etag, lateMetadata);
    }

    public PutOptions with(Etag other) {
        return new PutOptions(precondition, contentType, metadata, other, lateMetadata);
    }

    public PutOptions withLateMetadata(Supplier<Map<String, String>> later) {
        return new PutOptions(precondition, contentType, metadata, etag, later);
    }
}
