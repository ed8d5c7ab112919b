package io.storageengine.ingest.session;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Counts a decoded body, ends it when it grows too long, and hashes it for requests with a key.
final class BodyMeter extends FilterInputStream {
    private final long bytesMax;
    private final boolean isHashed;
    private final MessageDigest digest = sha256();
    private long bytes;
    private @Nullable String hash;

    /// Decoders may not be asked again after their end.
    private boolean isEnded;

    /// @param bytesMax longer bodies break off
    /// @param options what besides the body makes the request what it is; hashed before it
    BodyMeter(InputStream decoded, long bytesMax, boolean isHashed, String options) {
        super(decoded);
        this.bytesMax = bytesMax;
        this.isHashed = isHashed;
        digest.update(options.getBytes(StandardCharsets.UTF_8));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
        int got = isEnded ? -1 : super.read(target, offset, count);
        isEnded = got < 0;
        if (got <= 0) return got;
        bytes += got;
        if (bytes > bytesMax) throw new IOException("too long", new FailureException(tooLarge(bytesMax)));
        if (isHashed) digest.update(target, offset, got);
        return got;
    }

    /// Counted bytes are bytes that were read.
    @Override
    public long skip(long count) throws IOException {
        return readNBytes((int) Math.min(count, 64 * 1024)).length;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    /// Reads the rest.
    void drain() throws IOException {
        byte[] rest = new byte[64 * 1024];
        for (int got = 0; got >= 0; ) got = read(rest, 0, rest.length);
    }

    /// The hash of options and body, hexadecimal; asked for when the body is read.
    String hash() {
        if (hash == null) hash = HexFormat.of().formatHex(digest.digest());
        return hash;
    }

    static Failure tooLarge(long bytesMax) {
        return new Failure(
                Failure.Kind.INVALID,
                "RequestTooLarge",
                "A request that is taken whole or not at all may have " + bytesMax
                        + " bytes: send less at once, or take the good rows as they come with on-error=skip");
    }
}
