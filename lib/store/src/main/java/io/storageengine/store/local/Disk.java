package io.storageengine.store.local;

import io.storageengine.store.Names;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;

/// Durable changes of the directory tree. A name is durable once its directory was synced, and a directory once
/// the one above it was: so directories are made and removed by one thread alone while no file is being placed,
/// and whoever finds a directory there finds a durable one.
final class Disk {
    /// Places a file into directories that are there.
    interface Placing {
        void place() throws IOException;
    }

    private final Path temp;
    private final Names names;
    private final ReentrantReadWriteLock tree = new ReentrantReadWriteLock();

    Disk(Path temp, Names names) {
        this.temp = temp;
        this.names = names;
    }

    /// A path for a file or directory that nobody sees; what is left there is deleted at the next start.
    Path temporary() {
        return temp.resolve(names.next());
    }

    /// Puts a finished file in the place of whatever is there. Directories below `root` are made.
    ///
    /// @throws java.nio.file.NoSuchFileException when `root` is gone
    void replace(Path finished, Path target, Path root) throws IOException {
        place(target, root, () -> Files.move(finished, target, StandardCopyOption.ATOMIC_MOVE));
    }

    /// Puts a finished file where none is.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException when one is there
    /// @throws java.nio.file.NoSuchFileException when `root` is gone
    void create(Path finished, Path target, Path root) throws IOException {
        place(target, root, () -> Files.createLink(target, finished));
    }

    private void place(Path target, Path root, Placing placing) throws IOException {
        Path directory = above(target);
        Lock shared = tree.readLock();
        shared.lock();
        try {
            if (Files.isDirectory(directory)) {
                placing.place();
                sync(directory);
                return;
            }
        } finally {
            shared.unlock();
        }
        alone(() -> {
            if (!Files.isDirectory(root)) throw new NoSuchFileException(root.toString());
            makeDirectories(directory);
            placing.place();
            sync(directory);
        });
    }

    /// Changes directories while no file is being placed.
    void alone(Placing change) throws IOException {
        tree.writeLock().lock();
        try {
            change.place();
        } finally {
            tree.writeLock().unlock();
        }
    }

    /// Moves a finished directory to its durable place, where nothing is.
    void moveDirectory(Path finished, Path target) throws IOException {
        Files.move(finished, target, StandardCopyOption.ATOMIC_MOVE);
        sync(above(target));
    }

    /// Makes all first and syncs then: file systems with a journal write it once for all of them.
    static void makeDirectories(Path directory) throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        for (Path path = directory; !Files.isDirectory(path); path = above(path)) missing.push(path);
        for (Path path : missing) Files.createDirectory(path);
        for (Path path : missing) sync(above(path));
    }

    /// Removes directories that became empty, from this one upwards, but not `root`.
    void prune(Path directory, Path root) throws IOException {
        if (directory.equals(root) || !isEmpty(directory)) return;
        alone(() -> {
            for (Path path = directory; !path.equals(root); path = above(path)) {
                if (!removeEmpty(path)) return;
            }
        });
    }

    private static boolean removeEmpty(Path directory) throws IOException {
        try {
            Files.deleteIfExists(directory);
            return true;
        } catch (DirectoryNotEmptyException e) {
            return false;
        }
    }

    /// The directory of a path below the data directory.
    static Path above(Path path) {
        return Objects.requireNonNull(path.getParent(), "a path below the data directory");
    }

    static boolean isEmpty(Path directory) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            return !entries.iterator().hasNext();
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /// Makes the names in a directory durable.
    static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /// Takes a directory out of sight, then deletes it with all that is in it.
    void discard(Path directory) throws IOException {
        Path hidden = temporary();
        Files.move(directory, hidden, StandardCopyOption.ATOMIC_MOVE);
        sync(above(directory));
        deleteTree(hidden);
    }

    static void deleteTree(Path path) throws IOException {
        try (Stream<Path> below = Files.walk(path)) {
            for (Path each : below.sorted((a, b) -> b.compareTo(a)).toList()) Files.deleteIfExists(each);
        }
    }

    static List<Path> entries(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.sorted().toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }
}
