package io.storageengine.catalog.iceberg;

import java.nio.ByteBuffer;
import org.apache.iceberg.view.ViewMetadata;

/// A view's metadata file that was read or written.
///
/// @param location where it lies
/// @param metadata what is in it; knows its location
/// @param json its bytes, uncompressed; read-only: read a [ByteBuffer#duplicate] of it
public record StoredView(String location, ViewMetadata metadata, ByteBuffer json) {
    public StoredView {
        json = json.asReadOnlyBuffer();
    }

    /// About what it takes in memory: the parsed form is a few times the text.
    int weightBytes() {
        return (int) Math.min(Integer.MAX_VALUE, 4_096L + 5L * json.remaining());
    }
}
