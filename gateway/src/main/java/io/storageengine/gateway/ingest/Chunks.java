package io.storageengine.gateway.ingest;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Gathers the small pieces of a body into chunks worth a message. Not thread-safe.
final class Chunks {
    static final int CHUNK_BYTES = 512 << 10;
    private static final int FIRST_BYTES = 16 << 10;

    private final Queue<ByteBuffer> full = new ArrayDeque<>();
    private byte[] filling = new byte[0];
    private int filled;

    void add(Buffer piece) {
        int from = 0;
        while (from < piece.length()) {
            if (filled == filling.length) grow(piece.length() - from);
            int count = Math.min(piece.length() - from, filling.length - filled);
            piece.getBytes(from, from + count, filling, filled);
            filled += count;
            from += count;
            if (filled == CHUNK_BYTES) cut();
        }
    }

    private void grow(int more) {
        int wanted = Math.max(Math.max(FIRST_BYTES, filled * 2), filled + more);
        filling = Arrays.copyOf(filling, Math.min(CHUNK_BYTES, wanted));
    }

    private void cut() {
        full.add(ByteBuffer.wrap(filling, 0, filled).slice());
        filling = new byte[0];
        filled = 0;
    }

    /// No more pieces come: what was gathered is the last chunk.
    void end() {
        if (filled > 0) cut();
    }

    /// Chunks that wait.
    int waiting() {
        return full.size();
    }

    @Nullable
    ByteBuffer poll() {
        return full.poll();
    }
}
