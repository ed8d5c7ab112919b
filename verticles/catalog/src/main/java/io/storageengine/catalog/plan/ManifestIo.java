package io.storageengine.catalog.plan;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.inmemory.InMemoryInputFile;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SeekableInputStream;

/// Reads manifests for one call: those that were fetched ahead, several at a time, out of memory.
final class ManifestIo implements FileIO {
    private static final long serialVersionUID = 1L;
    private static final int AT_ONCE = 16;

    private final transient FileIO files;
    private final transient Map<String, byte[]> ahead = new ConcurrentHashMap<>();
    private transient long roomBytes;

    /// @param aheadBytesMax what may be fetched ahead altogether
    ManifestIo(FileIO files, long aheadBytesMax) {
        this.files = files;
        this.roomBytes = aheadBytesMax;
    }

    /// Fetches these as far as there is room. A single one gains nothing by it.
    void fetch(List<ManifestFile> manifests) {
        if (manifests.size() < 2) return;
        Semaphore turns = new Semaphore(AT_ONCE);
        List<Future<?>> fetching = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (ManifestFile manifest : manifests) {
                if (manifest.length() < 0 || manifest.length() > roomBytes) continue;
                roomBytes -= manifest.length();
                fetching.add(threads.submit(() -> fetch(manifest, turns)));
            }
            for (Future<?> one : fetching) one.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException known) throw known;
            throw new FailureException(Failure.Kind.BUG, String.valueOf(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FailureException(Failure.Kind.UNAVAILABLE, "stopped while manifests were read");
        }
    }

    private void fetch(ManifestFile manifest, Semaphore turns) {
        turns.acquireUninterruptibly();
        try (SeekableInputStream in =
                files.newInputFile(manifest.path(), manifest.length()).newStream()) {
            ahead.put(manifest.path(), in.readNBytes((int) manifest.length()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            turns.release();
        }
    }

    @Override
    public InputFile newInputFile(String path) {
        byte[] bytes = ahead.get(path);
        return bytes == null ? files.newInputFile(path) : new InMemoryInputFile(path, bytes);
    }

    @Override
    public InputFile newInputFile(String path, long length) {
        byte[] bytes = ahead.get(path);
        return bytes == null ? files.newInputFile(path, length) : new InMemoryInputFile(path, bytes);
    }

    @Override
    public OutputFile newOutputFile(String path) {
        throw new UnsupportedOperationException("planning a scan writes nothing");
    }

    @Override
    public void deleteFile(String path) {
        throw new UnsupportedOperationException("planning a scan deletes nothing");
    }

    @Override
    public Map<String, String> properties() {
        return Map.of();
    }
}
