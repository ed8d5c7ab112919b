package io.storageengine.store.s3;

import io.storageengine.core.Clock;
import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.Precondition;
import io.storageengine.core.store.PutOptions;
import io.storageengine.core.store.UploadInfo;
import io.storageengine.core.store.UploadedPart;
import io.storageengine.store.Keys;
import io.storageengine.store.Operation;
import io.storageengine.store.PartRules;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsRequest;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/// The multipart uploads of one bucket.
final class S3Uploads {
    private final String bucket;
    private final S3Calls calls;
    private final Clock clock;

    S3Uploads(String bucket, S3Calls calls, Clock clock) {
        this.bucket = bucket;
        this.calls = calls;
        this.clock = clock;
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.wallMillis());
    }

    Outcome<String> create(String key, PutOptions options) {
        return calls.call(
                        Operation.CREATE_UPLOAD,
                        () -> calls.client()
                                .createMultipartUpload(request -> request.bucket(bucket)
                                        .key(key)
                                        .contentType(options.contentType())
                                        .metadata(options.metadata())))
                .map(answer -> answer.uploadId());
    }

    Outcome<UploadedPart> put(String key, String uploadId, int number, Content content) {
        UploadPartRequest request = UploadPartRequest.builder()
                .bucket(bucket)
                .key(key)
                .uploadId(uploadId)
                .partNumber(number)
                .contentLength(content.length())
                .overrideConfiguration(calls.deadline(content.length()))
                .build();
        return S3Bodies.send(
                        calls,
                        Operation.UPLOAD_PART,
                        content,
                        body -> calls.client().uploadPart(request, body))
                .map(answer -> new UploadedPart(number, S3Infos.bare(answer.eTag()), content.length(), now()));
    }

    Outcome<ObjectInfo> complete(String key, String uploadId, List<UploadedPart> parts, Precondition precondition) {
        Optional<Failure> fault = PartRules.orderFault(parts);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        List<CompletedPart> named = parts.stream()
                .map(part -> CompletedPart.builder()
                        .partNumber(part.number())
                        .eTag(S3Infos.quoted(part.etag()))
                        .build())
                .toList();
        CompleteMultipartUploadRequest.Builder request = CompleteMultipartUploadRequest.builder()
                .bucket(bucket)
                .key(key)
                .uploadId(uploadId)
                .multipartUpload(upload -> upload.parts(named));
        switch (precondition) {
            case Precondition.None() -> {}
            case Precondition.IfAbsent() -> request.ifNoneMatch("*");
            case Precondition.IfMatch(String etag) -> request.ifMatch(S3Infos.quoted(etag));
        }
        long size = parts.stream().mapToLong(UploadedPart::sizeBytes).sum();
        return calls.call(Operation.COMPLETE_UPLOAD, () -> calls.client().completeMultipartUpload(request.build()))
                .map(answer -> new ObjectInfo(
                        key, size, S3Infos.bare(answer.eTag()), now(), PutOptions.PLAIN.contentType(), Map.of()));
    }

    Outcome<Done> abort(String key, String uploadId) {
        return calls.call(
                        Operation.ABORT_UPLOAD,
                        () -> calls.client()
                                .abortMultipartUpload(request ->
                                        request.bucket(bucket).key(key).uploadId(uploadId)))
                .map(aborted -> Done.DONE);
    }

    Outcome<List<UploadedPart>> parts(String key, String uploadId, int afterNumber, int max) {
        return calls.call(
                        Operation.LIST_PARTS,
                        () -> calls.client()
                                .listParts(request -> request.bucket(bucket)
                                        .key(key)
                                        .uploadId(uploadId)
                                        .partNumberMarker(afterNumber)
                                        .maxParts(max)))
                .map(answer -> answer.parts().stream()
                        .map(part -> new UploadedPart(
                                part.partNumber(), S3Infos.bare(part.eTag()), part.size(), or(part.lastModified())))
                        .toList());
    }

    private static Instant or(@Nullable Instant modified) {
        return Optional.ofNullable(modified).orElse(Instant.EPOCH);
    }

    Outcome<List<UploadInfo>> list(String prefix, String afterKey, String afterUploadId, int max) {
        ListMultipartUploadsRequest request = ListMultipartUploadsRequest.builder()
                .bucket(bucket)
                .prefix(prefix)
                .keyMarker(afterKey.isEmpty() ? null : afterKey)
                .uploadIdMarker(afterKey.isEmpty() ? null : afterUploadId)
                .maxUploads(max)
                .encodingType(EncodingType.URL)
                .build();
        return calls.call(Operation.LIST_UPLOADS, () -> calls.client().listMultipartUploads(request))
                .map(answer -> answer.uploads().stream()
                        .map(upload -> new UploadInfo(upload.key(), upload.uploadId(), or(upload.initiated())))
                        .filter(upload -> isAfter(upload, afterKey, afterUploadId))
                        .sorted(Comparator.comparing(upload -> Keys.raw(upload.key())))
                        .limit(max)
                        .toList());
    }

    /// Not all services look at the markers.
    private static boolean isAfter(UploadInfo upload, String afterKey, String afterUploadId) {
        int order = Keys.raw(upload.key()).compareTo(Keys.raw(afterKey));
        return order > 0 || (order == 0 && !upload.uploadId().equals(afterUploadId));
    }
}
