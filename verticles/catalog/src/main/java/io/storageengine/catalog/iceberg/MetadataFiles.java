package io.storageengine.catalog.iceberg;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.storageengine.catalog.threads.Threads;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Ids;
import io.storageengine.core.store.Buckets;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadata.MetadataLogEntry;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableProperties;
import org.jspecify.annotations.Nullable;

/// Table metadata files in storage, with a cache of parsed ones that is bounded by bytes. A file never changes
/// once it is written, so a cached one is never stale.
public final class MetadataFiles {
    private final MetadataObjects objects;
    private final Ids ids;
    private final Threads threads;
    private final Cache<String, StoredMetadata> cache;

    /// @param cacheBytesMax how much memory cached metadata may take, about
    public MetadataFiles(Buckets buckets, Ids ids, Threads threads, long cacheBytesMax) {
        this.objects = new MetadataObjects(buckets);
        this.ids = ids;
        this.threads = threads;
        this.cache = Caffeine.newBuilder()
                .maximumWeight(cacheBytesMax)
                .weigher((String location, StoredMetadata stored) -> stored.weightBytes())
                .executor(Runnable::run)
                .build();
    }

    /// The metadata at a location: no request when it is cached, else one GET.
    ///
    /// @throws FailureException `NOT_FOUND` (`NotFoundException`) when the file is gone, `CORRUPT`, or what the
    ///     store answered
    public StoredMetadata read(String location) {
        StoredMetadata cached = cache.getIfPresent(location);
        if (cached != null) return cached;
        StoredMetadata stored = parse(location, objects.read(location));
        cache.put(location, stored);
        return stored;
    }

    private static StoredMetadata parse(String location, byte[] json) {
        try {
            String text = new String(json, StandardCharsets.UTF_8);
            return new StoredMetadata(location, TableMetadataParser.fromJson(location, text), ByteBuffer.wrap(json));
        } catch (RuntimeException e) {
            throw MetadataObjects.corrupt(location, e);
        }
    }

    /// Writes new metadata beside the table: one PUT of an object that was not there.
    ///
    /// @param before the metadata file that it follows; the empty string for a new table
    public StoredMetadata write(TableMetadata metadata, String before) {
        int version = before.isEmpty() ? 0 : TablePaths.version(before) + 1;
        String location = TablePaths.metadataFile(metadata, version, ids.uuid());
        byte[] json = TableMetadataParser.toJson(metadata).getBytes(StandardCharsets.UTF_8);
        objects.write(location, json);
        TableMetadata written = TableMetadata.buildFrom(metadata)
                .discardChanges()
                .withMetadataLocation(location)
                .build();
        StoredMetadata stored = new StoredMetadata(location, written, ByteBuffer.wrap(json));
        cache.put(location, stored);
        return stored;
    }

    /// Metadata to be written.
    ///
    /// @param before the metadata file that it follows; the empty string for a new table
    public record Fresh(TableMetadata metadata, String before) {}

    /// Writes the metadata of several tables in parallel, in their order; when one cannot be written, nothing
    /// stays of the others.
    public List<StoredMetadata> writeAll(List<Fresh> all) {
        if (all.size() < 2) {
            return all.stream().map(one -> write(one.metadata(), one.before())).toList();
        }
        List<StoredMetadata> written = new ArrayList<>();
        FailureException failed = null;
        try (ExecutorService together = threads.together()) {
            List<Future<StoredMetadata>> writing = all.stream()
                    .map(one -> together.submit(() -> write(one.metadata(), one.before())))
                    .toList();
            for (Future<StoredMetadata> one : writing) {
                try {
                    written.add(one.get());
                } catch (ExecutionException e) {
                    failed = asFailure(e.getCause());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    failed = new FailureException(Failure.Kind.UNAVAILABLE, "stopped while metadata was written");
                }
            }
        }
        if (failed == null) return written;
        written.forEach(this::discard);
        throw failed;
    }

    private static FailureException asFailure(@Nullable Throwable cause) {
        return cause instanceof FailureException known
                ? known
                : new FailureException(Failure.Kind.BUG, String.valueOf(cause));
    }

    /// Removes the file of a commit that is known to be lost. Best effort: what stays is an orphan.
    public void discard(StoredMetadata lost) {
        cache.invalidate(lost.location());
        objects.delete(List.of(lost.location()));
    }

    /// Removes the metadata files that a commit let go from the metadata log, when the table asks for it
    /// (`write.metadata.delete-after-commit.enabled`). Best effort.
    public void prune(TableMetadata before, TableMetadata after) {
        if (!after.propertyAsBoolean(
                TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED,
                TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED_DEFAULT)) {
            return;
        }
        Set<String> gone = new HashSet<>();
        before.previousFiles().stream().map(MetadataLogEntry::file).forEach(gone::add);
        after.previousFiles().stream().map(MetadataLogEntry::file).forEach(gone::remove);
        gone.remove(after.metadataFileLocation());
        objects.delete(gone);
    }
}
