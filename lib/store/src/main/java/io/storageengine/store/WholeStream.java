package io.storageengine.store;

import io.storageengine.core.store.Content;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The bytes of a content, exactly as many as announced: throws [ContentException] when there are fewer or
/// more, or when reading fails. The last bytes are handed out only once the end of the content was seen, so
/// that nobody can write all of a content that is refused at its end.
public final class WholeStream extends InputStream {
    private final InputStream inner;
    private final long length;
    private long left;
    private boolean ended;
    private volatile @Nullable ContentException fault;

    private WholeStream(InputStream inner, long length) {
        this.inner = inner;
        this.length = length;
        this.left = length;
    }

    public static WholeStream of(Content content) throws ContentException {
        try {
            return new WholeStream(content.open(), content.length());
        } catch (IOException e) {
            throw ContentException.of(e);
        }
    }

    /// What went wrong while reading, if anything did.
    public @Nullable ContentException fault() {
        return fault;
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
        try {
            return readOrThrow(target, offset, count);
        } catch (IOException e) {
            ContentException known = ContentException.of(e);
            fault = known;
            throw known;
        }
    }

    private int readOrThrow(byte[] target, int offset, int count) throws IOException {
        if (left == 0) {
            end();
            return -1;
        }
        int got = inner.read(target, offset, (int) Math.min(count, left));
        if (got < 0) {
            throw ContentException.incomplete(
                    "the body ended after " + (length - left) + " of " + length + " announced bytes");
        }
        left -= got;
        if (left == 0) end();
        return got;
    }

    private void end() throws IOException {
        if (ended) return;
        if (inner.read() >= 0) throw ContentException.incomplete("the body has more than " + length + " bytes");
        ended = true;
    }

    @Override
    public void close() throws IOException {
        inner.close();
    }
}
