package io.storageengine.store.local;

import io.storageengine.core.Failure;
import io.storageengine.core.Failure.Kind;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.DeleteFault;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.Precondition;
import io.storageengine.core.store.PutOptions;
import io.storageengine.store.Failures;
import io.storageengine.store.Keys;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Makes finished objects visible, and takes them away, one change of a key at a time.
final class Publisher {
    private final Path objects;
    private final LocalParts parts;

    Publisher(Path objects, LocalParts parts) {
        this.objects = objects;
        this.parts = parts;
    }

    private Path file(String key) {
        return Layout.file(objects, Keys.raw(key));
    }

    private ReentrantLock lock(Path target) {
        return parts.locks().of(target);
    }

    Outcome<ObjectInfo> put(String key, Content content, PutOptions options) {
        Path finished = parts.disk().temporary();
        try {
            return put(key, content, options, finished);
        } finally {
            forget(finished);
        }
    }

    private Outcome<ObjectInfo> put(String key, Content content, PutOptions options, Path finished) {
        ObjectInfo info;
        try {
            Optional<Failure> early = early(key, options.precondition());
            if (early.isPresent()) return Outcome.failed(early.get());
            info = ObjectWriter.write(
                    finished, key, content, options, parts.names().next(), parts.now());
        } catch (IOException e) {
            return Faults.nothingWritten(e);
        }
        return publish(finished, info, options.precondition());
    }

    /// Spares the writing of an object that is refused already now. Behind the lock, as what refuses it must be
    /// durable.
    private Optional<Failure> early(String key, Precondition precondition) throws IOException {
        if (precondition instanceof Precondition.None) return Optional.empty();
        Path target = file(key);
        ReentrantLock lock = lock(target);
        lock.lock();
        try {
            return Failures.against(precondition, key, present(target));
        } finally {
            lock.unlock();
        }
    }

    private static @Nullable ObjectInfo present(Path target) throws IOException {
        try {
            return ObjectFile.read(target).info();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /// Makes a finished file the object of its key.
    Outcome<ObjectInfo> publish(Path finished, ObjectInfo info, Precondition precondition) {
        Path target = file(info.key());
        ReentrantLock lock = lock(target);
        lock.lock();
        try {
            return publishLocked(finished, target, info, precondition);
        } catch (FileAlreadyExistsException e) {
            return Outcome.failed(Failures.preconditionFailed(info.key()));
        } catch (IOException e) {
            return Faults.unknown(e);
        } finally {
            lock.unlock();
        }
    }

    private Outcome<ObjectInfo> publishLocked(Path finished, Path target, ObjectInfo info, Precondition precondition)
            throws IOException {
        switch (precondition) {
            case Precondition.None() -> parts.disk().replace(finished, target, objects);
            case Precondition.IfAbsent() -> parts.disk().create(finished, target, objects);
            case Precondition.IfMatch match -> {
                Optional<Failure> fault = Failures.against(match, info.key(), present(target));
                if (fault.isPresent()) return Outcome.failed(fault.get());
                parts.disk().replace(finished, target, objects);
            }
        }
        return Outcome.ok(info);
    }

    static void forget(Path finished) {
        try {
            Files.deleteIfExists(finished);
        } catch (IOException e) {
            // The next start empties the directory.
            return;
        }
    }

    /// Deletes keys; each directory that lost files is synced once.
    List<DeleteFault> delete(List<String> keys) {
        List<DeleteFault> faults = new ArrayList<>();
        Map<Path, List<String>> gone = new LinkedHashMap<>();
        for (String key : keys) {
            Optional<Failure> fault = Keys.fault(key).or(() -> deleteFile(key, gone));
            fault.ifPresent(failure -> faults.add(new DeleteFault(key, failure)));
        }
        gone.forEach((directory, inside) -> {
            try {
                Disk.sync(directory);
                parts.disk().prune(directory, objects);
            } catch (NoSuchFileException e) {
                // Another thread pruned it: its deletions are durable with the directory's own.
                return;
            } catch (IOException e) {
                Failure failure = Faults.of(e, Kind.UNKNOWN);
                inside.forEach(key -> faults.add(new DeleteFault(key, failure)));
            }
        });
        return faults;
    }

    private Optional<Failure> deleteFile(String key, Map<Path, List<String>> gone) {
        Path target = file(key);
        ReentrantLock lock = lock(target);
        lock.lock();
        try {
            if (Files.deleteIfExists(target)) {
                gone.computeIfAbsent(Disk.above(target), directory -> new ArrayList<>())
                        .add(key);
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(Faults.of(e, Kind.UNKNOWN));
        } finally {
            lock.unlock();
        }
    }
}
