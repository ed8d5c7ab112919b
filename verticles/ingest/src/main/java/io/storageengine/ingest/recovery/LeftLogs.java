package io.storageengine.ingest.recovery;

import io.storageengine.core.Clock;
import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.log.Appended;
import io.storageengine.core.log.LogEntry;
import io.storageengine.core.log.LogOptions;
import io.storageengine.core.log.ObjectLog;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.ingest.table.Parking;
import io.storageengine.ingest.wal.Block;
import io.storageengine.ingest.wal.OpenLog;
import io.storageengine.ingest.wal.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/// The write-ahead logs that processes left behind, for a command that works while no node runs. Where a
/// catalog's log is lost, so are its tables' marks: nobody can tell which rows of a log are in their tables,
/// and a replay might bring them in twice.
///
/// @param process an id that no other process has or had
public record LeftLogs(ObjectStore store, Clock clock, RandomGenerator random, String process) {
    private static final long EPOCH = 2;

    /// A log with rows.
    ///
    /// @param entries how many it has that count
    /// @param rows in them; what cannot be read counts as none
    public record Left(String catalog, String id, long entries, long rows) {}

    /// Logs of these catalogs that are not done and have entries. Reads only.
    ///
    /// @throws FailureException when the store does not answer
    public List<Left> survey(Set<String> catalogs) {
        List<Left> left = new ArrayList<>();
        LogSurvey.logs(store).orThrow().forEach((catalog, ids) -> {
            if (!catalogs.contains(catalog)) return;
            for (String id : ids) {
                Left found = count(catalog, id);
                if (found.entries() > 0) left.add(found);
            }
        });
        return left;
    }

    private Left count(String catalog, String id) {
        ObjectLog log = log(catalog, id);
        long entries = 0;
        long rows = 0;
        for (long position = log.first().orThrow(); ; position++) {
            Outcome<LogEntry> read = log.read(position);
            if (read.failedWith(Failure.Kind.NOT_FOUND)) break;
            LogEntry entry = read.orThrow();
            if (entry.isSeal()) break;
            entries++;
            rows += blocks(entry).stream().mapToLong(Block::rows).sum();
        }
        return new Left(catalog, id, entries, rows);
    }

    /// Ends every log of these catalogs, keeps all rows of its entries apart (see [Parking]) and marks it as
    /// done, so that no start replays it. What breaks off is done again by another call.
    ///
    /// @return how many rows were parked
    /// @throws FailureException when the store does not answer
    public long park(Set<String> catalogs) {
        long rows = 0;
        var all = LogSurvey.logs(store).orThrow();
        for (String catalog : all.keySet()) {
            if (!catalogs.contains(catalog)) continue;
            for (String id : all.getOrDefault(catalog, Set.of())) rows += park(catalog, id);
        }
        return rows;
    }

    private long park(String catalog, String id) {
        ObjectLog log = log(catalog, id);
        Parking parking = new Parking(store, clock);
        long sealedAt = seal(log);
        long rows = 0;
        for (long position = log.first().orThrow(); position < sealedAt; position++) {
            LogEntry entry = log.read(position).orThrow();
            List<Block> blocks = blocks(entry);
            if (blocks.isEmpty())
                parking.parkEntry(id, position, entry.payload()).orThrow();
            for (int n = 0; n < blocks.size(); n++) {
                parking.park(blocks.get(n), id, position, n).orThrow();
                rows += blocks.get(n).rows();
            }
        }
        OpenLog ended = new OpenLog(id, prefix(catalog, id), store, log, clock);
        Outcome<Done> done = ended.finish(sealedAt);
        done.orThrow();
        return rows;
    }

    private static long seal(ObjectLog log) {
        return switch (log.seal(0, EPOCH)) {
            case Appended.Won won -> won.position();
            case Appended.Lost lost -> lost.winner().position();
            case Appended.Failed(Failure failure) -> throw new FailureException(failure);
        };
    }

    /// None for an entry that cannot be read as it was written.
    private static List<Block> blocks(LogEntry entry) {
        try {
            return Segment.read(entry.payload().duplicate());
        } catch (FailureException corrupt) {
            return List.of();
        }
    }

    private ObjectLog log(String catalog, String id) {
        return new ObjectLog(store, prefix(catalog, id), process, LogOptions.WRITE_AHEAD, clock, random);
    }

    private static String prefix(String catalog, String id) {
        return LogSurvey.ROOT + catalog + "/" + id + "/";
    }
}
