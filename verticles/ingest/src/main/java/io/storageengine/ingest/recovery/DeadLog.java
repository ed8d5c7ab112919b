package io.storageengine.ingest.recovery;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.log.Appended;
import io.storageengine.core.log.LogEntry;
import io.storageengine.core.log.ObjectLog;
import io.storageengine.core.message.TableRef;
import io.storageengine.ingest.session.Keys;
import io.storageengine.ingest.table.Arrival;
import io.storageengine.ingest.wal.Block;
import io.storageengine.ingest.wal.LogPosition;
import io.storageengine.ingest.wal.OpenLog;
import io.storageengine.ingest.wal.Segment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A log whose writer is gone: sealed, so that nobody appends to it any more, and read from its first entry
/// that counts to its seal. For one thread.
final class DeadLog {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLog.class);
    private static final long EPOCH = 2;
    private final OpenLog log;
    private final ObjectLog entries;
    private final Map<String, TableRef> tables = new HashMap<>();
    private final Map<String, Long> takenMillis = new HashMap<>();
    private final Map<String, Long> lastPositions = new HashMap<>();
    private final Map<KeyedRows, CompletableFuture<Outcome<Long>>> commits = new HashMap<>();
    private long first = 1;
    private long sealedAt;

    /// A keyed request's rows.
    private record KeyedRows(long position, String tableUuid, String key) {}

    DeadLog(OpenLog log, ObjectLog entries) {
        this.log = log;
        this.entries = entries;
    }

    OpenLog log() {
        return log;
    }

    long first() {
        return first;
    }

    long sealedAt() {
        return sealedAt;
    }

    /// Tables with rows in it, by uuid, and where each was last.
    Map<String, TableRef> tables() {
        return tables;
    }

    /// When the youngest rows of a table were taken, in wall milliseconds.
    long takenMillis(String tableUuid) {
        return takenMillis.getOrDefault(tableUuid, 0L);
    }

    /// The last entry with rows of a table, 0 when none has.
    long lastPosition(String tableUuid) {
        return lastPositions.getOrDefault(tableUuid, 0L);
    }

    /// Seals the log and notes what it holds; keyed requests are known to `keys` afterwards.
    void survey(Keys keys) {
        sealedAt = seal();
        log.sealed(sealedAt);
        first = entries.first().orThrow();
        for (long position = first; position < sealedAt; position++)
            for (Block block : blocks(position).orElse(List.of())) note(block, position, keys);
        doneByAnother(first);
        LOG.info("Log {} ended at {}: rows for {} tables", log.id(), sealedAt, tables.size());
    }

    private long seal() {
        return switch (entries.seal(0, EPOCH)) {
            case Appended.Won won -> won.position();
            case Appended.Lost lost -> lost.winner().position();
            case Appended.Failed failed -> throw new FailureException(failed.failure());
        };
    }

    private void note(Block block, long position, Keys keys) {
        tables.put(block.tableUuid(), block.table());
        lastPositions.put(block.tableUuid(), position);
        takenMillis.merge(block.tableUuid(), block.wallMillis(), Math::max);
        if (block.key().isEmpty()) return;
        Block.RequestKey key = block.key().get();
        CompletableFuture<Outcome<Long>> commit = commits.computeIfAbsent(
                new KeyedRows(position, block.tableUuid(), key.key()), rows -> new CompletableFuture<>());
        String answer = key.answer(new LogPosition(log, position));
        keys.found(block.table(), key.key(), new Keys.Taken(block.tableUuid(), key.hash(), answer, commit));
    }

    /// What becomes of a block's rows; told to those who wait for its key.
    void follow(Block block, long position, CompletableFuture<Outcome<Long>> committed) {
        if (block.key().isEmpty()) return;
        KeyedRows rows =
                new KeyedRows(position, block.tableUuid(), block.key().get().key());
        CompletableFuture<Outcome<Long>> commit = commits.remove(rows);
        if (commit != null) {
            var _ = committed.whenComplete((snapshot, error) -> commit.complete(snapshot));
        }
    }

    /// Entries before a position are gone because another process has brought all of their rows into their
    /// tables: who waits for a key in them is told so.
    void doneByAnother(long before) {
        for (KeyedRows rows : Set.copyOf(commits.keySet())) {
            if (rows.position() >= before) continue;
            CompletableFuture<Outcome<Long>> commit = commits.remove(rows);
            if (commit != null) commit.complete(Arrival.COMMITTED_BEFORE);
        }
    }

    /// An entry's blocks; empty when it cannot be read as it was written.
    ///
    /// @throws FailureException when the store does not answer
    Optional<List<Block>> blocks(long position) {
        LogEntry entry = entry(position);
        if (entry.isSeal()) return Optional.of(List.of());
        try {
            return Optional.of(Segment.read(entry.payload().duplicate()));
        } catch (FailureException corrupt) {
            LOG.error("Entry {} of log {}: {}", position, log.id(), corrupt.getMessage());
            return Optional.empty();
        }
    }

    LogEntry entry(long position) {
        Outcome<LogEntry> read = entries.read(position);
        if (read instanceof Outcome.Failed<LogEntry>(Failure failure))
            throw new FailureException(new Failure(
                    failure.kind(),
                    failure.code(),
                    "Entry " + position + " of log " + log.id() + ": " + failure.message()));
        return read.orThrow();
    }
}
