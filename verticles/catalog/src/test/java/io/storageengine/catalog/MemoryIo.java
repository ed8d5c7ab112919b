package io.storageengine.catalog;

import io.storageengine.core.store.Buckets;
import io.storageengine.iceberg.StoreFileIO;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;

/// A FileIO that Iceberg's client makes by name, over the buckets of the test at hand.
public final class MemoryIo implements FileIO {
    static final AtomicReference<Buckets> BUCKETS = new AtomicReference<>();

    private static StoreFileIO io() {
        return new StoreFileIO(Objects.requireNonNull(BUCKETS.get()));
    }

    @Override
    public InputFile newInputFile(String path) {
        return io().newInputFile(path);
    }

    @Override
    public OutputFile newOutputFile(String path) {
        return io().newOutputFile(path);
    }

    @Override
    public void deleteFile(String path) {
        io().deleteFile(path);
    }
}
