package io.storageengine.catalog.iceberg;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Ids;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.PutOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadata.MetadataLogEntry;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Table metadata files in storage, with a cache of parsed ones that is bounded by bytes. A file never changes
/// once it is written, so a cached one is never stale.
public final class MetadataFiles {
    private static final Logger LOG = LoggerFactory.getLogger(MetadataFiles.class);

    private final Buckets buckets;
    private final Ids ids;
    private final Cache<String, StoredMetadata> cache;

    /// @param cacheBytesMax how much memory cached metadata may take, about
    public MetadataFiles(Buckets buckets, Ids ids, long cacheBytesMax) {
        this.buckets = buckets;
        this.ids = ids;
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
        Location at = Location.parse(location);
        Outcome<ByteBuffer> bytes = buckets.bucket(at.bucket()).read(at.key());
        if (bytes.failedWith(Failure.Kind.NOT_FOUND)) {
            throw new FailureException(
                    new Failure(Failure.Kind.NOT_FOUND, "NotFoundException", "Metadata file is missing: " + location));
        }
        StoredMetadata stored = parse(location, bytes.orThrow());
        cache.put(location, stored);
        return stored;
    }

    private static StoredMetadata parse(String location, ByteBuffer bytes) {
        try {
            byte[] json = new byte[bytes.remaining()];
            bytes.duplicate().get(json);
            if (location.endsWith(".gz.metadata.json") || location.endsWith(".metadata.json.gz")) json = unzip(json);
            String text = new String(json, StandardCharsets.UTF_8);
            return new StoredMetadata(location, TableMetadataParser.fromJson(location, text), ByteBuffer.wrap(json));
        } catch (IOException | RuntimeException e) {
            // The parser's message quotes what it read, which may be anything.
            LOG.atWarn().addKeyValue("location", location).log("not a metadata file: {}", e.getClass());
            throw new FailureException(Failure.Kind.CORRUPT, "Not an Iceberg metadata file: " + location);
        }
    }

    private static byte[] unzip(byte[] bytes) throws IOException {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return in.readAllBytes();
        }
    }

    /// Writes new metadata beside the table: one PUT of an object that was not there.
    ///
    /// @param before the metadata file that it follows; the empty string for a new table
    public StoredMetadata write(TableMetadata metadata, String before) {
        int version = before.isEmpty() ? 0 : TablePaths.version(before) + 1;
        String location = TablePaths.metadataFile(metadata, version, ids.uuid());
        Location at = Location.parse(location);
        byte[] json = TableMetadataParser.toJson(metadata).getBytes(StandardCharsets.UTF_8);
        put(at, Content.of(json));
        TableMetadata written = TableMetadata.buildFrom(metadata)
                .discardChanges()
                .withMetadataLocation(location)
                .build();
        StoredMetadata stored = new StoredMetadata(location, written, ByteBuffer.wrap(json));
        cache.put(location, stored);
        return stored;
    }

    private void put(Location at, Content json) {
        switch (buckets.bucket(at.bucket()).put(at.key(), json, PutOptions.IF_ABSENT)) {
            case Outcome.Ok<ObjectInfo> done -> {}
            case Outcome.Failed<ObjectInfo>(Failure failure) -> {
                switch (failure.kind()) {
                    // The name is random: what is there is our own first try.
                    case CONFLICT -> {}
                    case NOT_FOUND -> throw Refusals.bad("There is no bucket " + at.bucket());
                    // Nothing points at the file yet, so nothing has happened.
                    case UNKNOWN -> throw new FailureException(Failure.Kind.UNAVAILABLE, failure.message());
                    case INVALID, UNAUTHENTICATED, FORBIDDEN, EXISTS, THROTTLED, UNAVAILABLE, CORRUPT, BUG ->
                        throw new FailureException(failure);
                }
            }
        }
    }

    /// Removes the file of a commit that is known to be lost. Best effort: what stays is an orphan.
    public void discard(StoredMetadata lost) {
        cache.invalidate(lost.location());
        delete(List.of(lost.location()));
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
        delete(gone);
    }

    private void delete(Collection<String> locations) {
        for (String location : new ArrayList<>(locations)) {
            if (!Location.isS3(location)) continue;
            Location at = Location.parse(location);
            buckets.bucket(at.bucket()).delete(at.key());
        }
    }
}
