package io.storageengine.store;

import io.storageengine.core.Done;
import io.storageengine.core.Failure;
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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// The part of a bucket below a prefix, as if it were all: who holds it cannot name a key outside, as every key and
/// prefix gets the scope's put before it and keys mean nothing but their characters (`..` is no way up). The
/// scope ends with `/`, so that `acme/` does not hold `acme2/`. Closing it leaves the inner store open.
public final class ScopedStore implements ObjectStore {
    private final ObjectStore inner;
    private final String scope;

    /// @param scope ends with `/`; or is empty for the whole bucket
    public ScopedStore(ObjectStore inner, String scope) {
        if (!scope.isEmpty() && !scope.endsWith("/")) {
            throw new IllegalArgumentException("a scope ends with /, this does not: " + scope);
        }
        this.inner = inner;
        this.scope = scope;
    }

    private Outcome<String> outer(String key) {
        return key.isEmpty()
                ? Outcome.failed(new Failure(Failure.Kind.INVALID, "InvalidArgument", "a key is not empty"))
                : Outcome.ok(scope + key);
    }

    private String own(String outer) {
        if (!outer.startsWith(scope)) throw new IllegalStateException("the store answered with a key out of scope");
        return outer.substring(scope.length());
    }

    private ObjectInfo own(ObjectInfo info) {
        return new ObjectInfo(
                own(info.key()),
                info.sizeBytes(),
                info.etag(),
                info.lastModified(),
                info.contentType(),
                info.metadata());
    }

    @Override
    public Outcome<ObjectInfo> head(String key) {
        return outer(key).then(inner::head).map(this::own);
    }

    @Override
    public Outcome<ObjectBody> get(String key, ByteRange range) {
        return outer(key)
                .then(outer -> inner.get(outer, range))
                .map(body -> new ObjectBody(own(body.info()), body.first(), body.length(), body.stream()));
    }

    @Override
    public Outcome<ByteBuffer> read(String key) {
        return outer(key).then(inner::read);
    }

    @Override
    public Outcome<ObjectInfo> put(String key, Content content, PutOptions options) {
        return outer(key).then(outer -> inner.put(outer, content, options)).map(this::own);
    }

    @Override
    public Outcome<Done> delete(String key) {
        return outer(key).then(inner::delete);
    }

    @Override
    public Outcome<List<DeleteFault>> deleteAll(List<String> keys) {
        List<DeleteFault> faults = new ArrayList<>();
        List<String> outers = new ArrayList<>();
        for (String key : keys) {
            switch (outer(key)) {
                case Outcome.Ok<String>(String outer) -> outers.add(outer);
                case Outcome.Failed<String>(Failure failure) -> faults.add(new DeleteFault(key, failure));
            }
        }
        return inner.deleteAll(outers).map(found -> {
            found.forEach(fault -> faults.add(new DeleteFault(own(fault.key()), fault.failure())));
            return faults;
        });
    }

    @Override
    public Outcome<ListPage> list(ListRequest request) {
        String after = request.after().isEmpty() ? "" : scope + request.after();
        ListRequest outer = new ListRequest(scope + request.prefix(), request.delimiter(), after, request.max());
        return inner.list(outer)
                .map(page -> new ListPage(
                        page.objects().stream().map(this::own).toList(),
                        page.commonPrefixes().stream().map(this::own).toList(),
                        page.isLast() ? "" : own(page.next())));
    }

    @Override
    public Outcome<String> createUpload(String key, PutOptions options) {
        return outer(key).then(outer -> inner.createUpload(outer, options));
    }

    @Override
    public Outcome<UploadedPart> uploadPart(String key, String uploadId, int number, Content content) {
        return outer(key).then(outer -> inner.uploadPart(outer, uploadId, number, content));
    }

    @Override
    public Outcome<ObjectInfo> completeUpload(
            String key, String uploadId, List<UploadedPart> parts, Precondition precondition) {
        return outer(key)
                .then(outer -> inner.completeUpload(outer, uploadId, parts, precondition))
                .map(this::own);
    }

    @Override
    public Outcome<Done> abortUpload(String key, String uploadId) {
        return outer(key).then(outer -> inner.abortUpload(outer, uploadId));
    }

    @Override
    public Outcome<List<UploadedPart>> listParts(String key, String uploadId, int afterNumber, int max) {
        return outer(key).then(outer -> inner.listParts(outer, uploadId, afterNumber, max));
    }

    @Override
    public Outcome<List<UploadInfo>> listUploads(String prefix, String afterKey, String afterUploadId, int max) {
        String after = afterKey.isEmpty() ? "" : scope + afterKey;
        return inner.listUploads(scope + prefix, after, afterUploadId, max)
                .map(uploads -> uploads.stream()
                        .map(upload -> new UploadInfo(own(upload.key()), upload.uploadId(), upload.initiated()))
                        .toList());
    }

    @Override
    public void close() {}
}
