package io.storageengine.ingest.recovery;

import io.storageengine.core.Backoff;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.log.ObjectLog;
import io.storageengine.core.message.TableRef;
import io.storageengine.ingest.rows.RowBatch;
import io.storageengine.ingest.session.Desk;
import io.storageengine.ingest.table.Arrival;
import io.storageengine.ingest.table.OpenTable;
import io.storageengine.ingest.table.Pace;
import io.storageengine.ingest.table.Parking;
import io.storageengine.ingest.wal.Block;
import io.storageengine.ingest.wal.LogPosition;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.iceberg.Schema;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings the rows of one dead log into their tables: what lies above each table's mark goes into its buffer,
/// in order. A table that takes no more for now is left out and the log read again for it, so that it holds up
/// no other. Rows of tables that are gone are parked.
final class Replay {
    private static final Logger LOG = LoggerFactory.getLogger(Replay.class);
    private static final Pace SOON = new Pace(200, 64 << 20);
    private final Desk desk;
    private final Parking parking;
    private final Backoff backoff;
    private final RandomGenerator random;
    private final DeadLog dead;
    private final Map<String, OpenTable> tables = new HashMap<>();
    private final Set<String> gone = new HashSet<>();

    /// Per table that still has rows here: the position up to which they were handed on.
    private Map<String, Long> from = new HashMap<>();

    Replay(Desk desk, Parking parking, Backoff backoff, RandomGenerator random, DeadLog dead) {
        this.desk = desk;
        this.parking = parking;
        this.backoff = backoff;
        this.random = random;
        this.dead = dead;
    }

    /// Works until all of the log is in its tables' buffers, however long that takes.
    void run() throws InterruptedException {
        dead.log().hold(0);
        dead.tables().keySet().forEach(uuid -> from.put(uuid, dead.first() - 1));
        for (int rounds = 1; !from.isEmpty(); rounds++) {
            try {
                round();
            } catch (FailureException failed) {
                LOG.warn("The replay of log {} goes on later: {}", dead.log().id(), failed.getMessage());
            }
            if (!from.isEmpty()) desk.clock().sleep(backoff.millis(rounds, random));
        }
        dead.log().release(0);
        dead.log().tidy();
    }

    /// Reads the log once, for the tables that are not done.
    private void round() throws InterruptedException {
        Set<String> later = new HashSet<>();
        for (String uuid : Set.copyOf(from.keySet())) if (!isOpen(uuid)) later.add(uuid);
        if (later.containsAll(from.keySet())) return;
        long first = from.entrySet().stream()
                        .filter(entry -> !later.contains(entry.getKey()))
                        .mapToLong(Map.Entry::getValue)
                        .min()
                        .orElse(0)
                + 1;
        for (long position = first; position < dead.sealedAt(); position++) hand(position, later);
        from.keySet().retainAll(later);
    }

    /// Whether the table's rows can be handed on now, or parked. What keeps one table back holds up no other.
    private boolean isOpen(String uuid) {
        if (tables.containsKey(uuid) || gone.contains(uuid)) return true;
        TableRef ref = Objects.requireNonNull(dead.tables().get(uuid));
        return switch (desk.tables().load(ref, uuid)) {
            case Outcome.Ok<OpenTable>(OpenTable table) -> opened(uuid, table);
            case Outcome.Failed<OpenTable>(Failure failure) -> {
                boolean isGone = parking.isDue(failure, dead.takenMillis(uuid));
                if (isGone) gone.add(uuid);
                else
                    LOG.warn(
                            "Rows of {} wait in log {}: {}",
                            ref.display(),
                            dead.log().id(),
                            failure);
                yield isGone;
            }
        };
    }

    private boolean opened(String uuid, OpenTable table) {
        if (table.uuid().equals(uuid)) {
            dead.log().mark(uuid, table.marks().getOrDefault(dead.log().id(), 0L));
            tables.put(uuid, table);
        } else {
            gone.add(uuid);
        }
        return true;
    }

