package io.storageengine.store;

import io.storageengine.core.Failure.Kind;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.ByteRange;

/// The bytes that a range means in an object of known size.
///
/// @param first offset of the first byte
/// @param length how many bytes; 0 only for the whole of an empty object
public record Span(long first, long length) {
    /// `INVALID` (`InvalidRange`) when the range has no byte of the object.
    public static Outcome<Span> of(ByteRange range, long sizeBytes) {
        Span span = switch (range) {
            case ByteRange.From(long first) -> new Span(first, sizeBytes - first);
            case ByteRange.Between(long first, long last) -> new Span(first, Math.min(last, sizeBytes - 1) - first + 1);
            case ByteRange.Suffix(long length) ->
                new Span(Math.max(0, sizeBytes - length), Math.min(length, sizeBytes));
        };
        if (span.length > 0 || (sizeBytes == 0 && range.equals(ByteRange.ALL))) return Outcome.ok(span);
        return Outcome.failed(
                Kind.INVALID, "InvalidRange", "the range has no byte of the object of " + sizeBytes + " bytes");
    }
}
