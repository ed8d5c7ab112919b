package io.storageengine.catalog.tables;

import io.storageengine.catalog.iceberg.Location;
import io.storageengine.catalog.iceberg.MetadataFiles;
import io.storageengine.catalog.iceberg.StoredMetadata;
import io.storageengine.catalog.iceberg.TableContents;
import io.storageengine.catalog.log.CatalogLog;
import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.threads.Threads;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.store.Buckets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes the files of tables that were dropped for good, behind the answer: a few tables at a time, and no
/// more of them waiting than [#WAITING_MAX]. Best effort: what a crash or an unreadable manifest leaves is an
/// orphan.
///
/// Only files go that the table's own metadata names and that lie below its location, and none at all while a
/// table of this catalog has its metadata there (one that was registered from the same files), or when the
/// table lies in another catalog's warehouse or says `gc.enabled=false`. From the drop on the table cannot be
/// registered again here. Of a table outside of all warehouses that two catalogs have, neither knows.
final class Purges {
    private static final Logger LOG = LoggerFactory.getLogger(Purges.class);
    private static final int AT_ONCE = 2;
    private static final int WAITING_MAX = 1_000;
    private static final int KEYS_MAX = 1_000;

    private final CatalogLog log;
    private final MetadataFiles files;
    private final Warehouse warehouse;
    private final Buckets buckets;
    private final Threads threads;
    private final Semaphore turns = new Semaphore(AT_ONCE);
    private final AtomicInteger waiting = new AtomicInteger();

    Purges(CatalogLog log, MetadataFiles files, Warehouse warehouse, Threads threads) {
        this.log = log;
        this.files = files;
        this.warehouse = warehouse;
        this.buckets = warehouse.buckets();
        this.threads = threads;
    }

    /// Whether a table's files may be deleted.
    static boolean takes(StoredMetadata table) {
        return table.metadata().propertyAsBoolean(TableProperties.GC_ENABLED, TableProperties.GC_ENABLED_DEFAULT);
    }

    /// Begins to delete the files of a table that is no longer in the catalog.
    ///
    /// @param location its last metadata file; nothing is done when that is gone
    void start(String location) {
        if (waiting.incrementAndGet() > WAITING_MAX) {
            waiting.decrementAndGet();
            LOG.atWarn().addKeyValue("metadata", location).log("too many purges: the files of a dropped table stay");
            return;
        }
        threads.start("purge", () -> run(location));
    }

    private void run(String location) {
        turns.acquireUninterruptibly();
        try {
            log.state();
            StoredMetadata last = files.read(location);
            if (takes(last)) purge(last.metadata());
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue("metadata", location).setCause(e).log("files of a dropped table stay");
        } finally {
            turns.release();
            waiting.decrementAndGet();
        }
    }

    private void purge(TableMetadata metadata) {
        Location table = Location.parse(metadata.location());
        if (warehouse.isForeign(table)) {
            throw new FailureException(Failure.Kind.CONFLICT, "it lies in another catalog's warehouse");
        }
        List<String> keys = new ArrayList<>();
        new TableContents(buckets, metadata).forEach(file -> {
            if (isBelow(table, file)) keys.add(Location.parse(file).key());
            if (keys.size() >= KEYS_MAX) delete(table, metadata, keys);
        });
        delete(table, metadata, keys);
    }

    private void delete(Location table, TableMetadata metadata, List<String> keys) {
        if (isUsed(log.latest(), table, NativeTables.uuid(metadata))) {
            throw new FailureException(Failure.Kind.CONFLICT, "another table has its metadata there");
        }
        if (!keys.isEmpty()) buckets.bucket(table.bucket()).deleteAll(List.copyOf(keys));
        keys.clear();
    }

    private static boolean isUsed(CatalogState state, Location table, UUID uuid) {
        boolean[] used = {state.nameOf(uuid).isPresent()};
        state.spaces()
                .forEach((path, space) ->
                        space.tables().forEach((name, other) -> used[0] |= isBelow(table, other.metadataLocation())));
        return used[0];
    }

    private static boolean isBelow(Location table, String file) {
        if (table.key().isEmpty() || !Location.isS3(file)) return false;
        int start = file.indexOf("://") + 3;
        return file.startsWith(table.bucket() + "/" + table.key() + "/", start);
    }
}
