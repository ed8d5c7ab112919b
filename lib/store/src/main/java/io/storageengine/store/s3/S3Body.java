package io.storageengine.store.s3;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;

/// The bytes of an object on their way from the service: as many as it announced, or an exception. Closing it early
/// gives up the connection.
final class S3Body extends InputStream {
    private final ResponseInputStream<?> inner;
    private long left;

    S3Body(ResponseInputStream<?> inner, long length) {
        this.inner = inner;
        this.left = length;
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
        int got = readOrThrow(target, offset, (int) Math.min(count, left));
        if (got < 0) throw new IOException("the object store's answer ended " + left + " bytes early");
        left -= got;
        return got;
    }

    private int readOrThrow(byte[] target, int offset, int count) throws IOException {
        try {
            return inner.read(target, offset, count);
        } catch (SdkException e) {
            throw new IOException("the object store's answer broke off", e);
        }
    }

    @Override
    public void close() throws IOException {
        if (left == 0) inner.close();
        else inner.abort();
    }
}
