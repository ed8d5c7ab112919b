package io.storageengine.catalog.backup;

import io.storageengine.catalog.iceberg.Location;
import io.storageengine.catalog.log.WholeLog;
import io.storageengine.catalog.registry.CatalogConfig;
import io.storageengine.catalog.registry.CatalogId;
import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.StateChanges;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Exports of catalogs, and catalogs from exports.
///
/// @param storage that holds the catalog, or is to hold it
public record Transfers(BackupStorage storage) {
    private static final int LOOKS_AT_ONCE = 16;

    /// A native catalog as of the last entry of its log. Any number of nodes may serve it meanwhile.
    ///
    /// @throws FailureException as of the storage; `NOT_FOUND` when it is not registered
    public CatalogExport export(String id) {
        CatalogConfig.Native warehouse = storage.nativeCatalog(id);
        WholeLog.AsOf now = WholeLog.read(storage.log(warehouse));
        return new CatalogExport(id, warehouse, now.position(), storage.clock().wallMillis(), now.state());
    }

    /// What an import did.
    ///
    /// @param missing metadata files of its tables and views that are not in this storage
    public record Imported(String id, CatalogConfig.Native warehouse, List<String> missing) {
        public Imported {
            missing = List.copyOf(missing);
        }
    }

    /// Makes a new catalog: its log begins with all of the export in one entry, then it is registered.
    ///
    /// @param id of the new catalog
    /// @param warehouse `s3://bucket/prefix` of its log and of new tables; empty: as it was exported
    /// @throws FailureException `EXISTS` when the id or the warehouse's log is there
    public Imported importFrom(CatalogExport export, String id, Optional<String> warehouse) {
        CatalogId.checked(id);
        CatalogConfig.Native place = warehouse.map(Transfers::warehouse).orElse(export.warehouse());
        if (storage.registry().find(id).isPresent()) {
            throw exists("Catalog '" + id + "' exists in this storage: import under another id (--catalog)");
        }
        if (storage.reserved().overlaps(place.bucket(), place.prefix())) {
            throw new FailureException(
                    Failure.Kind.INVALID,
                    "The storage of the cluster itself lies at " + BackupStorage.place(place)
                            + ": name another warehouse (--warehouse)");
        }
        ensureBucket(place.bucket());
        if (storage.logObjects(place) > 0) throw taken(place);
        List<String> missing = missing(export.state());
        try {
            WholeLog.begin(storage.log(place), storage.clock().wallMillis(), StateChanges.of(export.state()));
        } catch (FailureException e) {
            throw e.failure().kind() == Failure.Kind.CONFLICT ? taken(place) : e;
        }
        storage.registry().create(id, place);
        return new Imported(id, place, missing);
    }

    private static CatalogConfig.Native warehouse(String text) {
        Location location = Location.parse(text);
        String prefix = location.key().replaceAll("/+$", "");
        return new CatalogConfig.Native(location.bucket(), prefix.isEmpty() ? "" : prefix + "/");
    }

    private static FailureException taken(CatalogConfig.Native place) {
        return exists("The warehouse " + BackupStorage.place(place) + " has the log of a catalog already: name another"
                + " one (--warehouse), or register that catalog as it is (POST /catalogs with this warehouse), which is"
                + " also how an import that was cut off is ended");
    }

    private static FailureException exists(String message) {
        return new FailureException(new Failure(Failure.Kind.EXISTS, "AlreadyExistsException", message));
    }

    private void ensureBucket(String bucket) {
        if (!storage.buckets().head(bucket).failedWith(Failure.Kind.NOT_FOUND)) return;
        var created = storage.buckets().create(bucket);
        if (!created.failedWith(Failure.Kind.EXISTS)) created.orThrow();
    }

    private List<String> missing(CatalogState state) {
        List<String> files = new ArrayList<>();
        state.spaces().forEach((path, space) -> {
            space.tables().forEach((name, table) -> files.add(table.metadataLocation()));
            space.views().forEach((name, view) -> files.add(view.metadataLocation()));
        });
        return absent(files);
    }

    private List<String> absent(List<String> files) {
        try (ExecutorService threads =
                Executors.newFixedThreadPool(LOOKS_AT_ONCE, Thread.ofVirtual().factory())) {
            List<Future<Boolean>> looks = files.stream()
                    .map(file -> threads.submit(() -> isAbsent(file)))
                    .toList();
            List<String> absent = new ArrayList<>();
            for (int i = 0; i < files.size(); i++) if (looks.get(i).get()) absent.add(files.get(i));
            return absent;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof FailureException known
                    ? known
                    : new FailureException(Failure.Kind.BUG, String.valueOf(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FailureException(Failure.Kind.UNAVAILABLE, "stopped while metadata files were looked for");
        }
    }

    private boolean isAbsent(String file) {
        Location at = Location.parse(file);
        var head = storage.buckets().bucket(at.bucket()).head(at.key());
        if (head.failedWith(Failure.Kind.NOT_FOUND)) return true;
        head.orThrow();
        return false;
    }
}