    /// An entry's rows are handed on together, after everything that can fail: a round that breaks off in the
    /// middle of an entry has handed on nothing of it.
    private void hand(long position, Set<String> later) throws InterruptedException {
        Optional<List<Block>> blocks;
        try {
            blocks = dead.blocks(position);
        } catch (FailureException failed) {
            if (!failed.failure().code().equals(ObjectLog.TRUNCATED)) throw failed;
            dead.doneByAnother(position + 1);
            return;
        }
        if (blocks.isEmpty()) parkEntry(position);
        Set<String> handed = new HashSet<>();
        List<Handing> ready = new ArrayList<>();
        try {
            int n = 0;
            for (Block block : blocks.orElse(List.of())) {
                int number = n++;
                if (!isWanted(block, position, later, handed)) continue;
                ready.add(prepare(block, position, number));
                handed.add(block.tableUuid());
            }
        } catch (FailureException failed) {
            ready.forEach(handing -> handing.drop(failed.failure()));
            throw failed;
        } catch (OutOfMemoryException tight) {
            Failure full = new Failure(Failure.Kind.THROTTLED, "no memory for the rows of entry " + position);
            ready.forEach(handing -> handing.drop(full));
            throw new FailureException(full);
        }
        long told = dead.log().telling(position);
        ready.forEach(handing -> handing.go(dead, position));
        dead.log().written(told);
        handed.forEach(uuid -> from.put(uuid, position));
    }

    private boolean isWanted(Block block, long position, Set<String> later, Set<String> handed) {
        String uuid = block.tableUuid();
        Long done = from.get(uuid);
        if (done == null || position <= done || later.contains(uuid)) return false;
        if (!desk.buffers().isFull(uuid) || handed.contains(uuid)) return true;
        later.add(uuid);
        return false;
    }

    /// What is to become of one block: rows on their way, or an outcome that is known already.
    private record Handing(Block block, @Nullable Arrival arrival, CompletableFuture<Outcome<Long>> committed) {
        void go(DeadLog dead, long position) {
            dead.follow(block, position, committed);
            if (arrival != null) arrival.durable(new LogPosition(dead.log(), position));
        }

        void drop(Failure failure) {
            if (arrival != null) arrival.refused(failure);
        }
    }

    private Handing prepare(Block block, long position, int number) throws InterruptedException {
        OpenTable table = tables.get(block.tableUuid());
        if (table == null) return parked(block, position, number);
        if (position <= dead.log().mark(block.tableUuid())) return decided(block, Arrival.COMMITTED_BEFORE);
        if (!(block.body() instanceof Block.Rows(int schemaId, ByteBuffer ipc))) return onItsWay(block, null);
        Schema schema = table.metadata().schemasById().get(schemaId);
        return schema == null ? parked(block, position, number) : onItsWay(block, batch(ipc, schema));
    }

    private static Handing decided(Block block, Outcome<Long> outcome) {
        return new Handing(block, null, CompletableFuture.completedFuture(outcome));
    }

    private Handing onItsWay(Block block, @Nullable RowBatch batch) {
        Arrival arrival = new Arrival(block, batch, SOON, desk.memory(), desk.buffers()::add);
        return new Handing(block, arrival, arrival.committed());
    }

    private RowBatch batch(ByteBuffer ipc, Schema schema) throws InterruptedException {
        byte[] bytes = new byte[ipc.remaining()];
        ipc.duplicate().get(bytes);
        while (!desk.memory().awaitRoom(60_000))
            LOG.info("Log {} waits for memory", dead.log().id());
        try {
            return RowBatch.readIpc(
                    new ByteArrayInputStream(bytes), schema, desk.memory().columns());
        } catch (IOException broken) {
            throw new FailureException(Failure.Kind.CORRUPT, "Rows cannot be read: " + broken);
        }
    }

    private Handing parked(Block block, long position, int number) {
        parking.park(block, dead.log().id(), position, number).orThrow();
        return decided(
                block,
                Outcome.failed(
                        Failure.Kind.NOT_FOUND,
                        "Table does not exist any more: " + block.table().display() + ": its rows are parked"));
    }

    /// Nobody can tell whose rows these are.
    private void parkEntry(long position) {
        parking.parkEntry(dead.log().id(), position, dead.entry(position).payload())
                .orThrow();
    }
}
