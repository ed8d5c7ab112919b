package io.storageengine.ingest.table;

import io.storageengine.core.Clock;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/// What ingestion may hold: the columns of rows that are in no table yet, and bytes on their way to become
/// rows. Thread-safe.
public final class Memory implements AutoCloseable {
    private final long bytesMax;
    private final long tableBytesMax;
    private final Clock clock;
    private final RootAllocator columns;
    private final AtomicLong bytes = new AtomicLong();

    /// @param bytesMax for all; from four fifths of it nothing new is begun
    /// @param tableBytesMax for the waiting rows of one table
    public Memory(long bytesMax, long tableBytesMax, Clock clock) {
        this.bytesMax = bytesMax;
        this.tableBytesMax = tableBytesMax;
        this.clock = clock;
        this.columns = new RootAllocator(bytesMax);
    }

    /// Pays for columns.
    public BufferAllocator columns() {
        return columns;
    }

    /// Counts bytes outside of columns; negative to give them back.
    public void count(long more) {
        bytes.addAndGet(more);
    }

    public long usedBytes() {
        return columns.getAllocatedMemory() + bytes.get();
    }

    /// Bytes until nothing new is begun; negative beyond.
    public long freeBytes() {
        return bytesMax / 5 * 4 - usedBytes();
    }

    public boolean isTight() {
        return freeBytes() <= 0;
    }

    /// Whether a table with that many waiting bytes must take no more: past its own limit, or past an eighth of
    /// all when all is tight, so that one table that cannot commit leaves room to the others.
    public boolean isFull(long tableBytes) {
        return tableBytes >= tableBytesMax || (isTight() && tableBytes >= bytesMax / 8);
    }

    /// Waits until it is not tight any more; false when it still is after that time.
    public boolean awaitRoom(long millis) throws InterruptedException {
        long end = clock.nanos() + millis * 1_000_000;
        while (isTight()) {
            if (clock.nanos() - end > 0) return false;
            clock.sleep(10);
        }
        return true;
    }

    @Override
    public void close() {
        columns.close();
    }
}
