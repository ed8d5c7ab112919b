package io.storageengine.store.memory;

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
import io.storageengine.store.ContentException;
import io.storageengine.store.Failures;
import io.storageengine.store.Keys;
import io.storageengine.store.Names;
import io.storageengine.store.PageFold;
import io.storageengine.store.PartRules;
import io.storageengine.store.Span;
import io.storageengine.store.WholeStream;
import io.storageengine.store.memory.MemoryBucket.Part;
import io.storageengine.store.memory.MemoryBucket.Stored;
import io.storageengine.store.memory.MemoryBucket.Upload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/// One bucket in memory.
final class MemoryStore implements ObjectStore {
    private static final Comparator<UploadInfo> UPLOAD_ORDER =
            Comparator.comparing((UploadInfo upload) -> Keys.raw(upload.key())).thenComparing(UploadInfo::uploadId);
    private final String name;
    private final Supplier<Optional<MemoryBucket>> find;
    private final Clock clock;
    private final Names names;

    MemoryStore(String name, Supplier<Optional<MemoryBucket>> find, Clock clock, Names names) {
        this.name = name;
        this.find = find;
        this.clock = clock;
        this.names = names;
    }

    private <T> Outcome<T> inBucket(Function<MemoryBucket, Outcome<T>> work) {
        Optional<MemoryBucket> bucket = find.get();
        if (bucket.isEmpty()) return Outcome.failed(Failures.noSuchBucket(name));
        bucket.get().lock.lock();
        try {
            if (bucket.get().isClosed()) return Outcome.failed(Failures.noSuchBucket(name));
            return work.apply(bucket.get());
        } finally {
            bucket.get().lock.unlock();
        }
    }

    private Outcome<Stored> stored(String key) {
        Optional<Failure> fault = Keys.fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        return inBucket(bucket -> {
            Stored stored = bucket.objectsByRawKey.get(Keys.raw(key));
            return stored == null ? Outcome.failed(Failures.noSuchKey(key)) : Outcome.ok(stored);
        });
    }

    @Override
    public Outcome<ObjectInfo> head(String key) {
        return stored(key).map(Stored::info);
    }

    @Override
    public Outcome<ByteBuffer> read(String key) {
        return stored(key).map(stored -> stored.bytes().duplicate());
    }

    @Override
    public Outcome<ObjectBody> get(String key, ByteRange range) {
        return stored(key)
                .then(stored -> Span.of(range, stored.info().sizeBytes()).then(span -> open(stored, span)));
    }

    private static Outcome<ObjectBody> open(Stored stored, Span span) {
        Content part = Content.of(stored.bytes().slice((int) span.first(), (int) span.length()));
        try {
            return Outcome.ok(new ObjectBody(stored.info(), span.first(), span.length(), part.open()));
        } catch (IOException e) {
            return Outcome.failed(Failure.Kind.BUG, "memory cannot be read: " + e.getMessage());
        }
    }

    @Override
    public Outcome<ObjectInfo> put(String key, Content content, PutOptions options) {
        Optional<Failure> fault = Keys.fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        return bytes(content).then(bytes -> {
            String etag = etag(options, bytes);
            Map<String, String> metadata = new HashMap<>(options.metadata());
            metadata.putAll(options.lateMetadata().get());
            ObjectInfo info = new ObjectInfo(key, bytes.remaining(), etag, now(), options.contentType(), metadata);
            return inBucket(bucket -> publish(bucket, new Stored(info, bytes), options.precondition()));
        });
    }

    private static Outcome<ObjectInfo> publish(MemoryBucket bucket, Stored fresh, Precondition precondition) {
        String raw = Keys.raw(fresh.info().key());
        Stored present = bucket.objectsByRawKey.get(raw);
        Optional<Failure> fault =
                Failures.against(precondition, fresh.info().key(), present == null ? null : present.info());
        if (fault.isPresent()) return Outcome.failed(fault.get());
        bucket.objectsByRawKey.put(raw, fresh);
        return Outcome.ok(fresh.info());
    }

    private static Outcome<ByteBuffer> bytes(Content content) {
        try (WholeStream stream = WholeStream.of(content)) {
            ByteArrayOutputStream copy = new ByteArrayOutputStream((int) Math.min(content.length(), 1 << 20));
            stream.transferTo(copy);
            return Outcome.ok(ByteBuffer.wrap(copy.toByteArray()).asReadOnlyBuffer());
        } catch (ContentException e) {
            return Outcome.failed(e.failure());
        } catch (IOException e) {
            return Outcome.failed(Failure.Kind.BUG, "memory cannot be read: " + e.getMessage());
        }
    }

