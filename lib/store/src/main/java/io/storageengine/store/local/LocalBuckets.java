package io.storageengine.store.local;

import io.storageengine.core.Clock;
import io.storageengine.core.Done;
import io.storageengine.core.Failure.Kind;
import io.storageengine.core.Ids;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.BucketInfo;
import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.store.BucketNames;
import io.storageengine.store.Failures;
import io.storageengine.store.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Buckets on a local disk, for one process at a time.
///
/// What a call has acknowledged survives kill -9 and loss of power: a body is written to `temp/`, synced, and only
/// then linked (if absent) or renamed (replace) to its place, whose directory is synced before the answer. So a
/// half object is never seen. (A reader may see an object a moment before it is durable.) Below the data
/// directory: `lock`, `temp/` (emptied at start), `cluster/` and `buckets/<name>/`, each with `objects/`
/// ([Layout], [ObjectFile]), `uploads/<id>/` and `created`. The file system must have hard links.
public final class LocalBuckets implements Buckets {
    private static final int ROOT_LENGTH_MAX = 700;
    private final Path buckets;
    private final Path cluster;
    private final LocalParts parts;
    private final DirectoryLock lock;

    private LocalBuckets(Path data, LocalParts parts, DirectoryLock lock) {
        this.buckets = data.resolve("buckets");
        this.cluster = data.resolve("cluster");
        this.parts = parts;
        this.lock = lock;
    }

    /// Opens a data directory, making it where it is not there. `CONFLICT` (`DirectoryInUse`) when another process
    /// has it, `INVALID` when it cannot be used.
    public static Outcome<LocalBuckets> open(Path directory, Clock clock, Ids ids) {
        Path data = directory.toAbsolutePath().normalize();
        if (data.toString().length() > ROOT_LENGTH_MAX) {
            return Outcome.failed(Kind.INVALID, "choose a data directory whose path is shorter than " + data);
        }
        try {
            Files.createDirectories(data);
            return DirectoryLock.take(data).then(lock -> openLocked(data, clock, ids, lock));
        } catch (IOException e) {
            return cannotUse(data, e);
        }
    }

    private static Outcome<LocalBuckets> openLocked(Path data, Clock clock, Ids ids, DirectoryLock lock) {
        Path temp = data.resolve("temp");
        Names names = new Names(ids);
        LocalParts parts = new LocalParts(new Disk(temp, names), clock, names);
        LocalBuckets opened = new LocalBuckets(data, parts, lock);
        try {
            Disk.makeDirectories(temp);
            Disk.makeDirectories(opened.buckets);
            for (Path left : Disk.entries(temp)) Disk.deleteTree(left);
            opened.probeLinks();
            if (!Files.isDirectory(opened.cluster)) opened.make(opened.cluster);
            return Outcome.ok(opened);
        } catch (IOException | UnsupportedOperationException e) {
            lock.close();
            return cannotUse(data, e);
        }
    }

    private static Outcome<LocalBuckets> cannotUse(Path data, Exception fault) {
        return Outcome.failed(
                Kind.INVALID,
                "the data directory " + data + " cannot be used (it must be writable, on a file system with hard"
                        + " links): " + fault);
    }

    private void probeLinks() throws IOException {
        Path file = Files.createFile(parts.disk().temporary());
        Files.delete(Files.createLink(parts.disk().temporary(), file));
        Files.delete(file);
    }

    /// The store for operational data, beside the buckets.
    public ObjectStore cluster() {
        return new LocalStore(cluster, "cluster", parts);
    }

    @Override
    public ObjectStore bucket(String name) {
        return BucketNames.isValid(name) ? new LocalStore(buckets.resolve(name), name, parts) : noStore(name);
    }

    private ObjectStore noStore(String name) {
        return new LocalStore(parts.disk().temporary(), name, parts);
    }

    @Override
    public Outcome<Done> create(String name) {
        if (!BucketNames.isValid(name)) return Outcome.failed(Failures.invalidBucketName());
        Path bucket = buckets.resolve(name);
        List<Outcome<Done>> answer = new ArrayList<>();
        try {
            parts.disk().alone(() -> answer.add(createAlone(bucket, name)));
        } catch (IOException e) {
            return Faults.unknown(e);
        }
        return answer.getFirst();
    }

    private Outcome<Done> createAlone(Path bucket, String name) throws IOException {
        if (Files.isDirectory(bucket)) return Outcome.failed(Failures.bucketExists(name));
        make(bucket);
        return Outcome.done();
    }

    private void make(Path bucket) throws IOException {
        Path draft = Files.createDirectory(parts.disk().temporary());
        Files.createDirectory(draft.resolve(LocalStore.OBJECTS));
        Files.createDirectory(draft.resolve(LocalStore.UPLOADS));
        Files.writeString(draft.resolve("created"), Long.toString(parts.clock().wallMillis()));
        Disk.sync(draft.resolve("created"));
        Disk.sync(draft);
        parts.disk().moveDirectory(draft, bucket);
    }

    @Override
    public Outcome<Done> head(String name) {
        boolean isThere = BucketNames.isValid(name) && Files.isDirectory(buckets.resolve(name));
        return isThere ? Outcome.done() : Outcome.failed(Failures.noSuchBucket(name));
    }

    @Override
    public Outcome<Done> delete(String name) {
        Outcome<Done> present = head(name);
        if (!present.isOk()) return present;
        List<Outcome<Done>> answer = new ArrayList<>();
        try {
            parts.disk().alone(() -> answer.add(deleteAlone(name)));
        } catch (IOException e) {
            return Faults.unknown(e);
        }
        return answer.getFirst();
    }

    private Outcome<Done> deleteAlone(String name) throws IOException {
        Outcome<Done> present = head(name);
        if (!present.isOk()) return present;
        Path bucket = buckets.resolve(name);
        if (TreeWalk.hasObject(bucket.resolve(LocalStore.OBJECTS))) {
            return Outcome.failed(Failures.bucketNotEmpty(name));
        }
        parts.disk().discard(bucket);
        return Outcome.done();
    }

    @Override
    public Outcome<List<BucketInfo>> list() {
        try {
            List<BucketInfo> infos = new ArrayList<>();
            for (Path bucket : Disk.entries(buckets)) {
                String name = bucket.getFileName().toString();
                if (BucketNames.isValid(name)) infos.add(new BucketInfo(name, created(bucket)));
            }
            return Outcome.ok(infos);
        } catch (IOException e) {
            return Faults.nothingWritten(e);
        }
    }

    private static Instant created(Path bucket) throws IOException {
        try {
            return Instant.ofEpochMilli(Long.parseLong(Files.readString(bucket.resolve("created"))));
        } catch (NumberFormatException e) {
            throw new CorruptException("the file 'created' of a bucket is damaged");
        }
    }

    @Override
    public void close() {
        lock.close();
    }
}
