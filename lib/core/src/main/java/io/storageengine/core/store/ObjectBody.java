package io.storageengine.core.store;

import java.io.IOException;
import java.io.InputStream;

/// An object opened for reading; the reader closes it.
///
/// @param info of the whole object
/// @param first offset of the stream's first byte in the object
/// @param length bytes that the stream gives
/// @param stream the bytes
public record ObjectBody(ObjectInfo info, long first, long length, InputStream stream) implements AutoCloseable {
    @Override
    public void close() throws IOException {
        stream.close();
    }
}
