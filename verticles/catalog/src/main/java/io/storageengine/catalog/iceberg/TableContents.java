package io.storageengine.catalog.iceberg;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.store.Buckets;
import io.storageengine.iceberg.StoreFileIO;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.PartitionStatisticsFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StatisticsFile;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.CloseableIterable;

/// All files that a table's metadata leads to: data and delete files first, then manifests, their lists,
/// statistics, and at last the metadata files. What one manifest names is held in memory, not all of them.
///
/// @param buckets where they lie
/// @param metadata the table's last; knows its location
public record TableContents(Buckets buckets, TableMetadata metadata) {
    /// Calls `action` with each file, some of them more than once.
    ///
    /// @throws FailureException when the store does not answer; a manifest that is gone is passed over
    public void forEach(Consumer<String> action) {
        StoreFileIO io = new StoreFileIO(buckets);
        Map<String, ManifestFile> manifests = new LinkedHashMap<>();
        Set<String> others = new HashSet<>();
        for (Snapshot snapshot : metadata.snapshots()) {
            try {
                snapshot.allManifests(io).forEach(manifest -> manifests.putIfAbsent(manifest.path(), manifest));
            } catch (NotFoundException e) {
                // Its list is gone: nothing more is found through it.
            } finally {
                if (snapshot.manifestListLocation() != null) others.add(snapshot.manifestListLocation());
            }
        }
        manifests.values().forEach(manifest -> named(io, manifest, action));
        manifests.keySet().forEach(action);
        metadata.statisticsFiles().stream().map(StatisticsFile::path).forEach(others::add);
        metadata.partitionStatisticsFiles().stream()
                .map(PartitionStatisticsFile::path)
                .forEach(others::add);
        others.forEach(action);
        metadata.previousFiles().forEach(entry -> action.accept(entry.file()));
        action.accept(metadata.metadataFileLocation());
    }

    private void named(StoreFileIO io, ManifestFile manifest, Consumer<String> action) {
        boolean data = manifest.content() == ManifestContent.DATA;
        try (CloseableIterable<? extends ContentFile<?>> files = data
                ? ManifestFiles.read(manifest, io, metadata.specsById())
                : ManifestFiles.readDeleteManifest(manifest, io, metadata.specsById())) {
            for (ContentFile<?> file : files) action.accept(file.location());
        } catch (NotFoundException e) {
            // It is gone: nothing more is found through it.
        } catch (IOException e) {
            throw new FailureException(Failure.Kind.UNAVAILABLE, "A manifest cannot be read: " + manifest.path());
        }
    }
}
