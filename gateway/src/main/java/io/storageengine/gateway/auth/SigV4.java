package io.storageengine.gateway.auth;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.gateway.door.Percent;
import io.storageengine.gateway.door.Target;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Verifies AWS Signature Version 4 as S3 has it: by header and by query, path signed once-encoded and never
/// normalised. Pure. Source: docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
public final class SigV4 {
    public static final String UNSIGNED = "UNSIGNED-PAYLOAD";
    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final long SKEW_MILLIS_MAX = 15 * 60_000L;

    /// Headers that cannot change what a request does: they may come unsigned.
    private static final Set<String> HARMLESS = Set.of(
            "x-amz-content-sha256",
            "x-amz-te",
            "x-amz-user-agent",
            "x-amz-trailer",
            "x-amz-sdk-checksum-algorithm",
            "x-amz-checksum-mode",
            "x-amz-decoded-content-length",
            "x-amz-request-payer",
            "x-amz-expected-bucket-owner");

    private final Function<String, Optional<AccessKey>> keys;

    /// @param keys finds a key pair by its id
    public SigV4(Function<String, Optional<AccessKey>> keys) {
        this.keys = keys;
    }

    /// A verified head.
    ///
    /// @param keyId who asks
    /// @param payload the payload's hash or mode as it was signed
    /// @param signing for the body's chunks
    public record Verified(String keyId, String payload, Signing signing) {}

    /// Who asks. Failures carry S3's codes.
    public Outcome<Verified> verify(SignedRequest request, long nowMillis) {
        String header = request.header("authorization");
        if (header.startsWith(ALGORITHM)) {
            return Claimed.ofHeader(header, request).then(claimed -> verify(request, claimed, nowMillis));
        }
        if (!request.param("X-Amz-Algorithm").isEmpty() && header.isEmpty()) {
            return Claimed.ofQuery(request).then(claimed -> verify(request, claimed, nowMillis));
        }
        if (header.startsWith("AWS ") || !request.param("AWSAccessKeyId").isEmpty()) {
            return invalid("InvalidRequest", "Sign with AWS4-HMAC-SHA256: older signature versions are not taken");
        }
        return header.isEmpty()
                ? Outcome.failed(Failure.Kind.FORBIDDEN, "AccessDenied", "Sign the request: nobody known is asking")
                : invalid("InvalidArgument", "The Authorization header is of an unknown kind");
    }

    private Outcome<Verified> verify(SignedRequest request, Claimed claimed, long nowMillis) {
        Optional<Failure> untimely = untimely(claimed, nowMillis);
        if (untimely.isPresent()) return Outcome.failed(untimely.get());
        Optional<String> loose = unsignedHeader(request, claimed);
        if (loose.isPresent()) {
            return Outcome.failed(
                    Failure.Kind.FORBIDDEN, "AccessDenied", "The header " + loose.get() + " is not signed");
        }
        Optional<AccessKey> known = keys.apply(claimed.keyId());
        if (known.isEmpty()) {
            return Outcome.failed(
                    Failure.Kind.UNAUTHENTICATED, "InvalidAccessKeyId", "The access key id is not known here");
        }
        byte[] key = Signing.key(known.get().secret(), claimed.day(), claimed.region(), claimed.service());
        boolean matches = paths(request.rawPath()).stream()
                .anyMatch(path -> matches(claimed, key, canonical(request, claimed, path)));
        if (!matches) {
            return Outcome.failed(
                    Failure.Kind.UNAUTHENTICATED,
                    "SignatureDoesNotMatch",
                    "The signature is not the one made with this key: check the secret key and what is signed");
        }
        Signing signing = new Signing(key, claimed.date(), claimed.scope(), claimed.signature());
        return Outcome.ok(new Verified(claimed.keyId(), claimed.payload(), signing));
    }

    private static Optional<Failure> untimely(Claimed claimed, long nowMillis) {
        long age = nowMillis - claimed.atMillis();
        if (claimed.expiresMillis() > 0) {
            boolean good = age >= -SKEW_MILLIS_MAX && age <= claimed.expiresMillis();
            return good
                    ? Optional.empty()
                    : Optional.of(new Failure(Failure.Kind.FORBIDDEN, "AccessDenied", "Request has expired"));
        }
        return Math.abs(age) <= SKEW_MILLIS_MAX
                ? Optional.empty()
                : Optional.of(new Failure(
                        Failure.Kind.FORBIDDEN,
                        "RequestTimeTooSkewed",
                        "The request's time is more than 15 minutes off: set the client's clock"));
    }

    private static Optional<String> unsignedHeader(SignedRequest request, Claimed claimed) {
        if (!claimed.signedHeaders().contains("host")) return Optional.of("host");
        return request.headers().keySet().stream()
                .filter(name -> name.startsWith("x-amz-") && !name.startsWith("x-amz-checksum-"))
                .filter(name ->
                        !HARMLESS.contains(name) && !claimed.signedHeaders().contains(name))
                .findFirst();
    }

    private static Set<String> paths(String rawPath) {
        String once =
                Percent.decode(rawPath).map(path -> Percent.encode(path, true)).orElse(rawPath);
        return once.equals(rawPath) ? Set.of(rawPath) : Set.of(once, rawPath);
    }

    private static boolean matches(Claimed claimed, byte[] key, String canonical) {
        String toSign = String.join("\n", ALGORITHM, claimed.date(), claimed.scope(), Hashes.sha256Hex(canonical));
        String mine = HexFormat.of().formatHex(Hashes.hmacSha256(key, toSign));
        return MessageDigest.isEqual(
                mine.getBytes(StandardCharsets.US_ASCII), claimed.signature().getBytes(StandardCharsets.UTF_8));
    }

    private static String canonical(SignedRequest request, Claimed claimed, String path) {
        StringBuilder headers = new StringBuilder();
        for (String name : new TreeSet<>(claimed.signedHeaders())) {
            String value = request.header(name).strip().replaceAll(" +", " ");
            headers.append(name).append(':').append(value).append('\n');
        }
        return String.join(
                "\n",
                request.method(),
                path,
                query(request.params()),
                headers,
                String.join(";", claimed.signedHeaders()),
                claimed.payload());
    }

    private static String query(List<Target.Param> params) {
        return params.stream()
                .filter(param -> !param.name().equals("X-Amz-Signature"))
                .map(param ->
                        new Target.Param(Percent.encode(param.name(), false), Percent.encode(param.value(), false)))
                .sorted(Comparator.comparing(Target.Param::name).thenComparing(Target.Param::value))
                .map(param -> param.name() + "=" + param.value())
                .collect(Collectors.joining("&"));
    }

    private static <T> Outcome<T> invalid(String code, String message) {
        return Outcome.failed(Failure.Kind.INVALID, code, message);
    }
}
