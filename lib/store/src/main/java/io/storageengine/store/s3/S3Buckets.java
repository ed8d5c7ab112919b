package io.storageengine.store.s3;

import io.storageengine.core.Clock;
import io.storageengine.core.Done;
import io.storageengine.core.Failure.Kind;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.BucketInfo;
import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.store.BucketNames;
import io.storageengine.store.Failures;
import io.storageengine.store.Operation;
import io.storageengine.store.Retries;
import io.storageengine.store.RetryingStore;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.BucketLocationConstraint;
import software.amazon.awssdk.services.s3.model.CreateBucketRequest;

/// The buckets of a service that speaks the S3 API.
///
/// The SDK never repeats a request: a conditional PUT that landed, repeated, would answer 412 and look like a
/// loss. What certainly wrote nothing (throttled, not reachable) is repeated here; a write without a whole
/// answer is `UNKNOWN`.
public final class S3Buckets implements Buckets {
    private final S3Calls calls;
    private final Region region;
    private final Clock clock;
    private final RandomGenerator random;
    private final Retries retries;

    private S3Buckets(S3Calls calls, Region region, Clock clock, RandomGenerator random, Retries retries) {
        this.calls = calls;
        this.region = region;
        this.clock = clock;
        this.random = random;
        this.retries = retries;
    }

    /// Makes a client; no request. `INVALID` when region or credentials are nowhere to be found.
    ///
    /// @param random spreads repeated requests; thread-safe
    public static Outcome<S3Buckets> open(S3Options options, Clock clock, RandomGenerator random, Retries retries) {
        try {
            Region region = S3Client.region(options);
            S3AsyncClient client = S3Client.of(options, region);
            ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
            S3Calls calls = new S3Calls(client, threads, options.callMillis());
            return Outcome.ok(new S3Buckets(calls, region, clock, random, retries));
        } catch (SdkClientException e) {
            return Outcome.failed(
                    Kind.INVALID,
                    "the S3 client cannot start: set AWS_REGION, and AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or"
                            + " another source of the AWS SDK's default chain");
        }
    }

    @Override
    public ObjectStore bucket(String name) {
        return new RetryingStore(new S3Store(name, calls, clock), retries, clock, random);
    }

    @Override
    public Outcome<Done> create(String name) {
        if (!BucketNames.isValid(name)) return Outcome.failed(Failures.invalidBucketName());
        // In us-east-1 creating one's own bucket again succeeds: ask first.
        Outcome<Done> present = head(name);
        if (present.isOk()) return Outcome.failed(Failures.bucketExists(name));
        if (!present.failedWith(Kind.NOT_FOUND)) return present;
        CreateBucketRequest.Builder request = CreateBucketRequest.builder().bucket(name);
        if (!region.equals(Region.US_EAST_1)) {
            request.createBucketConfiguration(
                    location -> location.locationConstraint(BucketLocationConstraint.fromValue(region.id())));
        }
        return calls.call(Operation.PUT, () -> calls.client().createBucket(request.build()))
                .map(created -> Done.DONE);
    }

    @Override
    public Outcome<Done> head(String name) {
        if (!BucketNames.isValid(name)) return Outcome.failed(Failures.noSuchBucket(name));
        var answer = calls.call(Operation.HEAD, () -> calls.client().headBucket(request -> request.bucket(name)));
        // The answer to a HEAD has no body that could name the code.
        if (answer.failedWith(Kind.NOT_FOUND)) return Outcome.failed(Failures.noSuchBucket(name));
        return answer.map(present -> Done.DONE);
    }

    @Override
    public Outcome<Done> delete(String name) {
        if (!BucketNames.isValid(name)) return Outcome.failed(Failures.noSuchBucket(name));
        return calls.call(Operation.DELETE, () -> calls.client().deleteBucket(request -> request.bucket(name)))
                .map(deleted -> Done.DONE);
    }

    @Override
    public Outcome<List<BucketInfo>> list() {
        return calls.call(Operation.LIST, () -> calls.client().listBuckets())
                .map(answer -> answer.buckets().stream()
                        .map(bucket -> new BucketInfo(bucket.name(), bucket.creationDate()))
                        .toList());
    }

    @Override
    public void close() {
        calls.client().close();
        calls.threads().close();
    }
}
