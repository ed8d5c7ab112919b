package io.storageengine.commit;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Ids;
import io.storageengine.core.message.StorageOf;
import io.storageengine.core.message.TableRef;
import io.storageengine.iceberg.TableJson;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.jspecify.annotations.Nullable;

/// A change made ready on one state of the table: its snapshot's manifests are written, the table does not know
/// of it yet.
///
/// @param base metadata location that it stands on
/// @param snapshotId of the new snapshot; -1 when there is none
/// @param request the change as the catalog takes it
/// @param trace what was written for it; null when nothing was
record Draft(
        String base,
        long snapshotId,
        ByteBuffer request,
        @Nullable FileTrace trace) {
    boolean isOn(String metadataLocation) {
        return base.equals(metadataLocation);
    }

    /// Only marks and claims move: the table keeps its snapshot.
    static Draft withoutFiles(TableMetadata base) {
        UpdateTableRequest request =
                new UpdateTableRequest(List.of(new UpdateRequirement.AssertTableUUID(base.uuid())), List.of());
        return new Draft(base.metadataFileLocation(), -1, TableJson.update(request), null);
    }

    /// Appends data files (JSON); small manifests are merged as the table's properties say.
    static Draft of(
            Committer room, TableRef table, TableMetadata base, Map<String, String> vended, List<String> files) {
        FileIO io = room.files()
                .open(
                        room.ask()
                                .ask(
                                        new StorageOf(table.catalog()),
                                        room.options().askTimeoutMillis())
                                .orThrow(),
                        vended);
        FileTrace trace = new FileTrace(io);
        try {
            Snapshot snapshot = append(room, table, base, trace, files);
            return new Draft(base.metadataFileLocation(), snapshot.snapshotId(), request(base, snapshot), trace);
        } catch (RuntimeException failed) {
            trace.deleteFiles();
            trace.close();
            throw new FailureException(failure(failed));
        }
    }

    private static Snapshot append(
            Committer room, TableRef table, TableMetadata base, FileTrace io, List<String> files) {
        FixedBase operations = new FixedBase(base, io, new Ids(room.random()));
        AppendFiles append = new BaseTable(operations, table.display(), report -> {}).newAppend();
        for (String file : files) append.appendFile(TableJson.dataFile(file, base.specsById()));
        return append.apply();
    }

    private static ByteBuffer request(TableMetadata base, Snapshot snapshot) {
        TableMetadata next = TableMetadata.buildFrom(base)
                .setBranchSnapshot(snapshot, SnapshotRef.MAIN_BRANCH)
                .build();
        Snapshot current = base.currentSnapshot();
        UpdateTableRequest request = new UpdateTableRequest(
                List.of(
                        new UpdateRequirement.AssertTableUUID(base.uuid()),
                        new UpdateRequirement.AssertRefSnapshotID(
                                SnapshotRef.MAIN_BRANCH, current == null ? null : current.snapshotId())),
                next.changes());
        return TableJson.update(request);
    }

    private static Failure failure(RuntimeException failed) {
        return switch (failed) {
            case FailureException known -> written(known.failure());
            case NotFoundException missing ->
                new Failure(Failure.Kind.CORRUPT, "A file of the table is missing: " + missing.getMessage());
            case ValidationException refused ->
                new Failure(Failure.Kind.INVALID, "The files do not fit the table: " + refused.getMessage());
            default -> new Failure(Failure.Kind.UNAVAILABLE, "The table's manifests: " + failed);
        };
    }

    /// Not knowing whether a manifest was written leaves the table as it was for certain.
    private static Failure written(Failure failure) {
        return failure.kind() == Failure.Kind.UNKNOWN
                ? new Failure(Failure.Kind.UNAVAILABLE, failure.code(), failure.message())
                : failure;
    }

    void deleteFiles() {
        if (trace != null) trace.deleteFiles();
    }

    void close() {
        if (trace != null) trace.close();
    }
}
