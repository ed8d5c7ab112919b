package io.storageengine.commit;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// File access that remembers what it wrote, so that a lost draft can be cleaned up.
final class FileTrace implements FileIO {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(FileTrace.class);
    private final transient FileIO io;
    private final transient Set<String> written = ConcurrentHashMap.newKeySet();

    FileTrace(FileIO io) {
        this.io = io;
    }

    @Override
    public InputFile newInputFile(String path) {
        return io.newInputFile(path);
    }

    @Override
    public InputFile newInputFile(String path, long length) {
        return io.newInputFile(path, length);
    }

    @Override
    public OutputFile newOutputFile(String path) {
        written.add(path);
        return io.newOutputFile(path);
    }

    @Override
    public void deleteFile(String path) {
        io.deleteFile(path);
    }

    @Override
    public Map<String, String> properties() {
        return io.properties();
    }

    /// Deletes what was written; what cannot be deleted stays and is logged.
    void deleteFiles() {
        for (String path : written) {
            try {
                io.deleteFile(path);
            } catch (RuntimeException failed) {
                LOG.warn("A manifest of a lost commit stays behind: {}", path, failed);
            }
        }
        written.clear();
    }

    @Override
    public void close() {
        io.close();
    }
}
