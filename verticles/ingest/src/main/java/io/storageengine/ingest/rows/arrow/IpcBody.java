package io.storageengine.ingest.rows.arrow;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/// The body of one batch, and its buffers. Closed, it gives its memory back.
final class IpcBody implements AutoCloseable {
    /// A compressed buffer whose length is this is not compressed.
    private static final long RAW = -1;

    private final ArrowBuf body;
    private final long length;
    private final BufferAllocator allocator;
    private final List<ArrowBuf> unpacked = new ArrayList<>();
    private final boolean isCompressed;
    private final long bytesMax;
    private long used;
    private long unpackedBytes;

    /// @param body which it takes over
    /// @param bytesMax that its buffers may unpack to
    IpcBody(ArrowBuf body, long length, boolean isCompressed, long bytesMax, BufferAllocator allocator) {
        this.bytesMax = bytesMax;
        this.body = body;
        this.length = length;
        this.allocator = allocator;
        this.isCompressed = isCompressed;
    }

    /// Whether a batch's buffers are compressed.
    static boolean isCompressed(RecordBatch batch) {
        BodyCompression compression = batch.compression();
        boolean readable = compression == null
                || (compression.codec() == CompressionType.ZSTD
                        && compression.method() == BodyCompressionMethod.BUFFER);
        Invalid.unless(
                readable,
                "its buffers are compressed, and not with zstd; send them so or uncompressed, or compress the whole"
                        + " with Content-Encoding");
        return compression != null;
    }

    /// Bytes of all buffers, unpacked.
    long bytes() {
        return length + unpackedBytes;
    }

    /// A buffer. No byte of the body is in two, so that reading all of them is bounded.
    ArrowBuf slice(Buffer buffer) {
        long at = buffer.offset();
        long size = buffer.length();
        Invalid.unless(
                at >= 0 && size >= 0 && at <= length && size <= length - at && size <= length - used,
                "a buffer lies outside of its batch");
        used += size;
        ArrowBuf slice = body.slice(at, size);
        return isCompressed && size > 0 ? unpack(slice, size) : slice;
    }

    private ArrowBuf unpack(ArrowBuf packed, long size) {
        Invalid.unless(size >= Long.BYTES, "a compressed buffer has no length");
        long wanted = packed.getLong(0);
        if (wanted == RAW) {
            return packed.slice(Long.BYTES, size - Long.BYTES);
        }
        Invalid.unless(
                wanted >= 0 && wanted <= bytesMax - unpackedBytes,
                "a batch unpacks to more than " + bytesMax + " bytes; send smaller batches");
        unpackedBytes += wanted;
        ArrowBuf target = allocator.buffer(wanted);
        unpacked.add(target);
        if (wanted > 0) {
            ByteBuffer source = packed.nioBuffer(Long.BYTES, (int) size - Long.BYTES);
            unpack(source, target.nioBuffer(0, (int) wanted));
        }
        return target.slice(0, wanted);
    }

    private static void unpack(ByteBuffer source, ByteBuffer target) {
        try (ZstdDecompressCtx zstd = new ZstdDecompressCtx()) {
            int got = zstd.decompressDirectByteBuffer(target, 0, target.remaining(), source, 0, source.remaining());
            Invalid.unless(got == target.remaining(), "a compressed buffer has another length than it says");
        } catch (ZstdException broken) {
            throw Invalid.because("a compressed buffer is broken");
        }
    }

    @Override
    public void close() {
        unpacked.forEach(ArrowBuf::close);
        unpacked.clear();
        body.close();
    }
}
