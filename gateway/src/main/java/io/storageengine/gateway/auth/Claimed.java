package io.storageengine.gateway.auth;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What a request says of its own signature; nothing of it is believed yet.
///
/// @param day, region, service from the credential's scope
/// @param signedHeaders in the order given
/// @param date as in the string to sign, `yyyyMMdd'T'HHmmss'Z'`
/// @param expiresMillis how long a presigned URL is good for; 0 when signed by header
/// @param payload the hash or mode of the payload in the canonical request
record Claimed(
        String keyId,
        String day,
        String region,
        String service,
        List<String> signedHeaders,
        String signature,
        String date,
        long atMillis,
        long expiresMillis,
        String payload) {
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT);
    private static final long EXPIRES_SECONDS_MAX = 7L * 24 * 3600;

    Claimed {
        signedHeaders = List.copyOf(signedHeaders);
    }

    String scope() {
        return day + "/" + region + "/" + service + "/aws4_request";
    }

    static Outcome<Claimed> ofHeader(String header, SignedRequest request) {
        Map<String, String> fields = new HashMap<>();
        for (String field : header.substring(header.indexOf(' ') + 1).split(",", -1)) {
            int equals = field.indexOf('=');
            if (equals > 0)
                fields.put(
                        field.substring(0, equals).strip(),
                        field.substring(equals + 1).strip());
        }
        String payload = request.header("x-amz-content-sha256");
        if (payload.isEmpty()) {
            return Outcome.failed(
                    Failure.Kind.INVALID, "InvalidRequest", "Missing required header: x-amz-content-sha256");
        }
        return of(
                "AuthorizationHeaderMalformed",
                fields.getOrDefault("Credential", ""),
                fields.getOrDefault("SignedHeaders", ""),
                fields.getOrDefault("Signature", ""),
                request.header("x-amz-date"),
                0,
                payload);
    }

    static Outcome<Claimed> ofQuery(SignedRequest request) {
        long expires = expires(request.param("X-Amz-Expires"));
        if (!request.param("X-Amz-Algorithm").equals("AWS4-HMAC-SHA256") || expires < 0) {
            return Outcome.failed(
                    Failure.Kind.INVALID,
                    "AuthorizationQueryParametersError",
                    "X-Amz-Algorithm is AWS4-HMAC-SHA256 and X-Amz-Expires 1 to 604800 seconds");
        }
        String hash = request.header("x-amz-content-sha256");
        String signed = request.param("X-Amz-SignedHeaders");
        return of(
                "AuthorizationQueryParametersError",
                request.param("X-Amz-Credential"),
                signed,
                request.param("X-Amz-Signature"),
                request.param("X-Amz-Date"),
                expires * 1_000,
                List.of(signed.split(";", -1)).contains("x-amz-content-sha256") ? hash : SigV4.UNSIGNED);
    }

    private static long expires(String seconds) {
        try {
            long value = Long.parseLong(seconds);
            return value < 1 || value > EXPIRES_SECONDS_MAX ? -1 : value;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static Outcome<Claimed> of(
            String errorCode,
            String credential,
            String signedHeaders,
            String signature,
            String date,
            long expiresMillis,
            String payload) {
        String[] scope = credential.split("/", -1);
        int n = scope.length;
        if (n < 5 || !scope[n - 1].equals("aws4_request") || signedHeaders.isEmpty() || signature.isEmpty()) {
            return Outcome.failed(
                    Failure.Kind.INVALID, errorCode, "A credential, the signed headers and a signature are needed");
        }
        if (!scope[n - 2].equals("s3") || !date.startsWith(scope[n - 4])) {
            return Outcome.failed(
                    Failure.Kind.INVALID, errorCode, "The credential's service is s3 and its day the request's");
        }
        try {
            long at = LocalDateTime.parse(date, DATE).toInstant(ZoneOffset.UTC).toEpochMilli();
            String keyId = String.join("/", Arrays.copyOf(scope, n - 4));
            List<String> headers = List.of(signedHeaders.split(";", -1));
            return Outcome.ok(new Claimed(
                    keyId,
                    scope[n - 4],
                    scope[n - 3],
                    scope[n - 2],
                    headers,
                    signature,
                    date,
                    at,
                    expiresMillis,
                    payload));
        } catch (DateTimeParseException e) {
            return Outcome.failed(Failure.Kind.INVALID, errorCode, "x-amz-date is yyyyMMdd'T'HHmmss'Z'");
        }
    }
}
