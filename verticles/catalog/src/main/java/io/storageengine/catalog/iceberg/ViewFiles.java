package io.storageengine.catalog.iceberg;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.storageengine.core.FailureException;
import io.storageengine.core.Ids;
import io.storageengine.core.store.Buckets;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.iceberg.view.ViewMetadata;
import org.apache.iceberg.view.ViewMetadataParser;

/// View metadata files in storage, with a cache of parsed ones that is bounded by bytes. A file never changes
/// once it is written, so a cached one is never stale.
public final class ViewFiles {
    private final MetadataObjects objects;
    private final Ids ids;
    private final Cache<String, StoredView> cache;

    /// @param cacheBytesMax how much memory cached metadata may take, about
    public ViewFiles(Buckets buckets, Ids ids, long cacheBytesMax) {
        this.objects = new MetadataObjects(buckets);
        this.ids = ids;
        this.cache = Caffeine.newBuilder()
                .maximumWeight(cacheBytesMax)
                .weigher((String location, StoredView stored) -> stored.weightBytes())
                .executor(Runnable::run)
                .build();
    }

    /// The metadata at a location: no request when it is cached, else one GET.
    ///
    /// @throws FailureException `NOT_FOUND` (`NotFoundException`) when the file is gone, `CORRUPT`, or what the
    ///     store answered
    public StoredView read(String location) {
        StoredView cached = cache.getIfPresent(location);
        if (cached != null) return cached;
        StoredView stored = parse(location, objects.read(location));
        cache.put(location, stored);
        return stored;
    }

    private static StoredView parse(String location, byte[] json) {
        try {
            ViewMetadata metadata = ViewMetadataParser.fromJson(location, new String(json, StandardCharsets.UTF_8));
            // The parser takes a file whose current version or schema is not in it: nobody could use such a view.
            metadata.currentSchemaId();
            return new StoredView(location, metadata, ByteBuffer.wrap(json));
        } catch (RuntimeException e) {
            throw MetadataObjects.corrupt(location, e);
        }
    }

    /// Writes new metadata beside the view: one PUT of an object that was not there.
    ///
    /// @param before the metadata file that it follows; the empty string for a new view
    public StoredView write(ViewMetadata metadata, String before) {
        int version = before.isEmpty() ? 0 : TablePaths.version(before) + 1;
        String location = TablePaths.metadataFile(metadata, version, ids.uuid());
        byte[] json = ViewMetadataParser.toJson(metadata).getBytes(StandardCharsets.UTF_8);
        objects.write(location, json);
        StoredView stored = parse(location, json);
        cache.put(location, stored);
        return stored;
    }

    /// Removes the file of a commit that is known to be lost. Best effort: what stays is an orphan.
    public void discard(StoredView lost) {
        cache.invalidate(lost.location());
        objects.delete(List.of(lost.location()));
    }
}
