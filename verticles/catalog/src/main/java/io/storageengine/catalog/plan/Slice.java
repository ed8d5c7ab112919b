package io.storageengine.catalog.plan;

import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.io.FileIO;
import org.jspecify.annotations.Nullable;

/// A snapshot of which only some data manifests are seen, so that Iceberg's own scan plans a part of it.
///
/// @param data the manifests that are seen
/// @param deletes all that may apply to them
// Iceberg's interface can be serialized, which this never is, and has methods that it deprecates itself.
@SuppressWarnings({"serial", "deprecation"})
record Slice(Snapshot whole, List<ManifestFile> data, List<ManifestFile> deletes) implements Snapshot {
    @Override
    public List<ManifestFile> dataManifests(FileIO io) {
        return data;
    }

    @Override
    public List<ManifestFile> deleteManifests(FileIO io) {
        return deletes;
    }

    @Override
    public List<ManifestFile> allManifests(FileIO io) {
        return whole.allManifests(io);
    }

    @Override
    public long sequenceNumber() {
        return whole.sequenceNumber();
    }

    @Override
    public long snapshotId() {
        return whole.snapshotId();
    }

    @Override
    public @Nullable Long parentId() {
        return whole.parentId();
    }

    @Override
    public long timestampMillis() {
        return whole.timestampMillis();
    }

    @Override
    public String operation() {
        return whole.operation();
    }

    @Override
    public Map<String, String> summary() {
        return whole.summary();
    }

    @Override
    public Iterable<DataFile> addedDataFiles(FileIO io) {
        return whole.addedDataFiles(io);
    }

    @Override
    public Iterable<DataFile> removedDataFiles(FileIO io) {
        return whole.removedDataFiles(io);
    }

    @Override
    public String manifestListLocation() {
        return whole.manifestListLocation();
    }

    @Override
    public @Nullable Integer schemaId() {
        return whole.schemaId();
    }
}
