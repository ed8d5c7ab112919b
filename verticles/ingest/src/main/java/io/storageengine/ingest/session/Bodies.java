package io.storageengine.ingest.session;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.message.RowOptions;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/// Content codings of request bodies.
final class Bodies {
    /// 8 MiB, the most that RFC 9659 lets a sender ask for.
    private static final int ZSTD_WINDOW_LOG_MAX = 23;

    private static final int GZIP_BUFFER_BYTES = 64 * 1024;

    private Bodies() {}

    /// The decoded body; reads from `sent` as it is read, and its first bytes at once.
    static InputStream decoded(InputStream sent, RowOptions.Encoding encoding) throws IOException {
        return switch (encoding) {
            case IDENTITY -> sent;
            case GZIP -> new GZIPInputStream(sent, GZIP_BUFFER_BYTES);
            case ZSTD -> zstd(sent);
        };
    }

    private static InputStream zstd(InputStream sent) throws IOException {
        ZstdInputStreamNoFinalizer decoder = new ZstdInputStreamNoFinalizer(sent);
        return decoder.setLongMax(ZSTD_WINDOW_LOG_MAX);
    }

    /// What a body that could not be read means to its sender.
    static Failure failure(IOException broken) {
        for (Throwable cause = broken; cause != null; cause = cause.getCause())
            if (cause instanceof FailureException known) return known.failure();
        return new Failure(
                Failure.Kind.INVALID,
                "InvalidContentEncoding",
                "The body cannot be decoded: " + broken.getMessage() + "; check Content-Encoding and the body's end");
    }
}
