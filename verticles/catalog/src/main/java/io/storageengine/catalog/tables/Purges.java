package io.storageengine.catalog.tables;

import io.storageengine.catalog.iceberg.Location;
import io.storageengine.catalog.iceberg.TableContents;
import io.storageengine.catalog.log.CatalogLog;
import io.storageengine.catalog.state.CatalogState;
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
/// Only files below the table's own location go, and none at all while a table of this catalog has its metadata
/// there (one that was registered from the same files), or when the table says `gc.enabled=false`.
final class Purges {
    private static final Logger LOG = LoggerFactory.getLogger(Purges.class);
    private static final int AT_ONCE = 2;
    private static final int WAITING_MAX = 1_000;
    private static final int KEYS_MAX = 1_000;

    private final CatalogLog log;
    private final Buckets buckets;
    private final Semaphore turns = new Semaphore(AT_ONCE);
    private final AtomicInteger waiting = new AtomicInteger();

    Purges(CatalogLog log, Buckets buckets) {
        this.log = log;
        this.buckets = buckets;
    }

    /// Begins to delete the files of a table that is no longer in the catalog.
    void start(TableMetadata metadata) {
        boolean kept = !metadata.propertyAsBoolean(TableProperties.GC_ENABLED, TableProperties.GC_ENABLED_DEFAULT);
        if (kept || waiting.incrementAndGet() > WAITING_MAX) {
            LOG.atWarn().addKeyValue("location", metadata.location()).log("the files of a dropped table stay");
            if (!kept) waiting.decrementAndGet();
            return;
        }
        Thread.ofVirtual().name("purge").start(() -> run(metadata));
    }

    private void run(TableMetadata metadata) {
        turns.acquireUninterruptibly();
        try {
            log.state();
            Location table = Location.parse(metadata.location());
            List<String> keys = new ArrayList<>();
            new TableContents(buckets, metadata).forEach(file -> {
                if (isBelow(table, file)) keys.add(Location.parse(file).key());
                if (keys.size() >= KEYS_MAX) delete(table, metadata, keys);
            });
            delete(table, metadata, keys);
        } catch (RuntimeException e) {
            LOG.atWarn()
                    .addKeyValue("location", metadata.location())
                    .setCause(e)
                    .log("files of a dropped table stay");
        } finally {
            turns.release();
            waiting.decrementAndGet();
        }
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
