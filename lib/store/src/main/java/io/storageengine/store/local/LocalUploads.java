package io.storageengine.store.local;

import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.Precondition;
import io.storageengine.core.store.PutOptions;
import io.storageengine.core.store.UploadInfo;
import io.storageengine.core.store.UploadedPart;
import io.storageengine.store.Failures;
import io.storageengine.store.Keys;
import io.storageengine.store.Names;
import io.storageengine.store.PartRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The multipart uploads of one bucket: a directory for each, with the file `upload` (an empty body; its tag says
/// which tags are wanted) and a file `part-<number>` for each part. They live until completed or aborted, also
/// over a restart.
final class LocalUploads {
    private static final Logger LOG = LoggerFactory.getLogger(LocalUploads.class);
    private static final String UPLOAD = "upload";
    private static final String PART = "part-";
    private static final Comparator<UploadInfo> ORDER =
            Comparator.comparing((UploadInfo upload) -> Keys.raw(upload.key())).thenComparing(UploadInfo::uploadId);
    private final Path uploads;
    private final Publisher publisher;
    private final LocalParts parts;

    LocalUploads(Path uploads, Publisher publisher, LocalParts parts) {
        this.uploads = uploads;
        this.publisher = publisher;
        this.parts = parts;
    }

    Outcome<String> create(String key, PutOptions options) {
        String uploadId = parts.names().next();
        try {
            Path draft = Files.createDirectory(parts.disk().temporary());
            PutOptions noMd5 = options.with(PutOptions.Etag.ANY);
            ObjectWriter.write(
                    draft.resolve(UPLOAD),
                    key,
                    Content.of(new byte[0]),
                    noMd5,
                    options.etag().name(),
                    parts.now());
            Disk.sync(draft);
            parts.disk().moveDirectory(draft, uploads.resolve(uploadId));
            return Outcome.ok(uploadId);
        } catch (IOException e) {
            return Faults.nothingWritten(e);
        }
    }

    private ObjectInfo upload(String key, String uploadId) throws IOException {
        if (!Names.isName(uploadId)) throw new NoSuchFileException(uploadId);
        ObjectInfo upload = ObjectFile.read(uploads.resolve(uploadId, UPLOAD)).info();
        if (!upload.key().equals(key)) throw new NoSuchFileException(uploadId);
        return upload;
    }

    private static PutOptions options(ObjectInfo upload) {
        PutOptions plain = new PutOptions(Precondition.NONE, upload.contentType(), upload.metadata());
        return plain.with(PutOptions.Etag.valueOf(upload.etag()));
    }

    Outcome<UploadedPart> put(String key, String uploadId, int number, Content content) {
        Path finished = parts.disk().temporary();
        try {
            PutOptions plain =
                    PutOptions.PLAIN.with(options(upload(key, uploadId)).etag());
            ObjectInfo info = ObjectWriter.write(
                    finished, key, content, plain, parts.names().next(), parts.now());
            Path target = partFile(uploadId, number);
            Files.move(finished, target, StandardCopyOption.ATOMIC_MOVE);
            Disk.sync(Disk.above(target));
            return Outcome.ok(new UploadedPart(number, info.etag(), info.sizeBytes(), info.lastModified()));
        } catch (NoSuchFileException e) {
            return Outcome.failed(Failures.noSuchUpload(uploadId));
        } catch (IOException e) {
            return Faults.unknown(e);
        } finally {
            Publisher.forget(finished);
        }
    }

    Outcome<NavigableMap<Integer, UploadedPart>> parts(String key, String uploadId) {
        try {
            upload(key, uploadId);
            return Outcome.ok(stored(uploadId));
        } catch (NoSuchFileException e) {
            return Outcome.failed(Failures.noSuchUpload(uploadId));
        } catch (IOException e) {
            return Faults.nothingWritten(e);
        }
    }

    private NavigableMap<Integer, UploadedPart> stored(String uploadId) throws IOException {
        NavigableMap<Integer, UploadedPart> stored = new TreeMap<>();
        for (Path file : Disk.entries(uploads.resolve(uploadId))) {
            String name = file.getFileName().toString();
            if (!name.startsWith(PART)) continue;
            int number = Integer.parseInt(name.substring(PART.length()));
            ObjectInfo info = ObjectFile.read(file).info();
            stored.put(number, new UploadedPart(number, info.etag(), info.sizeBytes(), info.lastModified()));
        }
        return stored;
    }

    Outcome<ObjectInfo> complete(String key, String uploadId, List<UploadedPart> named, Precondition precondition) {
        ReentrantLock lock = parts.uploadLocks().of(uploadId);
        lock.lock();
        try {
            return completeLocked(key, uploadId, named, precondition);
        } finally {
            lock.unlock();
        }
    }

    private Outcome<ObjectInfo> completeLocked(
            String key, String uploadId, List<UploadedPart> named, Precondition precondition) {
        Path finished = parts.disk().temporary();
        try {
            ObjectInfo upload = upload(key, uploadId);
            NavigableMap<Integer, UploadedPart> stored = stored(uploadId);
            Optional<Failure> fault = PartRules.fault(named, stored);
            if (fault.isPresent()) return Outcome.failed(fault.get());
            List<UploadedPart> chosen =
                    named.stream().map(part -> stored.get(part.number())).toList();
            ObjectInfo info = assemble(finished, uploadId, upload, chosen);
            return publisher.publish(finished, info, precondition).map(whole -> {
                discard(uploadId);
                return whole;
            });
        } catch (NoSuchFileException e) {
            return Outcome.failed(Failures.noSuchUpload(uploadId));
        } catch (IOException e) {
            return Faults.nothingWritten(e);
        } finally {
            Publisher.forget(finished);
        }
    }

    private ObjectInfo assemble(Path finished, String uploadId, ObjectInfo upload, List<UploadedPart> chosen)
            throws IOException {
        PutOptions options = options(upload);
        String tag = options.etag() == PutOptions.Etag.MD5
                ? PartRules.md5Etag(chosen)
                : parts.names().next() + "-" + chosen.size();
        List<Path> files =
                chosen.stream().map(part -> partFile(uploadId, part.number())).toList();
        long length = chosen.stream().mapToLong(UploadedPart::sizeBytes).sum();
        try (FilesStream bodies = new FilesStream(files)) {
            Content whole = new Content.Stream(length, bodies);
            return ObjectWriter.write(
                    finished, upload.key(), whole, options.with(PutOptions.Etag.ANY), tag, parts.now());
        }
    }

    private Path partFile(String uploadId, int number) {
        return uploads.resolve(uploadId, String.format(Locale.ROOT, "%s%05d", PART, number));
    }

    /// The object is there: what is left of the upload is rubbish, and is no reason to call the completion failed.
    private void discard(String uploadId) {
        try {
            parts.disk().discard(uploads.resolve(uploadId));
        } catch (IOException e) {
            LOG.atWarn().addKeyValue("upload", uploadId).setCause(e).log("a completed upload could not be removed");
        }
    }

    Outcome<Done> abort(String key, String uploadId) {
        ReentrantLock lock = parts.uploadLocks().of(uploadId);
        lock.lock();
        try {
            upload(key, uploadId);
            parts.disk().discard(uploads.resolve(uploadId));
            return Outcome.done();
        } catch (NoSuchFileException e) {
            return Outcome.failed(Failures.noSuchUpload(uploadId));
        } catch (IOException e) {
            return Faults.unknown(e);
        } finally {
            lock.unlock();
        }
    }

    Outcome<List<UploadInfo>> list(String prefix, String afterKey, String afterUploadId, int max) {
        UploadInfo after = new UploadInfo(afterKey, afterUploadId, Instant.EPOCH);
        try {
            List<UploadInfo> found = new ArrayList<>();
            for (Path directory : Disk.entries(uploads)) {
                Optional<UploadInfo> upload = inProgress(directory);
                upload.filter(each -> each.key().startsWith(prefix) && ORDER.compare(each, after) > 0)
                        .ifPresent(found::add);
            }
            return Outcome.ok(found.stream().sorted(ORDER).limit(max).toList());
        } catch (IOException e) {
            return Faults.nothingWritten(e);
        }
    }

    private static Optional<UploadInfo> inProgress(Path directory) throws IOException {
        try {
            ObjectInfo info = ObjectFile.read(directory.resolve(UPLOAD)).info();
            return Optional.of(
                    new UploadInfo(info.key(), directory.getFileName().toString(), info.lastModified()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}
