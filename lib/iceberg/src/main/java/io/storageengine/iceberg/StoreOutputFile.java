package io.storageengine.iceberg;

import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.PutOptions;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;

/// One object to write; it is there, whole, once its stream was closed.
final class StoreOutputFile implements OutputFile {
    private final Buckets buckets;
    private final ObjectStore store;
    private final S3Location at;
    private final String location;

    StoreOutputFile(Buckets buckets, String location) {
        this.buckets = buckets;
        this.at = S3Location.parse(location);
        this.store = buckets.bucket(at.bucket());
        this.location = location;
    }

    /// Creates, never replaces: `AlreadyExistsException` when the stream is closed and somebody else's file is
    /// there. An answer that got lost is told as `UNKNOWN`: where names are unique, [#createOrOverwrite] can
    /// be repeated and is the better choice.
    @Override
    public PositionOutputStream create() {
        return new StoreOutputStream(store, at.key(), location, PutOptions.IF_ABSENT);
    }

    @Override
    public PositionOutputStream createOrOverwrite() {
        return new StoreOutputStream(store, at.key(), location, PutOptions.PLAIN);
    }

    @Override
    public String location() {
        return location;
    }

    @Override
    public InputFile toInputFile() {
        return new StoreInputFile(buckets, location, -1);
    }

    @Override
    public String toString() {
        return location;
    }
}
