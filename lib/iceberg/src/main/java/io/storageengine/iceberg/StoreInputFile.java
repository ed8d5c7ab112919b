package io.storageengine.iceberg;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.ObjectStore;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;

/// One object to read.
final class StoreInputFile implements InputFile {
    private final ObjectStore store;
    private final S3Location at;
    private final String location;
    private volatile long length;

    /// @param length in bytes; -1 when it is to be asked for when needed
    StoreInputFile(Buckets buckets, String location, long length) {
        this.at = S3Location.parse(location);
        this.store = buckets.bucket(at.bucket());
        this.location = location;
        this.length = length;
    }

    @Override
    public long getLength() {
        if (length < 0)
            length = StoreFailures.orThrow(store.head(at.key()), location).sizeBytes();
        return length;
    }

    @Override
    public SeekableInputStream newStream() {
        return new StoreInputStream(store, at.key(), location);
    }

    @Override
    public String location() {
        return location;
    }

    @Override
    public boolean exists() {
        Outcome<ObjectInfo> head = store.head(at.key());
        if (head.failedWith(Failure.Kind.NOT_FOUND)) return false;
        StoreFailures.orThrow(head, location);
        return true;
    }

    @Override
    public String toString() {
        return location;
    }
}
