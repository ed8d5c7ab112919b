package io.storageengine.gateway.door;

import io.storageengine.core.Failure;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;

/// Failures in the form of the Iceberg REST specification (`ErrorModel`), also for administration and
/// ingestion.
public final class RestErrors {
    /// The rows are durable, but not in a snapshot within the time that `ack=committed` waits.
    private static final String NOT_COMMITTED_YET = "NotCommittedYet";

    /// RFC 6750, section 3.
    private static final String CHALLENGE = "Bearer realm=\"storage-engine\"";

    private RestErrors() {}

    /// The answer to a failed request. What is the backend's business stays inside: answers of 500 and above
    /// name no backend.
    ///
    /// @param commit whether the request commits to a table: there 503 would mean "perhaps written" to
    ///     Iceberg's clients, so "busy, nothing written" is 429
    public static Reply reply(Failure failure, boolean commit) {
        int status = status(failure, commit);
        JsonObject body = body(status, type(failure, status), message(failure, status));
        return new Reply(status, headers(status), Buffer.buffer(body.encode()));
    }

    /// Headers of every answer of that status in this form.
    public static Map<String, String> headers(int status) {
        Map<String, String> headers = new HashMap<>();
        headers.put("content-type", "application/json");
        if (status == 401) headers.put("www-authenticate", CHALLENGE);
        if (status == 429 || status == 503) headers.put("retry-after", "1");
        return headers;
    }

    /// `{"error":{"message":…,"type":…,"code":…}}`.
    public static JsonObject body(int status, String type, String message) {
        return new JsonObject()
                .put(
                        "error",
                        new JsonObject()
                                .put("message", message)
                                .put("type", type)
                                .put("code", status));
    }

    /// The HTTP status of a failure.
    public static int status(Failure failure, boolean commit) {
        return switch (failure.kind()) {
            case INVALID -> invalid(failure.code());
            case UNAUTHENTICATED -> 401;
            case FORBIDDEN -> 403;
            case NOT_FOUND -> 404;
            case EXISTS, CONFLICT -> 409;
            case THROTTLED -> 429;
            case UNAVAILABLE -> commit ? 429 : 503;
            case UNKNOWN -> failure.code().equals(NOT_COMMITTED_YET) ? 504 : 500;
            case CORRUPT, BUG -> 500;
        };
    }

    private static int invalid(String code) {
        return switch (code) {
            case "RequestTooLarge" -> 413;
            case "UnsupportedMediaType" -> 415;
            case "IdempotencyKeyReused", "UnprocessableEntityException" -> 422;
            case "MethodNotAllowed" -> 405;
            default -> 400;
        };
    }

    private static String type(Failure failure, int status) {
        if (failure.code().endsWith("Exception")) return failure.code();
        return switch (failure.kind()) {
            case INVALID -> status == 422 ? "UnprocessableEntityException" : "BadRequestException";
            case UNAUTHENTICATED -> "NotAuthorizedException";
            case FORBIDDEN -> "ForbiddenException";
            case NOT_FOUND -> "NotFoundException";
            case EXISTS -> "AlreadyExistsException";
            case CONFLICT -> "CommitFailedException";
            case THROTTLED -> "SlowDownException";
            case UNAVAILABLE -> status == 429 ? "SlowDownException" : "ServiceUnavailableException";
            case UNKNOWN -> "CommitStateUnknownException";
            case CORRUPT, BUG -> "InternalServerError";
        };
    }

    private static String message(Failure failure, int status) {
        if (status < 500 || failure.code().equals(NOT_COMMITTED_YET)) return failure.message();
        return switch (failure.kind()) {
            case UNAVAILABLE -> "The service cannot answer now; nothing was written; try again later";
            case UNKNOWN ->
                "It is not known whether the change was made; look at the present state before trying again";
            default -> "An internal error; the server's log has it under this request's x-request-id";
        };
    }
}
