package io.storageengine.gateway.s3;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.util.Map;

/// Failures under S3's names. Source: docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
final class S3Errors {
    private static final Map<String, Integer> STATUS = Map.ofEntries(
            Map.entry("AccessDenied", 403),
            Map.entry("AuthorizationHeaderMalformed", 400),
            Map.entry("AuthorizationQueryParametersError", 400),
            Map.entry("BadDigest", 400),
            Map.entry("BucketAlreadyOwnedByYou", 409),
            Map.entry("BucketNotEmpty", 409),
            Map.entry("ConditionalRequestConflict", 409),
            Map.entry("EntityTooLarge", 400),
            Map.entry("EntityTooSmall", 400),
            Map.entry("IncompleteBody", 400),
            Map.entry("InternalError", 500),
            Map.entry("InvalidAccessKeyId", 403),
            Map.entry("InvalidArgument", 400),
            Map.entry("InvalidBucketName", 400),
            Map.entry("InvalidDigest", 400),
            Map.entry("InvalidPart", 400),
            Map.entry("InvalidPartOrder", 400),
            Map.entry("InvalidRange", 416),
            Map.entry("InvalidRequest", 400),
            Map.entry("InvalidURI", 400),
            Map.entry("KeyTooLongError", 400),
            Map.entry("MalformedXML", 400),
            Map.entry("MalformedTrailerError", 400),
            Map.entry("MetadataTooLarge", 400),
            Map.entry("MethodNotAllowed", 405),
            Map.entry("MissingContentLength", 411),
            Map.entry("NoSuchBucket", 404),
            Map.entry("NoSuchKey", 404),
            Map.entry("NoSuchUpload", 404),
            Map.entry("NoSuchVersion", 404),
            Map.entry("NotImplemented", 501),
            Map.entry("NotModified", 304),
            Map.entry("PreconditionFailed", 412),
            Map.entry("RequestTimeTooSkewed", 403),
            Map.entry("ServiceUnavailable", 503),
            Map.entry("SignatureDoesNotMatch", 403),
            Map.entry("SlowDown", 503),
            Map.entry("XAmzContentSHA256Mismatch", 400));

    private S3Errors() {}

    /// To be thrown where the request ends.
    static FailureException refusal(String code, String message) {
        return new FailureException(failure(code, message));
    }

    static Failure failure(String code, String message) {
        Failure.Kind kind = switch (STATUS.getOrDefault(code, 500)) {
            case 403 -> Failure.Kind.FORBIDDEN;
            case 404 -> Failure.Kind.NOT_FOUND;
            case 409, 412 -> Failure.Kind.CONFLICT;
            case 500 -> Failure.Kind.BUG;
            default -> Failure.Kind.INVALID;
        };
        return new Failure(kind, code, message);
    }

    static FailureException notImplemented(String what) {
        return refusal("NotImplemented", what + " is not offered here");
    }

    /// S3's code of any failure.
    static String code(Failure failure) {
        if (STATUS.containsKey(failure.code())) return failure.code();
        return switch (failure.kind()) {
            case INVALID -> "InvalidArgument";
            case UNAUTHENTICATED, FORBIDDEN -> "AccessDenied";
            case NOT_FOUND -> "NoSuchKey";
            case EXISTS -> "BucketAlreadyOwnedByYou";
            case CONFLICT -> "PreconditionFailed";
            case THROTTLED -> "SlowDown";
            case UNAVAILABLE -> "ServiceUnavailable";
            case UNKNOWN, CORRUPT, BUG -> "InternalError";
        };
    }

    static int status(String code) {
        return STATUS.getOrDefault(code, 500);
    }

    /// What the caller is told: answers of 500 and above name no backend.
    static String message(Failure failure) {
        return switch (code(failure)) {
            case "InternalError" -> "An internal error; the server's log has it under this request's id";
            case "ServiceUnavailable" -> "The service cannot answer now; nothing was written; try again later";
            case "SlowDown" -> "Too much at once; nothing was written; try again later";
            default -> failure.message();
        };
    }
}
