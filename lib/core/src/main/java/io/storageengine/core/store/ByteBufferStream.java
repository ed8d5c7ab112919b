package io.storageengine.core.store;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Reads buffers one after the other without moving their positions.
final class ByteBufferStream extends InputStream {
    private final Queue<ByteBuffer> rest = new ArrayDeque<>();

    ByteBufferStream(Collection<ByteBuffer> parts) {
        parts.forEach(part -> rest.add(part.duplicate()));
    }

    @Override
    public int read() {
        ByteBuffer head = head();
        return head == null ? -1 : head.get() & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, target.length);
        ByteBuffer head = head();
        if (head == null) return length == 0 ? 0 : -1;
        int count = Math.min(length, head.remaining());
        head.get(target, offset, count);
        return count;
    }

    private @Nullable ByteBuffer head() {
        while (!rest.isEmpty() && !rest.element().hasRemaining()) rest.remove();
        return rest.peek();
    }
}
