package io.storageengine.core.store;

import java.time.Instant;

/// A part of a multipart upload.
///
/// @param number 1 to 10,000
/// @param etag without quotes
/// @param sizeBytes the part's length; not looked at when a part is named for completion
/// @param lastModified when it was stored; not looked at when a part is named for completion
public record UploadedPart(int number, String etag, long sizeBytes, Instant lastModified) {
    public UploadedPart {
        if (number < 1 || number > 10_000) throw new IllegalArgumentException("part numbers are 1 to 10,000");
    }
}
