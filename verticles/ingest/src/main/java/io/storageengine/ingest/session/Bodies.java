package io.storageengine.ingest.session;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.message.RowOptions;
import java.io.IOException;
import java.io.InputStream;

/// Content codings of request bodies.
final class Bodies {
    /// 8 MiB, the most that RFC 9659 lets a sender ask for.
    private static final int ZSTD_WINDOW_LOG_MAX = 23;

    private Bodies() {}

    /// The decoded body; reads from `sent` as it is read.
    static InputStream decoded(InputStream sent, RowOptions.Encoding encoding) throws IOException {
        return switch (encoding) {
            case IDENTITY -> sent;
            case GZIP -> new GzipBody(sent);
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
        String why = broken.getMessage() == null ? "it ends early" : broken.getMessage();
        return new Failure(
                Failure.Kind.INVALID,
                "InvalidContentEncoding",
                "The body cannot be decoded: " + why + "; check Content-Encoding and the body's end");
    }
}
