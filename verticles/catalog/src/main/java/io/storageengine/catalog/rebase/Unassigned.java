package io.storageengine.catalog.rebase;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.jspecify.annotations.Nullable;

/// A manifest with other numbers than its list gave it: as it was before any list, or with numbers by which
/// one sees what its entries inherit.
///
/// @param inner what the list says
/// @param snapshotId null when the next list is to give it
/// @param sequenceNumber also the least one; -1 when the next list is to give it
/// @param firstRowId null when the next list is to give it
record Unassigned(
        ManifestFile inner,
        @Nullable Long snapshotId,
        long sequenceNumber,
        @Nullable Long firstRowId) implements ManifestFile {
    private static final long NO_SEQUENCE_NUMBER = -1;

    static Unassigned of(ManifestFile inner) {
        return new Unassigned(inner, null, NO_SEQUENCE_NUMBER, null);
    }

    @Override
    public String path() {
        return inner.path();
    }

    @Override
    public long length() {
        return inner.length();
    }

    @Override
    public int partitionSpecId() {
        return inner.partitionSpecId();
    }

    @Override
    public ManifestContent content() {
        return inner.content();
    }

    @Override
    public long minSequenceNumber() {
        return sequenceNumber;
    }

    @Override
    public Integer addedFilesCount() {
        return inner.addedFilesCount();
    }

    @Override
    public Long addedRowsCount() {
        return inner.addedRowsCount();
    }

    @Override
    public Integer existingFilesCount() {
        return inner.existingFilesCount();
    }

    @Override
    public Long existingRowsCount() {
        return inner.existingRowsCount();
    }

    @Override
    public Integer deletedFilesCount() {
        return inner.deletedFilesCount();
    }

    @Override
    public Long deletedRowsCount() {
        return inner.deletedRowsCount();
    }

    @Override
    public List<PartitionFieldSummary> partitions() {
        return inner.partitions();
    }

    @Override
    public ByteBuffer keyMetadata() {
        return inner.keyMetadata();
    }

    @Override
    public ManifestFile copy() {
        return new Unassigned(inner.copy(), snapshotId, sequenceNumber, firstRowId);
    }
}
