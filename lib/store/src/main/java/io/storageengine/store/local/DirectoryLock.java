package io.storageengine.store.local;

import io.storageengine.core.Failure.Kind;
import io.storageengine.core.Outcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps a data directory for one store of one process: the file `lock` in it, locked as long as the process lives.
///
/// The system forgets a process's lock when the process closes the file, opened anywhere: so within this process a
/// set says which directories are held, and the file is not opened a second time.
final class DirectoryLock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryLock.class);
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();
    private final FileChannel channel;
    private final Path directory;

    private DirectoryLock(FileChannel channel, Path directory) {
        this.channel = channel;
        this.directory = directory;
    }

    /// `CONFLICT` when another store, here or in another process, has the directory.
    static Outcome<DirectoryLock> take(Path path) throws IOException {
        Path directory = path.toRealPath();
        if (!HELD.add(directory)) return inUse(directory, ownPid());
        boolean isTaken = false;
        try {
            Outcome<DirectoryLock> lock = takeFile(directory);
            isTaken = lock.isOk();
            return lock;
        } finally {
            if (!isTaken) HELD.remove(directory);
        }
    }

    private static Outcome<DirectoryLock> takeFile(Path directory) throws IOException {
        Path file = directory.resolve("lock");
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        if (channel.tryLock() == null) {
            String holder = Files.readString(file).strip();
            channel.close();
            return inUse(directory, holder);
        }
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(ownPid().getBytes(StandardCharsets.US_ASCII)), 0);
        return Outcome.ok(new DirectoryLock(channel, directory));
    }

    private static String ownPid() {
        return Long.toString(ProcessHandle.current().pid());
    }

    private static Outcome<DirectoryLock> inUse(Path directory, String holder) {
        return Outcome.failed(
                Kind.CONFLICT,
                "DirectoryInUse",
                "the data directory " + directory + " is in use by process " + holder
                        + ": stop that process or choose another directory");
    }

    @Override
    public void close() {
        if (!channel.isOpen()) return;
        try {
            channel.close();
        } catch (IOException e) {
            LOG.atWarn().setCause(e).log("the lock of the data directory goes only with the process");
        }
        HELD.remove(directory);
    }
}
