package io.storageengine.store.s3;

import java.net.URI;
import java.util.Optional;

/// Which S3 service to talk to, and how. What is left open comes from the standard places of the AWS SDK
/// (`AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT_URL_S3`, profile files, instance roles).
///
/// @param endpoint the service's base address; empty for AWS itself
/// @param region the signing region; with an endpoint `us-east-1` where no place names one
/// @param pathStyle `endpoint/bucket/key` rather than `bucket.endpoint/key`
/// @param credentials empty for the SDK's default chain, which also renews them
/// @param callMillis deadline of a call; a call that carries a body gets 1 ms more per 256 bytes
public record S3Options(
        Optional<URI> endpoint,
        Optional<String> region,
        boolean pathStyle,
        Optional<Credentials> credentials,
        long callMillis) {
    public static final long CALL_MILLIS = 30_000;

    /// AWS itself, all from the standard places.
    public static final S3Options AWS =
            new S3Options(Optional.empty(), Optional.empty(), false, Optional.empty(), CALL_MILLIS);

    /// @param sessionToken empty for keys that do not expire
    public record Credentials(String accessKeyId, String secretAccessKey, String sessionToken) {
        /// Never the secret.
        @Override
        public String toString() {
            return "Credentials[" + accessKeyId + "]";
        }
    }

    public S3Options {
        if (callMillis < 1) throw new IllegalArgumentException("a deadline is 1 ms or more");
    }

    /// A service of its own, addressed by path.
    public static S3Options at(URI endpoint) {
        return new S3Options(Optional.of(endpoint), Optional.empty(), true, Optional.empty(), CALL_MILLIS);
    }

    public S3Options with(Credentials own) {
        return new S3Options(endpoint, region, pathStyle, Optional.of(own), callMillis);
    }

    public S3Options withRegion(String other) {
        return new S3Options(endpoint, Optional.of(other), pathStyle, credentials, callMillis);
    }

    public S3Options withPathStyle(boolean other) {
        return new S3Options(endpoint, region, other, credentials, callMillis);
    }

    public S3Options withCallMillis(long other) {
        return new S3Options(endpoint, region, pathStyle, credentials, other);
    }
}
