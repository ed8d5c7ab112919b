package io.storageengine.ingest.rows.arrow;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/// Tells the messages of an IPC stream apart. Memory for what a message announces is taken as its bytes arrive.
final class IpcMessages {
    /// Of a schema, or of what describes a batch.
    static final int METADATA_BYTES_MAX = 16 << 20;

    private static final int CONTINUATION = -1;
    private static final int STEP = 64 << 10;
    private static final int BODY_AT_FIRST = 1 << 20;

    private final InputStream in;
    private final LongConsumer memory;
    private final byte[] step = new byte[STEP];
    private int metadataBytes;
    private long bytes;

    /// @param memory is told of the bytes outside of Arrow's memory
    IpcMessages(InputStream in, LongConsumer memory) {
        this.in = in;
        this.memory = memory;
    }

    /// Bytes read so far.
    long bytes() {
        return bytes;
    }

    /// The next message, good until the one after it; null at the stream's end.
    @Nullable
    Message next() throws IOException {
        int length = word();
        if (length == CONTINUATION) {
            length = word();
        }
        if (length == 0) {
            Invalid.unless(in.read() < 0, "something stands behind its end mark; send one stream a request");
            return null;
        }
        Invalid.unless(
                length > 0 && length <= METADATA_BYTES_MAX,
                "a message's metadata has " + Integer.toUnsignedString(length) + " bytes, the most is "
                        + METADATA_BYTES_MAX + "; is this the stream format, not the file format?");
        memory.accept(length - metadataBytes);
        metadataBytes = length;
        ByteBuffer metadata = ByteBuffer.wrap(read(length)).order(ByteOrder.LITTLE_ENDIAN);
        return decoded(metadata, Message::getRootAsMessage);
    }

    /// Reads what a sender's offsets lead to: some lead out of the bytes.
    static <T, R> R decoded(T source, Function<T, R> how) {
        try {
            return how.apply(source);
        } catch (IndexOutOfBoundsException
                | IllegalArgumentException
                | UnsupportedOperationException
                | NullPointerException
                | ClassCastException broken) {
            throw Invalid.because("a message's metadata is broken");
        }
    }

    static void check(Message message) {
        short version = message.version();
        Invalid.unless(
                version == MetadataVersion.V4 || version == MetadataVersion.V5, "its metadata version is not 4 or 5");
    }

    /// How long a message's body is.
    static long bodyLength(Message message, long bytesMax) {
        long length = message.bodyLength();
        Invalid.unless(
                length >= 0 && length <= bytesMax,
                "a batch has " + Long.toUnsignedString(length) + " bytes, the most is " + bytesMax
                        + "; send smaller batches (pyarrow: `max_chunksize`)");
        return length;
    }

    private int word() throws IOException {
        return ByteBuffer.wrap(read(Integer.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt();
    }

    private byte[] read(int length) throws IOException {
        byte[] read = in.readNBytes(length);
        bytes += read.length;
        if (read.length < length) {
            throw cutShort();
        }
        return read;
    }

    private static RuntimeException cutShort() {
        return Invalid.because("it ends before its end mark; close the writer before sending");
    }

    /// Reads a message's body, owned by the caller.
    ///
    /// @throws org.apache.arrow.memory.OutOfMemoryException when the allocator has no room for it
    ArrowBuf body(long length, BufferAllocator allocator) throws IOException {
        ArrowBuf body = allocator.buffer(Math.min(length, BODY_AT_FIRST));
        boolean complete = false;
        try {
            long filled = 0;
            while (filled < length) {
                int got = in.read(step, 0, (int) Math.min(STEP, length - filled));
                if (got < 0) {
                    throw cutShort();
                }
                bytes += got;
                if (filled + got > body.capacity()) {
                    body = grown(body, filled, Math.min(length, 2 * body.capacity()), allocator);
                }
                body.setBytes(filled, step, 0, got);
                filled += got;
            }
            complete = true;
            return body;
        } finally {
            if (!complete) {
                body.close();
            }
        }
    }

    private static ArrowBuf grown(ArrowBuf body, long filled, long capacity, BufferAllocator allocator) {
        ArrowBuf larger = allocator.buffer(capacity);
        larger.setBytes(0, body, 0, filled);
        body.close();
        return larger;
    }

    /// Gives back what it holds.
    void close() {
        memory.accept(-metadataBytes);
        metadataBytes = 0;
    }
}
