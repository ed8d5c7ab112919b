package io.storageengine.store.local;

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
import io.storageengine.store.Failures;
import io.storageengine.store.Keys;
import io.storageengine.store.PageFold;
import io.storageengine.store.Span;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/// One bucket on a local disk.
final class LocalStore implements ObjectStore {
    static final String OBJECTS = "objects";
    static final String UPLOADS = "uploads";
    private final String name;
    private final Path objects;
    private final Publisher publisher;
    private final LocalUploads uploads;

    LocalStore(Path bucket, String name, LocalParts parts) {
        this.name = name;
        this.objects = bucket.resolve(OBJECTS);
        this.publisher = new Publisher(objects, parts);
        this.uploads = new LocalUploads(bucket.resolve(UPLOADS), publisher, parts);
    }

    private Optional<Failure> fault(String key) {
        return Keys.fault(key).or(this::bucketFault);
    }

    private Optional<Failure> bucketFault() {
        return Files.isDirectory(objects) ? Optional.empty() : Optional.of(Failures.noSuchBucket(name));
    }

    /// What failed because the bucket was deleted meanwhile.
    private <T> Outcome<T> orNoBucket(Outcome<T> answer) {
        return answer.isOk()
                ? answer
                : bucketFault().<Outcome<T>>map(Outcome::failed).orElse(answer);
    }

    private Path file(String key) {
        return Layout.file(objects, Keys.raw(key));
    }

    @Override
    public Outcome<ObjectInfo> head(String key) {
        Optional<Failure> fault = fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        try {
            return Outcome.ok(ObjectFile.read(file(key)).info());
        } catch (NoSuchFileException e) {
            return Outcome.failed(Failures.noSuchKey(key));
        } catch (IOException e) {
            return Faults.nothingWritten(e);
        }
    }

    @Override
    public Outcome<ObjectBody> get(String key, ByteRange range) {
        Optional<Failure> fault = fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        try {
            return open(FileChannel.open(file(key), StandardOpenOption.READ), range);
        } catch (NoSuchFileException e) {
            return Outcome.failed(Failures.noSuchKey(key));
        } catch (IOException e) {
            return Faults.nothingWritten(e);
        }
    }

    private static Outcome<ObjectBody> open(FileChannel channel, ByteRange range) throws IOException {
        boolean handedOn = false;
        try {
            ObjectFile file = ObjectFile.read(channel);
            Outcome<ObjectBody> body = Span.of(range, file.info().sizeBytes())
                    .map(span -> new ObjectBody(
                            file.info(), span.first(), span.length(), new BodyStream(channel, file, span)));
            handedOn = body.isOk();
            return body;
        } finally {
            if (!handedOn) channel.close();
        }
    }

    @Override
    public Outcome<ByteBuffer> read(String key) {
        return get(key, ByteRange.ALL).then(body -> {
            try (body) {
                return Outcome.ok(ByteBuffer.wrap(body.stream().readAllBytes()));
            } catch (IOException e) {
                return Faults.nothingWritten(e);
            }
        });
    }

    @Override
    public Outcome<ObjectInfo> put(String key, Content content, PutOptions options) {
        Optional<Failure> fault = fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        return orNoBucket(publisher.put(key, content, options));
    }

    @Override
    public Outcome<Done> delete(String key) {
        Optional<Failure> fault = fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        List<DeleteFault> faults = publisher.delete(List.of(key));
        return faults.isEmpty()
                ? Outcome.done()
                : Outcome.failed(faults.getFirst().failure());
    }

    @Override
    public Outcome<List<DeleteFault>> deleteAll(List<String> keys) {
        return bucketFault()
                .<Outcome<List<DeleteFault>>>map(Outcome::failed)
                .orElseGet(() -> Outcome.ok(publisher.delete(keys)));
    }

    @Override
    public Outcome<ListPage> list(ListRequest request) {
        Optional<Failure> fault = bucketFault();
        if (fault.isPresent()) return Outcome.failed(fault.get());
        PageFold fold = new PageFold(request);
        try {
            new TreeWalk(fold).walk(objects);
            return Outcome.ok(fold.page());
        } catch (IOException e) {
            return Faults.nothingWritten(e);
        }
    }

    @Override
    public Outcome<String> createUpload(String key, PutOptions options) {
        Optional<Failure> fault = fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        return orNoBucket(uploads.create(key, options));
    }

    @Override
    public Outcome<UploadedPart> uploadPart(String key, String uploadId, int number, Content content) {
        Optional<Failure> fault = fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        return uploads.put(key, uploadId, number, content);
    }

    @Override
    public Outcome<ObjectInfo> completeUpload(
            String key, String uploadId, List<UploadedPart> named, Precondition precondition) {
        Optional<Failure> fault = fault(key);
        if (fault.isPresent()) return Outcome.failed(fault.get());
        return orNoBucket(uploads.complete(key, uploadId, named, precondition));
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
        return uploads.parts(key, uploadId)
                .map(all -> all.tailMap(afterNumber, false).values().stream()
                        .limit(max)
                        .toList());
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
