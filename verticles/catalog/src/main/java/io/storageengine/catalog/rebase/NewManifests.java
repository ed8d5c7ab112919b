package io.storageengine.catalog.rebase;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.util.LocationUtil;

/// The manifests that a lost append brought, checked: they add files and do nothing else, and every entry
/// takes its sequence numbers and row ids from the manifest list, so that another list may give others.
///
/// @param own the manifests, in the client's order
/// @param files how many data files they add
/// @param rows how many rows those have
record NewManifests(List<ManifestFile> own, long files, long rows) {
    private static final int OWN_MAX = 100;

    /// Numbers that nobody gives: an entry that shows them has inherited them.
    private static final long PROBE_SEQUENCE_NUMBER = 1L << 61;

    private static final long PROBE_ROW_ID = 1L << 60;
    private static final int ROW_IDS_SINCE = 3;

    NewManifests {
        own = List.copyOf(own);
    }

    /// Reads the lists and the new manifests.
    ///
    /// @param table the table now, for this rebase alone
    /// @throws Unfit when the client's snapshot does more than to add files
    static NewManifests of(TableMetadata table, LostAppend lost, SmallFiles io) {
        Snapshot snapshot = lost.snapshot();
        String folder = folder(table);
        Unfit.unless(snapshot.manifestListLocation() != null, "the snapshot has no manifest list");
        Unfit.unless(snapshot.manifestListLocation().startsWith(folder), "the list is not in the table's folder");
        List<ManifestFile> theirs = io.manifests(snapshot);
        List<ManifestFile> heads = io.manifests(table.currentSnapshot());
        List<ManifestFile> own =
                theirs.stream().filter(of -> isOf(snapshot, of)).toList();
        List<ManifestFile> kept =
                theirs.stream().filter(of -> !isOf(snapshot, of)).toList();
        Unfit.unless(!own.isEmpty() && own.size() <= OWN_MAX, "not one manifest is new, or too many are");
        Unfit.unless(paths(own).size() == own.size(), "a manifest is listed twice");
        Set<String> there = paths(heads);
        for (ManifestFile manifest : own) {
            Unfit.unless(manifest.path().startsWith(folder), "a manifest is not in the table's folder");
            Unfit.unless(!there.contains(manifest.path()), "a manifest is in the table already");
            checkAddsOnly(table, snapshot, manifest);
        }
        Unfit.unless(keepsAll(table, lost, kept, heads, io), "the snapshot merged or dropped manifests");
        long rows = 0;
        long files = 0;
        for (ManifestFile manifest : own) {
            rows += checkInherits(table, manifest, io);
            files += manifest.addedFilesCount();
        }
        return new NewManifests(own, files, rows);
    }

    private static String folder(TableMetadata table) {
        String path = table.properties().get(TableProperties.WRITE_METADATA_LOCATION);
        return (path == null ? table.location() + "/metadata" : LocationUtil.stripTrailingSlash(path)) + "/";
    }

    private static boolean isOf(Snapshot snapshot, ManifestFile manifest) {
        return Objects.equals(manifest.snapshotId(), snapshot.snapshotId());
    }

    private static Set<String> paths(List<ManifestFile> manifests) {
        return manifests.stream().map(ManifestFile::path).collect(Collectors.toCollection(HashSet::new));
    }

    private static void checkAddsOnly(TableMetadata table, Snapshot snapshot, ManifestFile manifest) {
        boolean addsOnly = manifest.content() == ManifestContent.DATA
                && manifest.hasAddedFiles()
                && manifest.addedFilesCount() != null
                && manifest.addedRowsCount() != null
                && Objects.equals(manifest.existingFilesCount(), 0)
                && Objects.equals(manifest.existingRowsCount(), 0L)
                && Objects.equals(manifest.deletedFilesCount(), 0)
                && Objects.equals(manifest.deletedRowsCount(), 0L);
        Unfit.unless(addsOnly, "a manifest does more than to add data files");
        Unfit.unless(manifest.keyMetadata() == null, "a manifest is encrypted");
        Unfit.unless(manifest.partitionSpecId() == table.defaultSpecId(), "the partition spec has moved");
        boolean isFresh = manifest.sequenceNumber() == snapshot.sequenceNumber()
                && manifest.minSequenceNumber() == snapshot.sequenceNumber();
        Unfit.unless(isFresh, "a manifest has older sequence numbers");
    }

    /// Whether the client's list has, beside its own, the manifests of its parent. They are the head's without
    /// what was added between; when an append between has merged manifests, the parent's list tells (one more
    /// GET).
    private static boolean keepsAll(
            TableMetadata table, LostAppend lost, List<ManifestFile> kept, List<ManifestFile> heads, SmallFiles io) {
        List<ManifestFile> inherited = heads.stream()
                .filter(manifest -> !lost.between().contains(manifest.snapshotId()))
                .toList();
        if (isSame(kept, inherited)) return true;
        Long parentId = lost.snapshot().parentId();
        return parentId != null && isSame(kept, io.manifests(table.snapshot(parentId)));
    }

    /// Manifests without live files may be left out: merging writers drop them.
    private static boolean isSame(List<ManifestFile> kept, List<ManifestFile> parents) {
        Set<String> live = paths(parents.stream()
                .filter(manifest -> manifest.hasAddedFiles() || manifest.hasExistingFiles())
                .toList());
        Set<String> paths = paths(kept);
        return paths.size() == kept.size()
                && paths.containsAll(live)
                && paths(parents).containsAll(paths);
    }

    /// Reads a manifest under numbers that nobody gives; how many rows it adds.
    private static long checkInherits(TableMetadata table, ManifestFile manifest, SmallFiles io) {
        boolean hasRowIds = table.formatVersion() >= ROW_IDS_SINCE;
        Unassigned probe =
                new Unassigned(manifest, manifest.snapshotId(), PROBE_SEQUENCE_NUMBER, hasRowIds ? PROBE_ROW_ID : null);
        long rows = 0;
        long files = 0;
        try (ManifestReader<DataFile> reader = ManifestFiles.read(probe, io, table.specsById())) {
            for (DataFile file : reader) {
                boolean inherits = Objects.equals(file.dataSequenceNumber(), PROBE_SEQUENCE_NUMBER)
                        && Objects.equals(file.fileSequenceNumber(), PROBE_SEQUENCE_NUMBER)
                        && (!hasRowIds || Objects.equals(file.firstRowId(), PROBE_ROW_ID + rows));
                Unfit.unless(inherits, "an entry has numbers of its own");
                rows += file.recordCount();
                files++;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        boolean isCounted = files == manifest.addedFilesCount() && rows == manifest.addedRowsCount();
        Unfit.unless(isCounted, "a manifest's counts are not those of its entries");
        return rows;
    }
}
