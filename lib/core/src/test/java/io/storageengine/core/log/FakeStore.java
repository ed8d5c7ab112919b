package io.storageengine.core.log;

import io.storageengine.core.Clock;
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
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/// Objects in memory; writes down each request and does to the next PUTs what a test asks for.
final class FakeStore implements ObjectStore {
    /// Each request as `PUT key`, `GET key`, `LIST prefix`, `DELETE n`.
    final List<String> requests = new ArrayList<>();

    private final NavigableMap<String, Held> objects = new TreeMap<>();
    private final Deque<Fault> faults = new ArrayDeque<>();
    private final Clock clock;
    private int writes;

    FakeStore(Clock clock) {
        this.clock = clock;
    }

    /// What happens to one PUT: it gets the real PUT and answers what it likes.
    interface Fault {
        Outcome<ObjectInfo> put(Supplier<Outcome<ObjectInfo>> real);
    }

    void onNextPut(Fault fault) {
        faults.add(fault);
    }

    void loseRequest() {
        onNextPut(real -> unknown());
    }

    void loseAnswer() {
        onNextPut(real -> real.get().then(info -> unknown()));
    }

    private static Outcome<ObjectInfo> unknown() {
        return Outcome.failed(Failure.Kind.UNKNOWN, "no answer");
    }

    List<String> keys() {
        return List.copyOf(objects.keySet());
    }

    byte[] bytes(String key) {
        return held(key).orThrow().bytes.clone();
    }

    void overwrite(String key, byte[] bytes) {
        objects.put(key, new Held(bytes, info(key, bytes.length)));
    }

    void remove(String key) {
        objects.remove(key);
    }

    private static final class Held {
        final byte[] bytes;
        final ObjectInfo info;

        Held(byte[] bytes, ObjectInfo info) {
            this.bytes = bytes;
            this.info = info;
        }
    }

    private ObjectInfo info(String key, long length) {
        Instant now = Instant.ofEpochMilli(clock.wallMillis());
        return new ObjectInfo(key, length, "e" + writes++, now, "application/octet-stream", Map.of());
    }

    private Outcome<Held> held(String key) {
        Held held = objects.get(key);
        return held == null ? Outcome.failed(Failure.Kind.NOT_FOUND, "NoSuchKey", key) : Outcome.ok(held);
    }

    @Override
    public Outcome<ObjectInfo> head(String key) {
        requests.add("HEAD " + key);
        return held(key).map(one -> one.info);
    }

    @Override
    public Outcome<ObjectBody> get(String key, ByteRange range) {
        requests.add("GET " + key);
        return held(key).map(held -> {
            byte[] part = switch (range) {
                case ByteRange.From(long first) -> Arrays.copyOfRange(held.bytes, (int) first, held.bytes.length);
                case ByteRange.Between(long first, long last) ->
                    Arrays.copyOfRange(held.bytes, (int) first, (int) Math.min(last + 1, held.bytes.length));
                case ByteRange.Suffix(long length) ->
                    Arrays.copyOfRange(held.bytes, (int) Math.max(0, held.bytes.length - length), held.bytes.length);
            };
            return new ObjectBody(held.info, 0, part.length, new ByteArrayInputStream(part));
        });
    }

    @Override
    public Outcome<ByteBuffer> read(String key) {
        requests.add("GET " + key);
        return held(key).map(held -> ByteBuffer.wrap(held.bytes));
    }

    @Override
    public Outcome<ObjectInfo> put(String key, Content content, PutOptions options) {
        requests.add("PUT " + key);
        Fault fault = faults.poll();
        return fault == null ? really(key, content, options) : fault.put(() -> really(key, content, options));
    }

    private Outcome<ObjectInfo> really(String key, Content content, PutOptions options) {
        Held held = objects.get(key);
        boolean holds = switch (options.precondition()) {
            case Precondition.None none -> true;
            case Precondition.IfAbsent absent -> held == null;
            case Precondition.IfMatch(String etag) ->
                held != null && held.info.etag().equals(etag);
        };
        if (!holds) return Outcome.failed(Failure.Kind.CONFLICT, "PreconditionFailed", key);
        try {
            overwrite(key, content.open().readAllBytes());
        } catch (IOException e) {
            return Outcome.failed(Failure.Kind.INVALID, "IncompleteBody", key);
        }
        return held(key).map(one -> one.info);
    }

    @Override
    public Outcome<Done> delete(String key) {
        requests.add("DELETE 1");
        objects.remove(key);
        return Outcome.done();
    }

    @Override
    public Outcome<List<DeleteFault>> deleteAll(List<String> keys) {
        requests.add("DELETE " + keys.size());
        keys.forEach(objects::remove);
        return Outcome.ok(List.of());
    }

    @Override
    public Outcome<ListPage> list(ListRequest request) {
        requests.add("LIST " + request.prefix());
        List<ObjectInfo> found = objects.tailMap(request.after(), false).values().stream()
                .map(one -> one.info)
                .filter(info -> info.key().startsWith(request.prefix()))
                .limit(request.max() + 1L)
                .toList();
        boolean more = found.size() > request.max();
        List<ObjectInfo> page = more ? found.subList(0, request.max()) : found;
        return Outcome.ok(new ListPage(page, List.of(), more ? page.getLast().key() : ""));
    }

    @Override
    public Outcome<String> createUpload(String key, PutOptions options) {
        return notHere();
    }

    @Override
    public Outcome<UploadedPart> uploadPart(String key, String uploadId, int number, Content content) {
        return notHere();
    }

    @Override
    public Outcome<ObjectInfo> completeUpload(
            String key, String uploadId, List<UploadedPart> parts, Precondition precondition) {
        return notHere();
    }

    @Override
    public Outcome<Done> abortUpload(String key, String uploadId) {
        return notHere();
    }

    @Override
    public Outcome<List<UploadedPart>> listParts(String key, String uploadId, int afterNumber, int max) {
        return notHere();
    }

    @Override
    public Outcome<List<UploadInfo>> listUploads(String prefix, String afterKey, String afterUploadId, int max) {
        return notHere();
    }

    private static <T> Outcome<T> notHere() {
        return Outcome.failed(Failure.Kind.BUG, "the log uploads nothing in parts");
    }

    @Override
    public void close() {}
}
