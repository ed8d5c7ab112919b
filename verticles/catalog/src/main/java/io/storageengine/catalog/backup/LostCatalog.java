package io.storageengine.catalog.backup;

import io.storageengine.catalog.iceberg.TablePaths;
import io.storageengine.catalog.log.WholeLog;
import io.storageengine.catalog.registry.CatalogConfig;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.util.List;
import java.util.Map;

/// A catalog that is registered and whose log is gone.
public final class LostCatalog {
    private final BackupStorage storage;
    private final CatalogConfig.Native warehouse;

    private LostCatalog(BackupStorage storage, CatalogConfig.Native warehouse) {
        this.storage = storage;
        this.warehouse = warehouse;
    }

    /// @throws FailureException `EXISTS` when any of its log is there: nothing of a log is ever overwritten;
    ///     `NOT_FOUND` when the id is not registered
    public static LostCatalog find(BackupStorage storage, String id) {
        LostCatalog lost;
        try {
            lost = new LostCatalog(storage, storage.nativeCatalog(id));
        } catch (FailureException e) {
            if (e.failure().kind() != Failure.Kind.NOT_FOUND) throw e;
            throw new FailureException(
                    Failure.Kind.NOT_FOUND,
                    e.failure().message() + ": start a node, register it with its old warehouse (POST /catalogs), stop"
                            + " the node, and recover it then");
        }
        lost.refuseLog(id);
        return lost;
    }

    private void refuseLog(String id) {
        if (storage.logObjects(warehouse) == 0) return;
        String place = BackupStorage.place(warehouse) + TablePaths.LOG;
        throw new FailureException(
                Failure.Kind.EXISTS,
                switch (readable()) {
                    case "" ->
                        "Catalog '" + id + "' has a log at " + place
                                + " that can be read: nothing is lost, and nothing is"
                                + " overwritten. To rebuild the catalog all the same, stop every node and move the objects there"
                                + " away first";
                    case String why ->
                        "What is left of the log of catalog '" + id + "' at " + place + " cannot be read: " + why
                                + ". Nothing of it is overwritten: stop every node, move the objects there away (keep them), and"
                                + " recover then";
                });
    }

    /// Why the log cannot be read; empty when it can.
    private String readable() {
        try {
            WholeLog.read(storage.log(warehouse));
            return "";
        } catch (FailureException e) {
            if (e.failure().kind() == Failure.Kind.UNAVAILABLE) throw e;
            return e.failure().message();
        }
    }

    /// The ids of all catalogs that share the warehouse, and so are rebuilt with it.
    public List<String> ids() {
        return storage.nativeCatalogs().entrySet().stream()
                .filter(catalog -> catalog.getValue().equals(warehouse))
                .map(Map.Entry::getKey)
                .toList();
    }

    /// What would be done. Reads only.
    public RecoveryPlan plan() {
        List<String> others = storage.nativeCatalogs().values().stream()
                .filter(other -> other.bucket().equals(warehouse.bucket()))
                .map(CatalogConfig.Native::prefix)
                .filter(prefix -> prefix.length() > warehouse.prefix().length())
                .filter(prefix -> prefix.startsWith(warehouse.prefix()))
                .toList();
        return RecoveryPlan.of(WarehouseScan.run(storage.buckets(), warehouse, others), BackupStorage.place(warehouse));
    }

    /// Writes the new log: one entry.
    ///
    /// @throws FailureException `CONFLICT` when another has begun one
    public void rebuild(RecoveryPlan plan) {
        WholeLog.begin(storage.log(warehouse), storage.clock().wallMillis(), plan.changes());
    }
}
