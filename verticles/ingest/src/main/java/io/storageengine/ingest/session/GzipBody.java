package io.storageengine.ingest.session;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// A body of one or more gzip members (RFC 1952), one after the other, and nothing else: unlike the JDK's
/// decoder it takes nothing behind a member for its end that is no member. Reads no byte before it is asked for
/// one. Not thread-safe.
final class GzipBody extends InputStream {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int HEADER_CRC = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int RESERVED = 0xE0;

    private final InputStream sent;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 headerCrc = new CRC32();
    private final CRC32 crc = new CRC32();
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int at;
    private int end;
    private long members;
    private boolean isInside;

    GzipBody(InputStream sent) {
        this.sent = sent;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
        if (count == 0) return 0;
        while (isInside || begin()) {
            int got = inflate(target, offset, count);
            if (got > 0) {
                crc.update(target, offset, got);
                return got;
            }
            if (inflater.finished()) finish();
            else if (inflater.needsInput()) feed();
            else throw new IOException("the gzip data needs a dictionary");
        }
        return -1;
    }

    private int inflate(byte[] target, int offset, int count) throws IOException {
        try {
            return inflater.inflate(target, offset, count);
        } catch (DataFormatException broken) {
            throw new IOException("the gzip data is broken: " + broken.getMessage(), broken);
        }
    }

    private void feed() throws IOException {
        if (!fill()) throw early();
        inflater.setInput(buffer, at, end - at);
        at = end;
    }

    private boolean fill() throws IOException {
        at = 0;
        end = Math.max(0, sent.read(buffer, 0, buffer.length));
        return end > 0;
    }

    private static EOFException early() {
        return new EOFException("the gzip data ends early");
    }

    /// Reads a member's header; false at the end of the body.
    private boolean begin() throws IOException {
        if (at == end && !fill()) {
            if (members > 0) return false;
            throw new EOFException("it is empty, and not even an empty gzip file");
        }
        headerCrc.reset();
        if (next() != 0x1f || next() != 0x8b || next() != 8)
            throw new IOException(members == 0 ? "it is not gzip" : "something that is not gzip stands behind its end");
        int flags = next();
        if ((flags & RESERVED) != 0) throw new IOException("the gzip header is broken");
        for (int i = 0; i < 6; i++) next();
        if ((flags & EXTRA) != 0) skip(next() | next() << 8);
        if ((flags & NAME) != 0) skipText();
        if ((flags & COMMENT) != 0) skipText();
        int wanted = (int) headerCrc.getValue() & 0xffff;
        if ((flags & HEADER_CRC) != 0 && (next() | next() << 8) != wanted)
            throw new IOException("the gzip header is broken");
        inflater.reset();
        inflater.setInput(buffer, at, end - at);
        at = end;
        crc.reset();
        members++;
        isInside = true;
        return true;
    }

    private int next() throws IOException {
        if (at == end && !fill()) throw early();
        int b = buffer[at++] & 0xff;
        headerCrc.update(b);
        return b;
    }

    private void skip(int count) throws IOException {
        for (int i = 0; i < count; i++) next();
    }

    private void skipText() throws IOException {
        while (next() != 0) {
            // A name or a comment, of no use here.
        }
    }

    /// Checks what stands behind a member's data: its checksum and its length.
    private void finish() throws IOException {
        at = end - inflater.getRemaining();
        long bytes = inflater.getBytesWritten();
        if (word() != crc.getValue() || word() != (bytes & 0xffff_ffffL))
            throw new IOException("the gzip data is not what its checksum says");
        isInside = false;
    }

    private long word() throws IOException {
        long low = next() | next() << 8;
        return low | (long) (next() | next() << 8) << 16;
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        sent.close();
    }
}
