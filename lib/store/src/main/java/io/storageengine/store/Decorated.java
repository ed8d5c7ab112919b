package io.storageengine.store;

import io.storageengine.core.Done;
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
import java.util.List;
import java.util.function.Supplier;

/// A store around another one: every call passes through one method. Closing it closes the inner store.
abstract class Decorated implements ObjectStore {
    private static final int KEYS_PER_REQUEST = 1_000;
    private final ObjectStore inner;

    Decorated(ObjectStore inner) {
        this.inner = inner;
    }

    /// @param next makes the call on the inner store
    abstract <T> Outcome<T> call(Call call, Supplier<Outcome<T>> next);

    @Override
    public Outcome<ObjectInfo> head(String key) {
        return call(new Call(Operation.HEAD, key), () -> inner.head(key));
    }

    @Override
    public Outcome<ObjectBody> get(String key, ByteRange range) {
        return call(new Call(Operation.GET, key), () -> inner.get(key, range));
    }

    @Override
    public Outcome<ByteBuffer> read(String key) {
        return call(new Call(Operation.GET, key), () -> inner.read(key));
    }

    @Override
    public Outcome<ObjectInfo> put(String key, Content content, PutOptions options) {
        return call(withContent(Operation.PUT, key, content), () -> inner.put(key, content, options));
    }

    private static Call withContent(Operation operation, String key, Content content) {
        return new Call(operation, key, 1, content instanceof Content.Memory);
    }

    @Override
    public Outcome<Done> delete(String key) {
        return call(new Call(Operation.DELETE, key), () -> inner.delete(key));
    }

    @Override
    public Outcome<List<DeleteFault>> deleteAll(List<String> keys) {
        int requests = Math.ceilDiv(keys.size(), KEYS_PER_REQUEST);
        String first = keys.isEmpty() ? "" : keys.getFirst();
        return call(new Call(Operation.DELETE_ALL, first, requests, true), () -> inner.deleteAll(keys));
    }

    @Override
    public Outcome<ListPage> list(ListRequest request) {
        return call(new Call(Operation.LIST, request.prefix()), () -> inner.list(request));
    }

    @Override
    public Outcome<String> createUpload(String key, PutOptions options) {
        return call(new Call(Operation.CREATE_UPLOAD, key), () -> inner.createUpload(key, options));
    }

    @Override
    public Outcome<UploadedPart> uploadPart(String key, String uploadId, int number, Content content) {
        return call(
                withContent(Operation.UPLOAD_PART, key, content),
                () -> inner.uploadPart(key, uploadId, number, content));
    }

    @Override
    public Outcome<ObjectInfo> completeUpload(
            String key, String uploadId, List<UploadedPart> parts, Precondition precondition) {
        return call(
                new Call(Operation.COMPLETE_UPLOAD, key),
                () -> inner.completeUpload(key, uploadId, parts, precondition));
    }

    @Override
    public Outcome<Done> abortUpload(String key, String uploadId) {
        return call(new Call(Operation.ABORT_UPLOAD, key), () -> inner.abortUpload(key, uploadId));
    }

    @Override
    public Outcome<List<UploadedPart>> listParts(String key, String uploadId, int afterNumber, int max) {
        return call(new Call(Operation.LIST_PARTS, key), () -> inner.listParts(key, uploadId, afterNumber, max));
    }

    @Override
    public Outcome<List<UploadInfo>> listUploads(String prefix, String afterKey, String afterUploadId, int max) {
        return call(
                new Call(Operation.LIST_UPLOADS, prefix),
                () -> inner.listUploads(prefix, afterKey, afterUploadId, max));
    }

    @Override
    public void close() {
        inner.close();
    }
}
