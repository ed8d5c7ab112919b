package io.storageengine.gateway.s3;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.gateway.auth.Hashes;
import io.storageengine.gateway.auth.Signing;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Decodes an `aws-chunked` body: chunks of any size, each with a signature when the body is signed, then
/// trailers, signed likewise. A wrong signature or a broken form ends the stream with an [IOException] whose
/// cause is the [FailureException]. Source: docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html
final class AwsChunked extends InputStream {
    private static final int LINE_BYTES_MAX = 8 << 10;
    private static final int TRAILERS_MAX = 16;
    private static final String SIGNATURE = "chunk-signature=";
    private static final String TRAILER_SIGNATURE = "x-amz-trailer-signature";

    private final InputStream in;
    private final @Nullable Signing signing;
    private final boolean trailing;
    private final MessageDigest hash = Hashes.digest("SHA-256");
    private final Map<String, String> trailers = new LinkedHashMap<>();
    private String previous;
    private String claimed = "";
    private long left;
    private boolean begun;
    private boolean ended;

    /// @param signing null when chunks are not signed
    /// @param trailing whether trailers come after the last chunk
    AwsChunked(InputStream in, @Nullable Signing signing, boolean trailing) {
        this.in = new BufferedInputStream(in, 64 << 10);
        this.signing = signing;
        this.trailing = trailing;
        this.previous = signing == null ? "" : signing.seed();
    }

    /// The trailers by name in lower case; complete once the stream has ended.
    Map<String, String> trailers() {
        return Collections.unmodifiableMap(trailers);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) return 0;
        if (left == 0) nextChunk();
        if (ended) return -1;
        int count = in.read(target, offset, (int) Math.min(length, left));
        if (count < 0) throw broken("IncompleteBody", "The body ended inside a chunk");
        if (signing != null) hash.update(target, offset, count);
        left -= count;
        return count;
    }

    private void nextChunk() throws IOException {
        if (ended) return;
        if (begun) {
            if (!line().isEmpty()) throw broken("IncompleteBody", "A chunk is longer than its head says");
            verifyChunk();
        }
        begun = true;
        head(line());
        if (left == 0) last();
    }

    private void head(String line) throws IOException {
        int semicolon = line.indexOf(';');
        String size = semicolon < 0 ? line : line.substring(0, semicolon);
        String extension = semicolon < 0 ? "" : line.substring(semicolon + 1).strip();
        try {
            left = Long.parseLong(size.strip(), 16);
        } catch (NumberFormatException e) {
            throw broken("IncompleteBody", "A chunk's head is no size in hex");
        }
        if (left < 0) throw broken("IncompleteBody", "A chunk's size is negative");
        claimed = extension.startsWith(SIGNATURE) ? extension.substring(SIGNATURE.length()) : "";
    }

    private void verifyChunk() throws IOException {
        if (signing == null) return;
        previous = require(signing.chunk(previous, HexFormat.of().formatHex(hash.digest())), claimed);
    }

    private static String require(String mine, String given) throws IOException {
        byte[] expected = mine.getBytes(StandardCharsets.US_ASCII);
        if (MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8))) return mine;
        throw broken("SignatureDoesNotMatch", "The signature of a part of the body is not the one made with this key");
    }

    private void last() throws IOException {
        verifyChunk();
        if (trailing) readTrailers();
        else if (!line().isEmpty()) throw broken("IncompleteBody", "Something follows the last chunk");
        ended = true;
    }

    private void readTrailers() throws IOException {
        StringBuilder canonical = new StringBuilder();
        String given = "";
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon <= 0 || trailers.size() >= TRAILERS_MAX) {
                throw broken("MalformedTrailerError", "The trailers are no short list of name:value");
            }
            String name = line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
            String value = line.substring(colon + 1).strip();
            if (name.equals(TRAILER_SIGNATURE)) {
                given = value;
                continue;
            }
            trailers.put(name, value);
            canonical.append(name).append(':').append(value).append('\n');
        }
        if (signing != null) require(signing.trailer(previous, canonical.toString()), given);
    }

    /// A line up to LF, without its CR; the end of the body counts as the end of an empty line.
    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0 && line.isEmpty() && begun) return "";
            if (c < 0) throw broken("IncompleteBody", "The body ended inside a chunk's head");
            if (line.length() > LINE_BYTES_MAX) throw broken("InvalidRequest", "A chunk's head is too long");
            line.append((char) c);
        }
        int end = line.length();
        if (end > 0 && line.charAt(end - 1) == '\r') line.setLength(end - 1);
        return line.toString();
    }

    static IOException broken(String code, String message) {
        Failure failure = S3Errors.failure(code, message);
        return new IOException(message, new FailureException(failure));
    }
}
