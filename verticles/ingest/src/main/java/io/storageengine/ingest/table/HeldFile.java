package io.storageengine.ingest.table;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;

/// A file that is encoded into memory first and stored afterwards, so that no encoding thread waits for the
/// store.
final class HeldFile implements OutputFile {
    private static final int CHUNK_BYTES_MIN = 64 * 1024;
    private static final int CHUNK_BYTES_MAX = 4 * 1024 * 1024;
    private final OutputFile place;
    private final List<ByteBuffer> chunks = new ArrayList<>();

    HeldFile(OutputFile place) {
        this.place = place;
    }

    /// Writes what was encoded to its place; may be repeated.
    void store() throws IOException {
        try (PositionOutputStream out = place.createOrOverwrite()) {
            for (ByteBuffer chunk : chunks) out.write(chunk.array(), chunk.arrayOffset(), chunk.position());
        }
    }

    @Override
    public PositionOutputStream create() {
        return createOrOverwrite();
    }

    @Override
    public PositionOutputStream createOrOverwrite() {
        chunks.clear();
        return new Chunks();
    }

    @Override
    public String location() {
        return place.location();
    }

    @Override
    public InputFile toInputFile() {
        return place.toInputFile();
    }

    private final class Chunks extends PositionOutputStream {
        private ByteBuffer chunk = next(CHUNK_BYTES_MIN);
        private long position;

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public void write(int value) {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int count) {
            for (int done = 0; done < count; ) {
                if (!chunk.hasRemaining()) chunk = next(Math.min(chunk.capacity() * 2, CHUNK_BYTES_MAX));
                int step = Math.min(count - done, chunk.remaining());
                chunk.put(source, offset + done, step);
                done += step;
            }
            position += count;
        }

        private ByteBuffer next(int bytes) {
            ByteBuffer fresh = ByteBuffer.allocate(bytes);
            chunks.add(fresh);
            return fresh;
        }
    }
}
