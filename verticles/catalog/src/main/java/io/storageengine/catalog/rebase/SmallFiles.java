package io.storageengine.catalog.rebase;

import io.storageengine.catalog.iceberg.Location;
import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ByteRange;
import io.storageengine.core.store.ObjectBody;
import io.storageengine.iceberg.StoreFileIO;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.inmemory.InMemoryInputFile;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;

/// The few small files of one rebase: each is read whole and once, one GET, within a budget of bytes for all
/// of them; remembers what was written. For one thread.
final class SmallFiles implements FileIO {
    /// For all files of one rebase together.
    private static final long BYTES_MAX = 8L << 20;

    private static final int MANIFESTS_MAX = 10_000;

    private final Buckets buckets;
    private final StoreFileIO store;
    private final Map<String, byte[]> read = new HashMap<>();
    private final List<String> written = new ArrayList<>();
    private long bytesLeft = BYTES_MAX;

    SmallFiles(Buckets buckets) {
        this.buckets = buckets;
        this.store = new StoreFileIO(buckets);
    }

    /// The manifests of a snapshot.
    ///
    /// @param snapshot one that nobody keeps: the library leaves the manifests in it
    List<ManifestFile> manifests(Snapshot snapshot) {
        Unfit.unless(snapshot.manifestListLocation() != null, "a snapshot has no manifest list");
        List<ManifestFile> all = snapshot.allManifests(this);
        Unfit.unless(all.size() <= MANIFESTS_MAX, "a snapshot has too many manifests");
        return all;
    }

    @Override
    public InputFile newInputFile(String path) {
        return new InMemoryInputFile(path, read.computeIfAbsent(path, this::get));
    }

    private byte[] get(String path) {
        Location at = Location.parse(path);
        ByteRange range = new ByteRange.Between(0, bytesLeft);
        try (ObjectBody body = buckets.bucket(at.bucket()).get(at.key(), range).orThrow()) {
            Unfit.unless(body.info().sizeBytes() <= bytesLeft, "the manifests and their lists are too large");
            byte[] bytes = body.stream().readAllBytes();
            bytesLeft -= bytes.length;
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public OutputFile newOutputFile(String path) {
        Location.parse(path);
        written.add(path);
        return store.newOutputFile(path);
    }

    /// Removes what was written. Best effort: what stays is an orphan.
    void deleteWritten() {
        written.forEach(path -> delete(buckets, path));
    }

    static void delete(Buckets buckets, String path) {
        Location at = Location.parse(path);
        buckets.bucket(at.bucket()).delete(at.key());
    }

    @Override
    public void deleteFile(String path) {
        throw new UnsupportedOperationException("a rebase deletes nothing of the table");
    }

    @Override
    public Map<String, String> properties() {
        return Map.of();
    }
}
