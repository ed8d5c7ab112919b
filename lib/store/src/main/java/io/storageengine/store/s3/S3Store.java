package io.storageengine.store.s3;

import io.storageengine.core.Clock;
import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.Failure.Kind;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.ByteRange;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.DeleteFault;
import io.storageengine.core.store.ListPage;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.ObjectBody;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.Precondition;
import io.storageengine.core.store.PutOptions;
import io.storageengine.core.store.UploadInfo;
import io.storageengine.core.store.UploadedPart;
import io.storageengine.store.BucketNames;
import io.storageengine.store.Failures;
import io.storageengine.store.Keys;
import io.storageengine.store.Operation;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/// One bucket of an S3 service.
final class S3Store implements ObjectStore {
    private final String bucket;
    private final S3Calls calls;
    private final Clock clock;
    private final S3Uploads uploads;
    private final S3Keys keys;

    S3Store(String bucket, S3Calls calls, Clock clock) {
        this.bucket = bucket;
        this.calls = calls;
        this.clock = clock;
        this.uploads = new S3Uploads(bucket, calls, clock);
        this.keys = new S3Keys(bucket, calls);
    }

    private Optional<Failure> fault(String key) {
        return Keys.fault(key).or(this::bucketFault);
    }

    private Optional<Failure> bucketFault() {
        return BucketNames.isValid(bucket) ? Optional.empty() : Optional.of(Failures.noSuchBucket(bucket));
    }

    @Override
    public Outcome<ObjectInfo> head(String key) {
        Optional<Failure> fault = fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        return calls.call(
                        Operation.HEAD,
                        () -> calls.client()
                                .headObject(request -> request.bucket(bucket).key(key)))
                .map(head -> S3Infos.of(key, head));
    }

    private GetObjectRequest getRequest(String key, ByteRange range) {
        return GetObjectRequest.builder()
                .bucket(bucket)
                .key(key)
                .range(S3Infos.header(range))
                .build();
    }

    @Override
    public Outcome<ObjectBody> get(String key, ByteRange range) {
        Optional<Failure> fault = fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        return calls.call(
                        Operation.GET,
                        () -> calls.client()
                                .getObject(getRequest(key, range), AsyncResponseTransformer.toBlockingInputStream()))
                .then(stream -> body(key, range, stream));
    }

    private static Outcome<ObjectBody> body(
            String key, ByteRange range, ResponseInputStream<GetObjectResponse> stream) {
        GetObjectResponse answer = stream.response();
        long length = answer.contentLength();
        boolean isWhole = range.equals(ByteRange.ALL);
        if (!isWhole && answer.contentRange() == null) {
            stream.abort();
            return Outcome.failed(Kind.UNAVAILABLE, "the object store answered a ranged read with the whole object");
        }
        long first = isWhole ? 0 : S3Infos.first(answer.contentRange());
        long size = isWhole ? length : S3Infos.size(answer.contentRange());
        return Outcome.ok(new ObjectBody(S3Infos.of(key, size, answer), first, length, new S3Body(stream, length)));
    }

    @Override
    public Outcome<ByteBuffer> read(String key) {
        Optional<Failure> fault = fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        return calls.call(
                        Operation.GET,
                        () -> calls.client()
                                .getObject(getRequest(key, ByteRange.ALL), AsyncResponseTransformer.toBytes()))
                .map(bytes -> bytes.asByteBuffer());
    }

    @Override
    public Outcome<ObjectInfo> put(String key, Content content, PutOptions options) {
        Optional<Failure> fault = fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        PutObjectRequest request = putRequest(key, content.length(), options);
        return S3Bodies.send(
                        calls, Operation.PUT, content, body -> calls.client().putObject(request, body))
                .map(answer -> new ObjectInfo(
                        key,
                        content.length(),
                        S3Infos.bare(answer.eTag()),
                        Instant.ofEpochMilli(clock.wallMillis()),
                        options.contentType(),
                        options.metadata()));
    }

    private PutObjectRequest putRequest(String key, long length, PutOptions options) {
        PutObjectRequest.Builder request = PutObjectRequest.builder()
                .bucket(bucket)
                .key(key)
                .contentLength(length)
                .contentType(options.contentType())
                .metadata(options.metadata())
                .overrideConfiguration(calls.deadline(length));
        switch (options.precondition()) {
            case Precondition.None() -> {}
            case Precondition.IfAbsent() -> request.ifNoneMatch("*");
            case Precondition.IfMatch(String etag) -> request.ifMatch(S3Infos.quoted(etag));
        }
        return request.build();
    }

    @Override
    public Outcome<Done> delete(String key) {
        Optional<Failure> fault = fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        return keys.delete(key);
    }

    @Override
    public Outcome<List<DeleteFault>> deleteAll(List<String> all) {
        Optional<Failure> fault = bucketFault();
        if (fault.isPresent()) return Outcome.failed(fault.get());
        return keys.deleteAll(all);
    }

    @Override
    public Outcome<ListPage> list(ListRequest request) {
        Optional<Failure> fault = bucketFault();
        if (fault.isPresent()) return Outcome.failed(fault.get());
        return keys.list(request);
    }

    @Override
    public Outcome<String> createUpload(String key, PutOptions options) {
        Optional<Failure> fault = fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        return uploads.create(key, options);
    }

    @Override
    public Outcome<UploadedPart> uploadPart(String key, String uploadId, int number, Content content) {
        Optional<Failure> fault = fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        return uploads.put(key, uploadId, number, content);
    }

    @Override
    public Outcome<ObjectInfo> completeUpload(
            String key, String uploadId, List<UploadedPart> parts, Precondition precondition) {
        Optional<Failure> fault = fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        return uploads.complete(key, uploadId, parts, precondition);
    }

    @Override
    public Outcome<Done> abortUpload(String key, String uploadId) {
        Optional<Failure> fault = fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        return uploads.abort(key, uploadId);
    }

    @Override
    public Outcome<List<UploadedPart>> listParts(String key, String uploadId, int afterNumber, int max) {
        Optional<Failure> fault = fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        return uploads.parts(key, uploadId, afterNumber, max);
    }

    @Override
    public Outcome<List<UploadInfo>> listUploads(String prefix, String afterKey, String afterUploadId, int max) {
        Optional<Failure> fault = bucketFault();
        if (fault.isPresent()) return Outcome.failed(fault.get());
        return uploads.list(prefix, afterKey, afterUploadId, max);
    }

    @Override
    public void close() {}
}
