package io.storageengine.store.local;

import io.storageengine.store.Span;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;
import java.util.zip.CRC32C;

/// The bytes of an open object file. Whoever reads the whole body to its end learns by an exception when it is not
/// what was written.
final class BodyStream extends InputStream {
    private final FileChannel channel;
    private final ObjectFile file;
    private final boolean isWhole;
    private final CRC32C crc = new CRC32C();
    private long at;
    private long left;

    BodyStream(FileChannel channel, ObjectFile file, Span span) {
        this.channel = channel;
        this.file = file;
        this.isWhole = span.length() == file.info().sizeBytes();
        this.at = span.first();
        this.left = span.length();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, target.length);
        if (count == 0) return 0;
        if (left == 0) return -1;
        int got = channel.read(ByteBuffer.wrap(target, offset, (int) Math.min(count, left)), at);
        if (got < 0) throw new CorruptException("a file of the local store became shorter while it was read");
        at += got;
        left -= got;
        if (isWhole) check(target, offset, got);
        return got;
    }

    private void check(byte[] target, int offset, int got) throws IOException {
        crc.update(target, offset, got);
        if (left == 0 && (int) crc.getValue() != file.bodyCrc32c()) {
            throw new CorruptException("a body in the local store has another checksum than when it was written");
        }
    }

    @Override
    public int available() {
        return (int) Math.min(left, Integer.MAX_VALUE);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
