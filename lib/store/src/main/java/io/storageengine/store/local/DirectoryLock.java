package io.storageengine.store.local;

import io.storageengine.core.Failure.Kind;
import io.storageengine.core.Outcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// Keeps a data directory for one process: the file `lock` in it, locked as long as the process lives.
final class DirectoryLock implements AutoCloseable {
    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    /// `CONFLICT` when another store, here or in another process, has the directory.
    static Outcome<DirectoryLock> take(Path directory) throws IOException {
        Path file = directory.resolve("lock");
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        if (tryLock(channel) == null) {
            String holder = Files.readString(file).strip();
            channel.close();
            return Outcome.failed(
                    Kind.CONFLICT,
                    "DirectoryInUse",
                    "the data directory " + directory + " is in use by process " + holder
                            + ": stop that process or choose another directory");
        }
        String pid = Long.toString(ProcessHandle.current().pid());
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
        return Outcome.ok(new DirectoryLock(channel));
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The lock goes with the process at the latest.
            return;
        }
    }
}
