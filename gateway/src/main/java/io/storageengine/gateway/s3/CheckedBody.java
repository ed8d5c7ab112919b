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
    private final List<Check> checks;
    private final Map<String, String> ofHead = new HashMap<>();
    private boolean verified;

    /// One hash that must come out.
    ///
    /// @param wanted what must come out, in hex; empty when a trailer will say
    private record Check(String code, String name, ChecksumKind.Running running, String wanted) {}

    /// @param chunked the decoder that has the trailers; null when there is none
    /// @param sha256Hex empty when not said
    CheckedBody(InputStream in, @Nullable AwsChunked chunked, S3Call call, String sha256Hex) {
        this.in = in;
        this.chunked = chunked;
        this.checks = new ArrayList<>();
        if (!sha256Hex.isEmpty()) {
            checks.add(new Check(
                    "XAmzContentSHA256Mismatch", "x-amz-content-sha256", ChecksumKind.SHA256.start(), sha256Hex));
        }
        if (!call.header("content-md5").isEmpty()) checks.add(md5(call.header("content-md5")));
        call.exchange().headers().forEach(this::checksumOfHead);
        if (!call.header("x-amz-trailer").isEmpty()) checks.add(ofTrailer(call.header("x-amz-trailer")));
    }

    private void checksumOfHead(String name, String value) {
        if (!name.startsWith(ChecksumKind.PREFIX)) return;
        Optional<ChecksumKind> kind = ChecksumKind.ofHeader(name);
        if (kind.isPresent()) {
            String wanted = kind.get().parse(value).orElseThrow(() -> malformed(name));
            checks.add(new Check("BadDigest", name, kind.get().start(), wanted));
            ofHead.put(name, value);
        } else if (!name.endsWith("-algorithm") && !name.endsWith("-type") && !name.endsWith("-mode")) {
            throw S3Errors.refusal("InvalidRequest", "The checksum " + name + " is not known here");
        }
    }

    private static RuntimeException malformed(String name) {
        return S3Errors.refusal("InvalidRequest", "The value of " + name + " is no such checksum in base64");
    }

    private static Check md5(String base64) {
        try {
            byte[] md5 = Base64.getDecoder().decode(base64);
            if (md5.length == 16) {
                return new Check(
                        "BadDigest",
                        "Content-MD5",
                        ChecksumKind.hash("MD5"),
                        HexFormat.of().formatHex(md5));
            }
        } catch (IllegalArgumentException e) {
            throw S3Errors.refusal("InvalidDigest", "Content-MD5 is an MD5 in base64");
        }
        throw S3Errors.refusal("InvalidDigest", "Content-MD5 is an MD5 in base64");
    }

    private static Check ofTrailer(String trailer) {
        ChecksumKind kind = ChecksumKind.ofHeader(trailer.strip().toLowerCase(Locale.ROOT))
                .orElseThrow(() -> S3Errors.refusal("InvalidRequest", "The trailer " + trailer + " is not known here"));
        return new Check("BadDigest", kind.header(), kind.start(), "");
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
            byte[] wanted = HexFormat.of().parseHex(check.wanted().isEmpty() ? trailer(check.name()) : check.wanted());
            if (!MessageDigest.isEqual(check.running().value(), wanted)) {
                throw AwsChunked.broken(check.code(), "The body is not the one that " + check.name() + " names");
            }
        }
    }

    private String trailer(String name) throws IOException {
        String value = chunked == null ? "" : chunked.trailers().getOrDefault(name, "");
        Optional<String> hex = ChecksumKind.ofHeader(name).flatMap(kind -> kind.parse(value));
        if (hex.isPresent()) return hex.get();
        throw AwsChunked.broken("MalformedTrailerError", "The announced trailer " + name + " did not come");
    }

    /// The checksums that the head names, by header.
    Map<String, String> checksumsOfHead() {
        return Map.copyOf(ofHead);
    }

    /// The checksums in the trailers, by header; known once the end was read.
    Map<String, String> checksumsOfTrailer() {
        Map<String, String> checksums = new HashMap<>(chunked == null ? Map.of() : chunked.trailers());
        checksums.keySet().removeIf(name -> ChecksumKind.ofHeader(name).isEmpty());
        return checksums;
    }
}
