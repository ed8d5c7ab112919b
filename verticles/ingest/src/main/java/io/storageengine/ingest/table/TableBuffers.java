package io.storageengine.ingest.table;

import io.storageengine.core.Backoff;
import io.storageengine.core.Clock;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/// Durable rows that are in no table yet, per table and log; commits them at each table's pace. Thread-safe.
public final class TableBuffers {
    private final ConcurrentHashMap<Key, TableBuffer> buffers = new ConcurrentHashMap<>();
    private final Flush flush;
    private final Memory memory;
    private final Clock clock;
    private final RandomGenerator random;
    private final Backoff backoff;
    private volatile boolean isDraining;
    private volatile boolean isHalted;

    private record Key(String log, String tableUuid) {}

    /// @param backoff between tries of a commit
    public TableBuffers(Flush flush, Memory memory, Clock clock, RandomGenerator random, Backoff backoff) {
        this.flush = flush;
        this.memory = memory;
        this.clock = clock;
        this.random = random;
        this.backoff = backoff;
    }

    /// Takes durable rows; those of one log come in the order of its entries.
    public void add(Arrival arrival) {
        Key key = new Key(arrival.at().log().id(), arrival.block().tableUuid());
        buffers.compute(key, (same, present) -> {
            TableBuffer buffer = present == null ? new TableBuffer(flush, clock, random, backoff) : present;
            buffer.add(arrival);
            return buffer;
        });
        TableBuffer buffer = buffers.get(key);
        if (buffer != null && isDraining) buffer.drain();
        if (buffer != null && isHalted) buffer.halt();
    }

    /// Somebody waits for these rows' commit: it need not wait for its time.
    public void hasten(Arrival arrival) {
        hasten(arrival.at().log().id(), arrival.block().tableUuid());
    }

    /// Somebody waits for the commit of the table's rows in that log.
    public void hasten(String log, String tableUuid) {
        TableBuffer buffer = buffers.get(new Key(log, tableUuid));
        if (buffer != null) buffer.hasten();
    }

    /// Whether a table has so much waiting that it must take no more for now.
    public boolean isFull(String tableUuid) {
        long bytes = 0;
        for (var buffer : buffers.entrySet()) {
            if (buffer.getKey().tableUuid().equals(tableUuid))
                bytes += buffer.getValue().bytes();
        }
        forgetIdle();
        return memory.isFull(bytes);
    }

    private void forgetIdle() {
        for (Key key : buffers.keySet())
            buffers.computeIfPresent(key, (same, buffer) -> buffer.isIdle() ? null : buffer);
    }

    /// Commits everything at once, and what comes from now on.
    public void drain() {
        isDraining = true;
        buffers.values().forEach(TableBuffer::drain);
    }

    public boolean isEmpty() {
        forgetIdle();
        return buffers.isEmpty();
    }

    /// Ends without committing: what waits is left to the logs.
    public void halt() {
        isHalted = true;
        buffers.values().forEach(TableBuffer::halt);
    }
}
