package io.storageengine.store;

import io.storageengine.core.Failure;
import io.storageengine.core.Failure.Kind;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.Precondition;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The failures that every adapter has, under S3's names.
public final class Failures {
    private Failures() {}

    public static Failure noSuchKey(String key) {
        return new Failure(Kind.NOT_FOUND, "NoSuchKey", "there is no object " + key);
    }

    public static Failure noSuchBucket(String bucket) {
        return new Failure(Kind.NOT_FOUND, "NoSuchBucket", "there is no bucket " + bucket);
    }

    public static Failure noSuchUpload(String uploadId) {
        return new Failure(Kind.NOT_FOUND, "NoSuchUpload", "there is no upload " + uploadId + " of this key");
    }

    public static Failure bucketExists(String bucket) {
        return new Failure(Kind.EXISTS, "BucketAlreadyOwnedByYou", "the bucket " + bucket + " is there already");
    }

    public static Failure bucketNotEmpty(String bucket) {
        return new Failure(Kind.CONFLICT, "BucketNotEmpty", "delete the objects of the bucket " + bucket + " first");
    }

    public static Failure invalidBucketName() {
        return new Failure(
                Kind.INVALID,
                "InvalidBucketName",
                "a bucket's name has 3 to 63 of a-z, 0-9, '.' and '-', begins and ends with a letter or digit,"
                        + " has no two dots in a row and is no IP address");
    }

    public static Failure preconditionFailed(String key) {
        return new Failure(Kind.CONFLICT, "PreconditionFailed", "the present object " + key + " is not as required");
    }

    /// Why a write may not happen over the present object.
    public static Optional<Failure> against(Precondition precondition, String key, @Nullable ObjectInfo present) {
        return switch (precondition) {
            case Precondition.None() -> Optional.empty();
            case Precondition.IfAbsent() -> present == null ? Optional.empty() : Optional.of(preconditionFailed(key));
            case Precondition.IfMatch(String etag) -> {
                if (present == null) yield Optional.of(noSuchKey(key));
                yield present.etag().equals(etag) ? Optional.empty() : Optional.of(preconditionFailed(key));
            }
        };
    }
}
