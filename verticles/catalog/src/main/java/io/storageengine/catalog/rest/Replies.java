package io.storageengine.catalog.rest;

import io.storageengine.catalog.iceberg.IcebergJson;
import io.storageengine.core.Failure;
import io.storageengine.core.message.CatalogReply;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Makes HTTP replies. An error has Iceberg's form, `{"error":{"message","type","code"}}`, and names nothing of
/// the storage behind.
public final class Replies {
    /// The code of failures that are an upstream catalog's and not the storage's.
    public static final String UPSTREAM_FAILED = "UpstreamFailed";

    /// The code of the failure that says that an upstream leads back to this server: 508.
    public static final String UPSTREAM_LOOP = "UpstreamLoopException";

    private static final Map<String, String> JSON = Map.of("content-type", "application/json");
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);
    private static final String RETRY_AFTER_SECONDS = "1";

    private Replies() {}

    public static CatalogReply json(int status, byte[] body) {
        return json(status, Map.of(), body);
    }

    public static CatalogReply json(int status, Map<String, String> headers, byte[] body) {
        Map<String, String> all = new HashMap<>(JSON);
        all.putAll(headers);
        return new CatalogReply(status, all, ByteBuffer.wrap(body));
    }

    public static CatalogReply of(Object response) {
        return json(200, IcebergJson.write(response));
    }

    public static CatalogReply noContent() {
        return new CatalogReply(204, Map.of(), EMPTY);
    }

    /// 304: the client has what it would be sent.
    static CatalogReply notModified(String tag) {
        return new CatalogReply(304, Map.of("etag", tag, "vary", "accept-encoding"), EMPTY);
    }

    /// 405: the path is known, the method is not for it.
    public static CatalogReply methodNotAllowed(String method, String path, List<String> allowed) {
        String allow = String.join(", ", allowed);
        return error(
                405,
                Map.of("allow", allow),
                "MethodNotAllowedException",
                method + " is not possible on " + path + "; possible: " + allow);
    }

    public static CatalogReply error(int status, String type, String message) {
        return error(status, Map.of(), type, message);
    }

    static CatalogReply error(int status, Map<String, String> headers, String type, String message) {
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("message", message);
        error.put("type", type);
        error.put("code", status);
        return json(status, headers, IcebergJson.write(Map.of("error", error)));
    }

    /// What a call that failed is answered.
    ///
    /// @param writes whether the call may have changed something: then "busy, nothing written" is 429, for
    ///     clients take 503 on a commit as "state unknown"
    public static CatalogReply failure(Failure failure, boolean writes) {
        if (isInternal(failure)) return internal();
        return switch (failure.kind()) {
            case INVALID -> {
                boolean ours = failure.code().endsWith("Exception");
                int status = failure.code().equals("UnprocessableEntityException") ? 422 : 400;
                yield error(status, ours ? failure.code() : "BadRequestException", failure.message());
            }
            case UNAUTHENTICATED -> error(401, failure.code(), failure.message());
            case FORBIDDEN -> error(403, failure.code(), failure.message());
            case NOT_FOUND -> error(404, failure.code(), failure.message());
            case EXISTS, CONFLICT -> error(409, failure.code(), failure.message());
            case THROTTLED -> busy(429, failure);
            case UNAVAILABLE ->
                failure.code().equals(UPSTREAM_LOOP)
                        ? error(508, failure.code(), failure.message())
                        : busy(writes ? 429 : 503, failure);
            case UNKNOWN ->
                error(
                        500,
                        "CommitStateUnknownException",
                        "Nobody knows whether this was done: look before you repeat it");
            case CORRUPT, BUG -> internal();
        };
    }

    /// Whether a client is told nothing but that something went wrong here, so that the log must tell it.
    public static boolean isInternal(Failure failure) {
        return switch (failure.kind()) {
            case UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, EXISTS, CONFLICT ->
                !failure.code().endsWith("Exception");
            case CORRUPT, BUG -> true;
            case INVALID, THROTTLED, UNAVAILABLE, UNKNOWN -> false;
        };
    }

    private static CatalogReply busy(int status, Failure failure) {
        String who = failure.code().equals(UPSTREAM_FAILED)
                ? "The upstream catalog cannot be reached or does not answer as it should"
                : "The storage does not answer now";
        return error(
                status,
                Map.of("retry-after", RETRY_AFTER_SECONDS),
                status == 429 ? "TooManyRequestsException" : "ServiceUnavailableException",
                who + "; nothing was changed; try again");
    }

    /// 500 without a word about why.
    public static CatalogReply internal() {
        return error(500, "InternalServerError", "An internal error; the server's log says more");
    }
}
