package io.storageengine.gateway.s3;

import io.storageengine.core.FailureException;
import io.storageengine.core.store.Content;
import io.storageengine.gateway.auth.SigV4;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The body of a signed request: decoded, and checked against everything that the request says of it.
final class Payload {
    static final long OBJECT_BYTES_MAX = 5L << 30;
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    private final CheckedBody body;
    private final long length;

    private Payload(CheckedBody body, long length) {
        this.body = body;
        this.length = length;
    }

    /// @throws FailureException `MissingContentLength`, `EntityTooLarge`, `InvalidDigest`, `NotImplemented`…
    static Payload of(S3Call call, long bytesMax) {
        String mode = call.verified().payload();
        long length = length(call, mode.startsWith("STREAMING-"));
        if (length > bytesMax) {
            throw S3Errors.refusal("EntityTooLarge", "The body is over " + bytesMax + " bytes");
        }
        InputStream raw = call.exchange().stream();
        AwsChunked chunked = chunked(call, mode, raw);
        String sha256Hex = HASH.matcher(mode).matches() ? mode : "";
        return new Payload(new CheckedBody(chunked == null ? raw : chunked, chunked, call, sha256Hex), length);
    }

    private static long length(S3Call call, boolean streaming) {
        String text = call.header(streaming ? "x-amz-decoded-content-length" : "content-length");
        try {
            if (!text.isEmpty() && Long.parseLong(text) >= 0) return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw S3Errors.refusal("InvalidArgument", "The body's length is no number");
        }
        if (!streaming
                && call.exchange().header("transfer-encoding") == null
                && call.exchange().isHttp1()) return 0;
        throw S3Errors.refusal("MissingContentLength", "Say the body's length beforehand");
    }

    private static @Nullable AwsChunked chunked(S3Call call, String mode, InputStream raw) {
        return switch (mode) {
            case "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" ->
                new AwsChunked(raw, call.verified().signing(), false);
            case "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER" ->
                new AwsChunked(raw, call.verified().signing(), true);
            case "STREAMING-UNSIGNED-PAYLOAD-TRAILER" -> new AwsChunked(raw, null, true);
            case SigV4.UNSIGNED -> null;
            default -> {
                if (HASH.matcher(mode).matches()) yield null;
                throw mode.startsWith("STREAMING-")
                        ? S3Errors.notImplemented(mode)
                        : S3Errors.refusal(
                                "InvalidArgument", "x-amz-content-sha256 is a SHA-256 in hex or a payload mode");
            }
        };
    }

    /// The content for the store; read once.
    Content content() {
        return new Content.Stream(length, body);
    }

    long length() {
        return length;
    }

    /// The whole body, for small ones; no more than was announced is ever held.
    byte[] bytes() {
        try {
            byte[] bytes = body.readNBytes((int) length + 1);
            if (bytes.length == length) return bytes;
        } catch (IOException e) {
            if (e.getCause() instanceof FailureException known) throw known;
            throw S3Errors.refusal("IncompleteBody", "The body ended early");
        }
        throw S3Errors.refusal("IncompleteBody", "The body is not as long as announced");
    }

    /// The checksums that the head names, by header name.
    Map<String, String> checksumsOfHead() {
        return body.checksumsOfHead();
    }

    /// All checksums, known once the body was read.
    Map<String, String> checksums() {
        Map<String, String> all = new HashMap<>(body.checksumsOfHead());
        all.putAll(body.checksumsOfTrailer());
        return all;
    }

    Map<String, String> checksumsOfTrailer() {
        return body.checksumsOfTrailer();
    }
}
