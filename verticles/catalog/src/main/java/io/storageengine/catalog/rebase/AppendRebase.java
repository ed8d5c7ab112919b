package io.storageengine.catalog.rebase;

import io.storageengine.catalog.iceberg.StoredMetadata;
import io.storageengine.core.FailureException;
import io.storageengine.core.store.Buckets;
import io.storageengine.iceberg.TableJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.MetadataUpdate.AddSnapshot;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.UpdateRequirement.AssertRefSnapshotID;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Puts an append that lost a race to other appends on the table's head, for tables that ask for it
/// ([#PROPERTY]). What is more than an append stays refused; so is every append when anything goes wrong here,
/// and then nothing that was written stays. `docs/decisions/0004-rebase-appends.md` has the reasons.
///
/// Costs per rebase: a GET each of the client's manifest list, the head's and each new manifest; a PUT of the
/// new manifest list. Thread-safe; blocks on storage.
public final class AppendRebase {
    /// The table property that asks for it, `true` or `false` (the default).
    public static final String PROPERTY = "se.commit.rebase-appends";

    /// Rebases at once, which bounds their memory; more are refused as if there were none.
    private static final int AT_ONCE_MAX = 64;

    private static final Logger LOG = LoggerFactory.getLogger(AppendRebase.class);

    private final Buckets buckets;
    private final Semaphore places = new Semaphore(AT_ONCE_MAX);

    public AppendRebase(Buckets buckets) {
        this.buckets = buckets;
    }

    /// The request as it would be on the head; nothing when its refusal stands.
    ///
    /// @param base the table now
    /// @param request one that was refused on it as a lost race
    public Optional<Rebased> rebase(StoredMetadata base, UpdateTableRequest request) {
        if (!base.metadata().propertyAsBoolean(PROPERTY, false)) return Optional.empty();
        Optional<LostAppend> lost = LostAppend.of(base.metadata(), request);
        if (lost.isEmpty() || !places.tryAcquire()) return Optional.empty();
        SmallFiles io = new SmallFiles(buckets);
        try {
            return Optional.of(onHead(base, lost.get(), request, io));
        } catch (Unfit | FailureException e) {
            LOG.atDebug().addKeyValue("table", base.location()).log("an append is not rebased: {}", e.getMessage());
        } catch (RuntimeException e) {
            // What the client wrote may be anything, and the library fails on it in many ways.
            LOG.atWarn().addKeyValue("table", base.location()).setCause(e).log("an append could not be rebased");
        } finally {
            places.release();
        }
        io.deleteWritten();
        return Optional.empty();
    }

    private static Rebased onHead(StoredMetadata base, LostAppend lost, UpdateTableRequest request, SmallFiles io) {
        // Parsed anew: the library leaves manifests in the snapshots that it reads, and the base is cached.
        TableMetadata table = TableJson.metadata(base.location(), base.json());
        NewManifests fresh = NewManifests.of(table, lost, io);
        checkSummary(lost.snapshot(), fresh);
        Snapshot made = appended(table, lost.snapshot().snapshotId(), fresh.own(), io);
        Snapshot moved = MovedSnapshot.of(lost.snapshot(), table.currentSnapshot(), made);
        List<MetadataUpdate> updates = List.of(new AddSnapshot(moved), lost.ref());
        List<UpdateRequirement> requirements = new ArrayList<>();
        for (UpdateRequirement requirement : request.requirements()) {
            if (!(requirement instanceof AssertRefSnapshotID)) requirements.add(requirement);
        }
        requirements.add(new AssertRefSnapshotID(
                SnapshotRef.MAIN_BRANCH, table.currentSnapshot().snapshotId()));
        return new Rebased(new UpdateTableRequest(requirements, updates), made.manifestListLocation());
    }

    /// What the client says it adds is what its manifests add: the totals are made from it.
    private static void checkSummary(Snapshot theirs, NewManifests fresh) {
        Map<String, String> summary = theirs.summary();
        String files = Long.toString(fresh.files());
        String rows = Long.toString(fresh.rows());
        boolean isTrue = files.equals(summary.getOrDefault(SnapshotSummary.ADDED_FILES_PROP, "0"))
                && rows.equals(summary.getOrDefault(SnapshotSummary.ADDED_RECORDS_PROP, "0"));
        Unfit.unless(isTrue, "the summary does not tell what is added");
    }

    /// Iceberg's own fast append of the manifests: writes the manifest list, gives the numbers.
    private static Snapshot appended(TableMetadata table, long snapshotId, List<ManifestFile> own, SmallFiles io) {
        HeadTable head = new HeadTable(table, io, snapshotId);
        AppendFiles append = new BaseTable(head, "rebased", report -> {}).newFastAppend();
        own.forEach(manifest -> append.appendManifest(Unassigned.of(manifest)));
        Snapshot made = append.apply();
        Unfit.unless(made.snapshotId() == snapshotId, "the snapshot's id is taken");
        return made;
    }

    /// Removes what was written for a commit that is known to be lost. Best effort.
    public void discard(Rebased lost) {
        SmallFiles.delete(buckets, lost.manifestList());
    }
}
