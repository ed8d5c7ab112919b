package io.storageengine.commit;

import io.storageengine.core.FailureException;
import io.storageengine.core.message.CatalogStorage;
import io.storageengine.core.message.LoadTable;
import io.storageengine.core.message.LoadedTable;
import io.storageengine.core.message.StorageOf;
import io.storageengine.core.message.TableRef;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.io.FileIO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the metadata of tables that rows are committed to small: snapshots that [HistoryRule] does not keep go,
/// with the files that only they need, and old metadata files are deleted with each commit
/// (`write.metadata.delete-after-commit.enabled`, set where the table does not say). Iceberg's own code decides
/// what is needed.
///
/// Works beside the commits, on threads of its own. What fails is done by a later commit's look. Thread-safe.
final class Upkeep {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);
    private static final int AT_ONCE_MAX = 2;
    private static final int KNOWN_MAX = 10_000;
    private static final int MANY = 50;
    private static final int OLD_FILES = 50;
    private static final String DELETES = TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED;
    private final Committer room;
    private final Semaphore turns = new Semaphore(AT_ONCE_MAX);
    private final Map<String, Long> lastNanos = new LinkedHashMap<>();

    Upkeep(Committer room) {
        this.room = room;
    }

    /// A commit was done on that state of the table.
    void committed(TableRef table, TableMetadata base) {
        if (base.properties().getOrDefault(HistoryRule.ENABLED, "").equals("false")) return;
        int spare = HistoryRule.of(base.properties())
                .spare(base, room.clock().wallMillis())
                .size();
        boolean isUntold =
                !base.properties().containsKey(DELETES) && base.previousFiles().size() >= OLD_FILES;
        if ((spare == 0 && !isUntold) || !isDue(base.uuid(), spare >= MANY || isUntold)) return;
        if (!turns.tryAcquire()) return;
        Thread.ofVirtual().name("upkeep " + table.display()).start(() -> {
            try {
                run(table, base.uuid());
            } finally {
                turns.release();
            }
        });
    }

    /// At most once in a while for each table: what a branch keeps alive comes up again and again.
    private boolean isDue(String uuid, boolean isMuch) {
        long now = room.clock().nanos();
        long everyNanos =
                (isMuch ? room.options().upkeepMillis() : 10 * room.options().upkeepMillis()) * 1_000_000;
        synchronized (lastNanos) {
            Long last = lastNanos.get(uuid);
            if (last != null && now - last < everyNanos) return false;
            lastNanos.remove(uuid);
            lastNanos.put(uuid, now);
            if (lastNanos.size() > KNOWN_MAX)
                lastNanos.remove(lastNanos.keySet().iterator().next());
            return true;
        }
    }

    private void run(TableRef table, String uuid) {
        try {
            CatalogStorage storage = room.ask()
                    .ask(new StorageOf(table.catalog()), room.options().askTimeoutMillis())
                    .orThrow();
            LoadedTable loaded = room.ask()
                    .ask(new LoadTable(table, uuid), room.options().askTimeoutMillis())
                    .orThrow();
            try (FileIO io = room.files().open(storage, loaded.ioProperties())) {
                expire(new CatalogTable(room, table, uuid, io, Map.of(DELETES, "true")), storage, table);
            }
        } catch (CommitFailedException | CommitStateUnknownException | FailureException later) {
            LOG.info("The history of {} is shortened later: {}", table.display(), later.getMessage());
        } catch (RuntimeException failed) {
            LOG.warn("The history of {} could not be shortened", table.display(), failed);
        }
    }

    private void expire(CatalogTable operations, CatalogStorage storage, TableRef table) {
        TableMetadata now = operations.current();
        boolean isWanted = storage.isNative()
                || now.properties().getOrDefault(HistoryRule.ENABLED, "").equals("true");
        if (!isWanted) return;
        boolean mayDelete = now.propertyAsBoolean(TableProperties.GC_ENABLED, TableProperties.GC_ENABLED_DEFAULT);
        HistoryRule rule = HistoryRule.of(now.properties());
        List<Snapshot> spare = mayDelete ? rule.spare(now, room.clock().wallMillis()) : List.of();
        if (spare.isEmpty()) {
            if (!now.properties().containsKey(DELETES)) operations.commit(now, now);
            return;
        }
        ExpireSnapshots expiry = new BaseTable(operations, table.display())
                .expireSnapshots()
                .retainLast(rule.keptCount())
                .expireOlderThan(room.clock().wallMillis() - rule.keptMillis());
        for (Snapshot snapshot : spare) expiry.expireSnapshotId(snapshot.snapshotId());
        expiry.commit();
        LOG.info("{} snapshots of {} are expired", spare.size(), table.display());
    }
}
