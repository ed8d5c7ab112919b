package io.storageengine.ingest.encode;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.xerial.snappy.Snappy;

/// Compresses pages, one after another; what it answers is good until the next page. Not thread-safe.
abstract class PageCompressor implements BytesInputCompressor, AutoCloseable {
    private final CompressionCodecName name;
    private final Buffer page = new Buffer();

    private PageCompressor(CompressionCodecName name) {
        this.name = name;
    }

    /// A compressor for a codec.
    ///
    /// @param level ignored by codecs without levels
    static PageCompressor of(WriteSettings.Codec codec, int level) {
        return switch (codec) {
            case ZSTD -> new ZstdPages(level);
            case GZIP -> new GzipPages(level);
            case SNAPPY -> new SnappyPages();
            case UNCOMPRESSED -> new PlainPages();
        };
    }

    @Override
    public final BytesInput compress(BytesInput bytes) throws IOException {
        page.reset();
        bytes.writeAllTo(page);
        return compress(page.array(), page.size());
    }

    abstract BytesInput compress(byte[] bytes, int length) throws IOException;

    @Override
    public final CompressionCodecName getCodecName() {
        return name;
    }

    @Override
    public final void release() {
        close();
    }

    @Override
    public void close() {}

    /// Shows its array.
    private static final class Buffer extends ByteArrayOutputStream {
        byte[] array() {
            return buf;
        }
    }

    private static final class ZstdPages extends PageCompressor {
        private final ZstdCompressCtx context = new ZstdCompressCtx();
        private byte[] out = new byte[0];

        ZstdPages(int level) {
            super(CompressionCodecName.ZSTD);
            context.setLevel(level);
        }

        @Override
        BytesInput compress(byte[] bytes, int length) {
            int bound = Math.toIntExact(Zstd.compressBound(length));
            if (out.length < bound) {
                out = new byte[bound];
            }
            int size = context.compressByteArray(out, 0, out.length, bytes, 0, length);
            return BytesInput.from(out, 0, size);
        }

        @Override
        public void close() {
            context.close();
        }
    }

    private static final class GzipPages extends PageCompressor {
        private final int level;

        GzipPages(int level) {
            super(CompressionCodecName.GZIP);
            this.level = level;
        }

        @Override
        BytesInput compress(byte[] bytes, int length) throws IOException {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (OutputStream gzip = new Leveled(out, level)) {
                gzip.write(bytes, 0, length);
            }
            return BytesInput.from(out);
        }

        private static final class Leveled extends GZIPOutputStream {
            Leveled(OutputStream out, int level) throws IOException {
                super(out);
                def.setLevel(level);
            }
        }
    }

    private static final class SnappyPages extends PageCompressor {
        SnappyPages() {
            super(CompressionCodecName.SNAPPY);
        }

        @Override
        BytesInput compress(byte[] bytes, int length) throws IOException {
            byte[] out = new byte[Snappy.maxCompressedLength(length)];
            int size = Snappy.compress(bytes, 0, length, out, 0);
            return BytesInput.from(out, 0, size);
        }
    }

    private static final class PlainPages extends PageCompressor {
        PlainPages() {
            super(CompressionCodecName.UNCOMPRESSED);
        }

        @Override
        BytesInput compress(byte[] bytes, int length) {
            return BytesInput.from(bytes, 0, length);
        }
    }
}
