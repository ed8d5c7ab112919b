package io.storageengine.store.s3;

import io.netty.channel.ConnectTimeoutException;
import io.storageengine.core.Failure;
import io.storageengine.core.Failure.Kind;
import io.storageengine.store.Operation;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/// What the SDK's exceptions mean. Messages name the operation, the status and the service's code; never what the
/// service said in words, which may repeat what it was sent.
final class S3Faults {
    private static final Set<String> THROTTLING = Set.of(
            "SlowDown",
            "Throttling",
            "ThrottlingException",
            "RequestLimitExceeded",
            "TooManyRequests",
            "SlowDownRead",
            "SlowDownWrite");
    private static final Set<String> DENYING =
            Set.of("AccessDenied", "ExpiredToken", "InvalidToken", "InvalidAccessKeyId", "SignatureDoesNotMatch");
    private static final Set<String> EXISTING = Set.of("BucketAlreadyOwnedByYou", "BucketAlreadyExists");

    private S3Faults() {}

    static Failure of(Throwable fault, Operation operation) {
        if (fault instanceof AwsServiceException answered) return answered(answered, operation);
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            if (isBeforeSending(cause)) {
                return new Failure(Kind.UNAVAILABLE, "the object store is not reachable: " + cause.getMessage());
            }
        }
        return new Failure(
                lost(operation),
                "no whole answer from the object store to " + operation + ": "
                        + fault.getClass().getSimpleName());
    }

    /// What no answer, or one that says nothing, means.
    static Kind lost(Operation operation) {
        return operation.writes() ? Kind.UNKNOWN : Kind.UNAVAILABLE;
    }

    private static boolean isBeforeSending(Throwable cause) {
        return cause instanceof ConnectException
                || cause instanceof UnknownHostException
                || cause instanceof ConnectTimeoutException;
    }

    private static Failure answered(AwsServiceException fault, Operation operation) {
        AwsErrorDetails details = fault.awsErrorDetails();
        String told = details == null || details.errorCode() == null ? "" : details.errorCode();
        String message = "the object store answered " + fault.statusCode() + " " + told + " to " + operation
                + (fault.requestId() == null ? "" : " (request " + fault.requestId() + ")");
        return of(fault.statusCode(), told, message, operation);
    }

    /// What a status and S3's error code mean.
    static Failure of(int status, String code, String message, Operation operation) {
        if (status == 429 || THROTTLING.contains(code)) return new Failure(Kind.THROTTLED, "SlowDown", message);
        if (DENYING.contains(code)) return new Failure(Kind.FORBIDDEN, code, message);
        if (EXISTING.contains(code)) return new Failure(Kind.EXISTS, code, message);
        if (code.equals("RequestTimeout")) return new Failure(Kind.UNAVAILABLE, code, message);
        return switch (status) {
            case 401, 403 -> new Failure(Kind.FORBIDDEN, or(code, "AccessDenied"), message);
            case 404 -> new Failure(Kind.NOT_FOUND, or(code, "NoSuchKey"), message);
            case 409 -> new Failure(Kind.CONFLICT, or(code, "OperationAborted"), message);
            case 412 -> new Failure(Kind.CONFLICT, "PreconditionFailed", message);
            case 416 -> new Failure(Kind.INVALID, "InvalidRange", message);
            default -> {
                if (status >= 300 && status < 500) yield new Failure(Kind.INVALID, or(code, "InvalidRequest"), message);
                yield new Failure(lost(operation), message);
            }
        };
    }

    private static String or(String code, String otherwise) {
        return code.isEmpty() || code.chars().allMatch(Character::isDigit) ? otherwise : code;
    }
}