    private String etag(PutOptions options, ByteBuffer bytes) {
        return switch (options.etag()) {
            case ANY -> names.next();
            case MD5 -> {
                var md5 = PartRules.md5();
                md5.update(bytes.duplicate());
                yield HexFormat.of().formatHex(md5.digest());
            }
        };
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.wallMillis());
    }

    @Override
    public Outcome<Done> delete(String key) {
        Optional<Failure> fault = Keys.fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        return inBucket(bucket -> {
            bucket.objectsByRawKey.remove(Keys.raw(key));
            return Outcome.done();
        });
    }

    @Override
    public Outcome<List<DeleteFault>> deleteAll(List<String> keys) {
        return inBucket(bucket -> {
            List<DeleteFault> faults = new ArrayList<>();
            for (String key : keys) {
                Optional<Failure> fault = Keys.fault(key);
                if (fault.isPresent()) faults.add(new DeleteFault(key, fault.get()));
                else bucket.objectsByRawKey.remove(Keys.raw(key));
            }
            return Outcome.ok(faults);
        });
    }

    @Override
    public Outcome<ListPage> list(ListRequest request) {
        return inBucket(bucket -> {
            PageFold fold = new PageFold(request);
            var next = bucket.objectsByRawKey.ceilingEntry(fold.start());
            while (next != null && fold.mayHold(next.getKey())) {
                Stored stored = next.getValue();
                if (!fold.add(next.getKey(), () -> Optional.of(listed(stored.info())))) break;
                next = bucket.objectsByRawKey.ceilingEntry(fold.start());
            }
            return Outcome.ok(fold.page());
        });
    }

    private static ObjectInfo listed(ObjectInfo info) {
        return new ObjectInfo(
                info.key(), info.sizeBytes(), info.etag(), info.lastModified(), info.contentType(), Map.of());
    }

    @Override
    public Outcome<String> createUpload(String key, PutOptions options) {
        Optional<Failure> fault = Keys.fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        return inBucket(bucket -> {
            String uploadId = names.next();
            bucket.uploadsById.put(uploadId, new Upload(key, options, now(), new TreeMap<>()));
            return Outcome.ok(uploadId);
        });
    }

    private <T> Outcome<T> inUpload(String key, String uploadId, Function<Upload, Outcome<T>> work) {
        return inBucket(bucket -> {
            Upload upload = bucket.uploadsById.get(uploadId);
            if (upload == null || !upload.key().equals(key)) return Outcome.failed(Failures.noSuchUpload(uploadId));
            return work.apply(upload);
        });
    }

    @Override
    public Outcome<UploadedPart> uploadPart(String key, String uploadId, int number, Content content) {
        return inUpload(key, uploadId, upload -> Outcome.ok(upload.options()))
                .then(options -> bytes(content).then(bytes -> {
                    UploadedPart info = new UploadedPart(number, etag(options, bytes), bytes.remaining(), now());
                    return inUpload(key, uploadId, upload -> {
                        upload.parts().put(number, new Part(info, bytes));
                        return Outcome.ok(info);
                    });
                }));
    }

    @Override
    public Outcome<ObjectInfo> completeUpload(
            String key, String uploadId, List<UploadedPart> parts, Precondition precondition) {
        return inUpload(key, uploadId, upload -> {
            Map<Integer, UploadedPart> stored = new HashMap<>();
            upload.parts().forEach((number, part) -> stored.put(number, part.info()));
            Optional<Failure> fault = PartRules.fault(parts, stored);
            if (fault.isPresent()) return Outcome.failed(fault.get());
            Stored whole = assemble(upload, parts);
            return inBucket(bucket -> publish(bucket, whole, precondition).map(info -> {
                bucket.uploadsById.remove(uploadId);
                return info;
            }));
        });
    }

    private Stored assemble(Upload upload, List<UploadedPart> parts) {
        List<ByteBuffer> bodies = parts.stream()
                .map(part -> upload.parts().get(part.number()))
                .map(part -> part.bytes().duplicate())
                .toList();
        ByteBuffer whole = ByteBuffer.allocate(
                bodies.stream().mapToInt(ByteBuffer::remaining).sum());
        bodies.forEach(whole::put);
        whole.flip();
        String etag = upload.options().etag() == PutOptions.Etag.MD5
                ? PartRules.md5Etag(parts)
                : names.next() + "-" + parts.size();
        ObjectInfo info = new ObjectInfo(
                upload.key(),
                whole.remaining(),
                etag,
                now(),
                upload.options().contentType(),
                upload.options().metadata());
        return new Stored(info, whole.asReadOnlyBuffer());
    }

    @Override
    public Outcome<Done> abortUpload(String key, String uploadId) {
        return inUpload(
                key,
                uploadId,
                upload -> inBucket(bucket -> {
                    bucket.uploadsById.remove(uploadId);
                    return Outcome.done();
                }));
    }

    @Override
    public Outcome<List<UploadedPart>> listParts(String key, String uploadId, int afterNumber, int max) {
        return inUpload(
                key,
                uploadId,
                upload -> Outcome.ok(upload.parts().tailMap(afterNumber, false).values().stream()
                        .limit(max)
                        .map(Part::info)
                        .toList()));
    }

    @Override
    public Outcome<List<UploadInfo>> listUploads(String prefix, String afterKey, String afterUploadId, int max) {
        UploadInfo after = new UploadInfo(afterKey, afterUploadId, Instant.EPOCH);
        return inBucket(bucket -> Outcome.ok(bucket.uploadsById.entrySet().stream()
                .map(entry -> new UploadInfo(
                        entry.getValue().key(), entry.getKey(), entry.getValue().initiated()))
                .filter(upload -> upload.key().startsWith(prefix) && UPLOAD_ORDER.compare(upload, after) > 0)
                .sorted(UPLOAD_ORDER)
                .limit(max)
                .toList()));
    }

    @Override
    public void close() {}
}
