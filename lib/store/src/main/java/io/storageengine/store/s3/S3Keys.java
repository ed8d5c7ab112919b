package io.storageengine.store.s3;

import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.DeleteFault;
import io.storageengine.core.store.ListPage;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.store.Keys;
import io.storageengine.store.Operation;
import io.storageengine.store.PageFold;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import software.amazon.awssdk.services.s3.model.Delete;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;

/// Lists and deletes the keys of one bucket.
final class S3Keys {
    private static final int KEYS_PER_REQUEST = 1_000;
    private final String bucket;
    private final S3Calls calls;

    S3Keys(String bucket, S3Calls calls) {
        this.bucket = bucket;
        this.calls = calls;
    }

    /// Services differ in what they do with a page that begins inside a common prefix, so the page is folded here
    /// again.
    Outcome<ListPage> list(ListRequest request) {
        PageFold fold = new PageFold(request);
        while (true) {
            ListObjectsV2Request next = ListObjectsV2Request.builder()
                    .bucket(bucket)
                    .prefix(request.prefix())
                    .delimiter(request.delimiter().isEmpty() ? null : request.delimiter())
                    .startAfter(fold.startAfter().isEmpty() ? null : fold.startAfter())
                    .maxKeys(fold.free())
                    .encodingType(EncodingType.URL)
                    .build();
            var answer = calls.call(Operation.LIST, () -> calls.client().listObjectsV2(next));
            if (answer instanceof Outcome.Failed<ListObjectsV2Response>(Failure failure)) {
                return Outcome.failed(failure);
            }
            if (!add(answer.orThrow(), fold)) return Outcome.ok(fold.page());
        }
    }

    /// @return whether there is room, and more to come
    private static boolean add(ListObjectsV2Response answer, PageFold fold) {
        TreeMap<String, Optional<ObjectInfo>> items = new TreeMap<>();
        answer.contents().forEach(object -> items.put(Keys.raw(object.key()), Optional.of(S3Infos.of(object))));
        answer.commonPrefixes().forEach(common -> items.putIfAbsent(Keys.raw(common.prefix()), Optional.empty()));
        items.forEach((raw, info) -> fold.add(raw, () -> info));
        if (!Boolean.TRUE.equals(answer.isTruncated()) || items.isEmpty()) return false;
        if (fold.free() > 0) {
            fold.skipPast(items.lastKey());
            return true;
        }
        fold.cut();
        return false;
    }

    Outcome<Done> delete(String key) {
        return calls.call(
                        Operation.DELETE,
                        () -> calls.client()
                                .deleteObject(request -> request.bucket(bucket).key(key)))
                .map(deleted -> Done.DONE);
    }

    Outcome<List<DeleteFault>> deleteAll(List<String> keys) {
        List<DeleteFault> faults = new ArrayList<>();
        List<String> batchable = new ArrayList<>();
        for (String key : keys) {
            Optional<Failure> fault = Keys.fault(key);
            if (fault.isPresent()) faults.add(new DeleteFault(key, fault.get()));
            else if (isXml(key)) batchable.add(key);
            else addFault(faults, key, delete(key));
        }
        for (int at = 0; at < batchable.size(); at += KEYS_PER_REQUEST) {
            List<String> batch = batchable.subList(at, Math.min(batchable.size(), at + KEYS_PER_REQUEST));
            switch (deleteBatch(batch)) {
                case Outcome.Ok<List<DeleteFault>>(List<DeleteFault> some) -> faults.addAll(some);
                case Outcome.Failed<List<DeleteFault>>(Failure failure) -> {
                    if (at == 0) return Outcome.failed(failure);
                    batch.forEach(key -> faults.add(new DeleteFault(key, failure)));
                }
            }
        }
        return Outcome.ok(faults);
    }

    private static void addFault(List<DeleteFault> faults, String key, Outcome<Done> deleted) {
        if (deleted instanceof Outcome.Failed<Done>(Failure failure)) faults.add(new DeleteFault(key, failure));
    }

    private Outcome<List<DeleteFault>> deleteBatch(List<String> keys) {
        List<ObjectIdentifier> objects = keys.stream()
                .map(key -> ObjectIdentifier.builder().key(key).build())
                .toList();
        Delete delete = Delete.builder().objects(objects).quiet(true).build();
        return calls.call(
                        Operation.DELETE_ALL,
                        () -> calls.client()
                                .deleteObjects(request -> request.bucket(bucket).delete(delete)))
                .map(answer -> answer.errors().stream().map(S3Keys::fault).toList());
    }

    private static DeleteFault fault(S3Error error) {
        String code = Optional.ofNullable(error.code()).orElse("InternalError");
        Failure failure =
                S3Faults.of(500, code, "the object store answered " + code + " for this key", Operation.DELETE_ALL);
        return new DeleteFault(error.key(), failure);
    }

    /// False for keys with characters that XML 1.0 cannot hold or changes: they are deleted one by one.
    private static boolean isXml(String key) {
        return key.codePoints().allMatch(c -> c >= 0x20 && c != 0xfffe && c != 0xffff);
    }
}
