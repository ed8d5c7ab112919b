package io.storageengine.catalog;

import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.BucketInfo;
import io.storageengine.core.store.Buckets;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Buckets that note every request, and that a test may make fail.
final class Watched implements Buckets {
    private final Buckets inner;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile Fault fault = (request, after) -> null;

    /// Decides what becomes of a request: null for nothing special.
    interface Fault {
        /// @param request `PUT bucket/key`
        /// @param after false before the request is done, true after it took effect
        @Nullable
        Failure of(String request, boolean after);
    }

    Watched(Buckets inner) {
        this.inner = inner;
    }

    void fail(Fault next) {
        fault = next;
    }

    void heal() {
        fault = (request, after) -> null;
    }

    /// The requests since the last call, as `PUT bucket/key`.
    List<String> drain() {
        List<String> all = List.copyOf(requests);
        requests.clear();
        return all;
    }

    private <T> Outcome<T> run(String request, BiFunction<Buckets, String, Outcome<T>> work) {
        requests.add(request);
        Failure before = fault.of(request, false);
        if (before != null) return Outcome.failed(before);
        Outcome<T> outcome = work.apply(inner, request);
        Failure after = fault.of(request, true);
        return after == null ? outcome : Outcome.failed(after);
    }

    @Override
    public ObjectStore bucket(String name) {
        return new Store(name, inner.bucket(name));
    }

    @Override
    public Outcome<Done> create(String name) {
        return run("CREATE " + name, (buckets, request) -> buckets.create(name));
    }

    @Override
    public Outcome<Done> head(String name) {
        return run("HEAD " + name, (buckets, request) -> buckets.head(name));
    }

    @Override
    public Outcome<Done> delete(String name) {
        return run("DELETE " + name, (buckets, request) -> buckets.delete(name));
    }

    @Override
    public Outcome<List<BucketInfo>> list() {
        return run("LIST", (buckets, request) -> buckets.list());
    }

    @Override
    public void close() {}

    private final class Store implements ObjectStore {
        private final String bucket;
        private final ObjectStore store;

        Store(String bucket, ObjectStore store) {
            this.bucket = bucket;
            this.store = store;
        }

        private String name(String verb, String key) {
            return verb + " " + bucket + "/" + key;
        }

        @Override
        public Outcome<ObjectInfo> head(String key) {
            return run(name("HEAD", key), (b, r) -> store.head(key));
        }

        @Override
        public Outcome<ObjectBody> get(String key, ByteRange range) {
            return run(name("GET", key), (b, r) -> store.get(key, range));
        }

        @Override
        public Outcome<ObjectInfo> put(String key, Content content, PutOptions options) {
            return run(name("PUT", key), (b, r) -> store.put(key, content, options));
        }

        @Override
        public Outcome<Done> delete(String key) {
            return run(name("DELETE", key), (b, r) -> store.delete(key));
        }

        @Override
        public Outcome<List<DeleteFault>> deleteAll(List<String> keys) {
            return run(name("DELETE", String.join(",", keys)), (b, r) -> store.deleteAll(keys));
        }

        @Override
        public Outcome<ListPage> list(ListRequest request) {
            return run(name("LIST", request.prefix()), (b, r) -> store.list(request));
        }

        @Override
        public Outcome<String> createUpload(String key, PutOptions options) {
            return store.createUpload(key, options);
        }

        @Override
        public Outcome<UploadedPart> uploadPart(String key, String uploadId, int number, Content content) {
            return store.uploadPart(key, uploadId, number, content);
        }

        @Override
        public Outcome<ObjectInfo> completeUpload(
                String key, String uploadId, List<UploadedPart> parts, Precondition precondition) {
            return store.completeUpload(key, uploadId, parts, precondition);
        }

        @Override
        public Outcome<Done> abortUpload(String key, String uploadId) {
            return store.abortUpload(key, uploadId);
        }

        @Override
        public Outcome<List<UploadedPart>> listParts(String key, String uploadId, int afterNumber, int max) {
            return store.listParts(key, uploadId, afterNumber, max);
        }

        @Override
        public Outcome<List<UploadInfo>> listUploads(String prefix, String afterKey, String afterUploadId, int max) {
            return store.listUploads(prefix, afterKey, afterUploadId, max);
        }

        @Override
        public Outcome<ByteBuffer> read(String key) {
            return run(name("GET", key), (b, r) -> store.read(key));
        }

        @Override
        public void close() {}
    }
}
