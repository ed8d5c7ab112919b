package io.storageengine.gateway.s3;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A body that is checked while it is read: at its end it throws instead of ending when a hash is not the one
/// that the request names.
final class CheckedBody extends InputStream {
    private final InputStream in;
    private final @Nullable AwsChunked chunked;
    private final Expected expected;
    private final List<Check> checks;
    private boolean verified;

    /// One hash that must come out.
    ///
    /// @param value what must come out; empty when a trailer will say
    private record Check(String code, String name, ChecksumKind.Running running, byte[] value) {}

    /// What a request says of its body.
    ///
    /// @param sha256Hex empty when not said
    /// @param md5 empty when not said
    /// @param ofHead checksums by kind
    /// @param ofTrailer null, or the kind that a trailer will have
    record Expected(
            String sha256Hex, byte[] md5, Map<ChecksumKind, String> ofHead, @Nullable ChecksumKind ofTrailer) {}

    CheckedBody(InputStream in, @Nullable AwsChunked chunked, Expected expected) {
        this.in = in;
        this.chunked = chunked;
        this.expected = expected;
        this.checks = checks(expected);
    }

    /// Reads what the head says of the body.
    static Expected expected(S3Call call, String sha256Hex) {
        Map<ChecksumKind, String> ofHead = new HashMap<>();
        call.exchange().headers().forEach((name, value) -> {
            if (!name.startsWith(ChecksumKind.PREFIX)) return;
            Optional<ChecksumKind> kind = ChecksumKind.ofHeader(name);
            if (kind.isPresent()) {
                kind.get().parse(value).orElseThrow(() -> malformed(name));
                ofHead.put(kind.get(), value);
            } else if (!name.endsWith("-algorithm") && !name.endsWith("-type") && !name.endsWith("-mode")) {
                throw S3Errors.refusal("InvalidRequest", "The checksum " + name + " is not known here");
            }
        });
        return new Expected(sha256Hex, md5(call.header("content-md5")), ofHead, ofTrailer(call));
    }

    private static RuntimeException malformed(String name) {
        return S3Errors.refusal("InvalidRequest", "The value of " + name + " is no such checksum in base64");
    }

    private static byte[] md5(String base64) {
        try {
            byte[] md5 = Base64.getDecoder().decode(base64);
            if (md5.length == 16 || base64.isEmpty()) return md5;
        } catch (IllegalArgumentException e) {
            throw S3Errors.refusal("InvalidDigest", "Content-MD5 is an MD5 in base64");
        }
        throw S3Errors.refusal("InvalidDigest", "Content-MD5 is an MD5 in base64");
    }

    private static @Nullable ChecksumKind ofTrailer(S3Call call) {
        String trailer = call.header("x-amz-trailer");
        if (trailer.isEmpty()) return null;
        return ChecksumKind.ofHeader(trailer.strip().toLowerCase(Locale.ROOT))
                .orElseThrow(() -> S3Errors.refusal("InvalidRequest", "The trailer " + trailer + " is not known here"));
    }

    private static List<Check> checks(Expected expected) {
        List<Check> checks = new ArrayList<>();
        if (!expected.sha256Hex().isEmpty()) {
            checks.add(new Check(
                    "XAmzContentSHA256Mismatch",
                    "x-amz-content-sha256",
                    ChecksumKind.hash("SHA-256"),
                    HexFormat.of().parseHex(expected.sha256Hex())));
        }
        if (expected.md5().length > 0) {
            checks.add(new Check("BadDigest", "Content-MD5", ChecksumKind.hash("MD5"), expected.md5()));
        }
        expected.ofHead().forEach((kind, value) -> checks.add(new Check(
                "BadDigest", kind.header(), kind.start(), kind.parse(value).orElseThrow())));
        ChecksumKind trailing = expected.ofTrailer();
        if (trailing != null) {
            checks.add(new Check("BadDigest", trailing.header(), trailing.start(), new byte[0]));
        }
        return checks;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int count = in.read(target, offset, length);
        if (count < 0) verify();
        else for (Check check : checks) check.running().update(target, offset, count);
        return count;
    }

    private void verify() throws IOException {
        if (verified) return;
        verified = true;
        for (Check check : checks) {
            byte[] wanted = check.value().length > 0 ? check.value() : trailer(check.name());
            if (!MessageDigest.isEqual(check.running().value(), wanted)) {
                throw AwsChunked.broken(check.code(), "The body is not the one that " + check.name() + " names");
            }
        }
    }

    private byte[] trailer(String name) throws IOException {
        String value = chunked == null ? "" : chunked.trailers().getOrDefault(name, "");
        Optional<byte[]> bytes = ChecksumKind.ofHeader(name).flatMap(kind -> kind.parse(value));
        if (bytes.isPresent()) return bytes.get();
        throw AwsChunked.broken("MalformedTrailerError", "The announced trailer " + name + " did not come");
    }

    Map<String, String> checksumsOfHead() {
        Map<String, String> checksums = new HashMap<>();
        expected.ofHead().forEach((kind, value) -> checksums.put(kind.header(), value));
        return checksums;
    }

    /// Known once the end was read.
    Map<String, String> checksumsOfTrailer() {
        Map<String, String> checksums = new HashMap<>();
        if (chunked != null) {
            chunked.trailers().forEach((name, value) -> {
                if (ChecksumKind.ofHeader(name).isPresent()) checksums.put(name, value);
            });
        }
        return checksums;
    }
}
