package io.storageengine.catalog.rest;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.iceberg.rest.requests.RemoteSignRequest;

/// Signs S3 requests by header (AWS Signature Version 4); pure. What is sent later may have another body,
/// unless its hash is signed: that is done where the body decides what happens (DeleteObjects).
///
/// @param keyId of the access key
/// @param secret of the access key
record S3Signature(String keyId, String secret) {
    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final String UNSIGNED = "UNSIGNED-PAYLOAD";
    private static final String HASH = "x-amz-content-sha256";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT);
    /// What may change on the way, or is made here.
    private static final Set<String> LOOSE = Set.of(
            "authorization",
            "x-amz-date",
            "range",
            "user-agent",
            "expect",
            "connection",
            "content-length",
            "transfer-encoding",
            "amz-sdk-invocation-id",
            "amz-sdk-request",
            "amz-sdk-retry");

    /// A parameter of a query, decoded.
    record Param(String name, String value) {}

    /// The request's headers, signed: those that were given and those that the signature adds.
    Map<String, List<String>> sign(RemoteSignRequest request, long wallMillis) {
        String time = TIME.format(Instant.ofEpochMilli(wallMillis).atOffset(ZoneOffset.UTC));
        TreeMap<String, List<String>> signed = new TreeMap<>();
        TreeMap<String, List<String>> loose = new TreeMap<>();
        request.headers().forEach((given, values) -> {
            String name = given.toLowerCase(Locale.ROOT);
            (LOOSE.contains(name) ? loose : signed).put(name, values);
        });
        signed.put("host", List.of(request.uri().getRawAuthority()));
        signed.put("x-amz-date", List.of(time));
        signed.put(HASH, List.of(payload(request, signed)));
        String scope = time.substring(0, 8) + "/" + request.region() + "/s3/aws4_request";
        String text = String.join("\n", ALGORITHM, time, scope, hex(sha256(canonical(request, signed))));
        String signature = hex(hmac(key(time.substring(0, 8), request.region()), text));
        String names = String.join(";", signed.keySet());
        String authorization = ALGORITHM + " Credential=" + keyId + "/" + scope + ", SignedHeaders=" + names
                + ", Signature=" + signature;
        loose.remove("x-amz-date");
        loose.putAll(signed);
        loose.put("authorization", List.of(authorization));
        return loose;
    }

    private static String payload(RemoteSignRequest request, Map<String, List<String>> given) {
        String body = request.body();
        if (body != null && !body.isEmpty()) return hex(sha256(body));
        String mode = String.join("", given.getOrDefault(HASH, List.of()));
        return mode.startsWith("STREAMING-UNSIGNED") ? mode : UNSIGNED;
    }

    private static String canonical(RemoteSignRequest request, TreeMap<String, List<String>> signed) {
        StringBuilder headers = new StringBuilder();
        signed.forEach((name, values) -> headers.append(name)
                .append(':')
                .append(String.join(",", values).strip().replaceAll(" +", " "))
                .append('\n'));
        return String.join(
                "\n",
                request.method(),
                request.uri().getRawPath(),
                canonicalQuery(request.uri()),
                headers,
                String.join(";", signed.keySet()),
                signed.getOrDefault(HASH, List.of()).getFirst());
    }

    private static String canonicalQuery(URI uri) {
        return query(uri).stream()
                .map(param -> new Param(encoded(param.name()), encoded(param.value())))
                .sorted(Comparator.comparing(Param::name).thenComparing(Param::value))
                .map(param -> param.name() + "=" + param.value())
                .collect(Collectors.joining("&"));
    }

    /// The parameters of a query; a `+` is itself.
    static List<Param> query(URI uri) {
        List<Param> params = new ArrayList<>();
        String raw = uri.getRawQuery();
        if (raw == null || raw.isEmpty()) return params;
        for (String pair : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            params.add(new Param(decoded(name), equals < 0 ? "" : decoded(pair.substring(equals + 1))));
        }
        return params;
    }

    private static String decoded(String raw) {
        return URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static String encoded(String text) {
        StringBuilder out = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (plain || "-._~".indexOf(c) >= 0) out.append(c);
            else out.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
        }
        return out.toString();
    }

    private byte[] key(String day, String region) {
        byte[] ofDay = hmac(("AWS4" + secret).getBytes(StandardCharsets.UTF_8), day);
        return hmac(hmac(hmac(ofDay, region), "s3"), "aws4_request");
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @Override
    public String toString() {
        return "S3Signature[keyId=" + keyId + "]";
    }
}
