package io.storageengine.core.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;

/// The bytes of an object to write. The store reads them; the caller keeps them unchanged until the call has
/// answered.
public sealed interface Content {
    /// Length in bytes, known beforehand.
    long length();

    /// Bytes in memory: may be read any number of times, so a store can repeat the request.
    ///
    /// @param parts read from their position to their limit without moving either
    record Memory(List<ByteBuffer> parts) implements Content {
        public Memory {
            parts = List.copyOf(parts);
        }

        @Override
        public long length() {
            return parts.stream().mapToLong(ByteBuffer::remaining).sum();
        }
    }

    /// Bytes that come once: a store cannot repeat the request. The stream throws `IOException` when they do
    /// not come whole; when its cause is a `FailureException`, that failure is what the store answers
    /// (`BadDigest`). Before anything becomes visible the store reads to the end of the stream (-1), so that a
    /// check of the whole can still refuse; more than `length` bytes are refused (`IncompleteBody`).
    record Stream(long length, InputStream stream) implements Content {}

    static Content of(byte[] bytes) {
        return new Memory(List.of(ByteBuffer.wrap(bytes)));
    }

    static Content of(ByteBuffer bytes) {
        return new Memory(List.of(bytes));
    }

    /// A stream over the bytes.
    default InputStream open() throws IOException {
        return switch (this) {
            case Memory(List<ByteBuffer> parts) -> new ByteBufferStream(parts);
            case Stream(long length, InputStream stream) -> stream;
        };
    }
}
