package io.storageengine.ingest.table;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.ingest.rows.RowBatch;
import io.storageengine.ingest.wal.Block;
import io.storageengine.ingest.wal.Entrant;
import io.storageengine.ingest.wal.LogPosition;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Rows on their way: into the log, then into their table. Owns their memory until they are there.
public final class Arrival implements Entrant {
    /// What is told of rows that an earlier try or another process has committed: they are in the table, and
    /// only its claims can tell which snapshot was made of them.
    public static final Outcome<Long> COMMITTED_BEFORE = Outcome.ok(-1L);

    private final @Nullable RowBatch batch;
    private final Pace pace;
    private final long bytes;
    private final Memory memory;
    private final Consumer<Arrival> whenDurable;
    private final CompletableFuture<Outcome<LogPosition>> logged = new CompletableFuture<>();
    private final CompletableFuture<Outcome<Long>> committed = new CompletableFuture<>();
    private Function<String, Optional<Failure>> objection = log -> Optional.empty();
    private Block block;
    private long countedBytes;
    private @Nullable LogPosition at;

    /// @param batch the rows of a [Block.Rows]; null for files
    /// @param whenDurable told in the order of entries
    public Arrival(Block block, @Nullable RowBatch batch, Pace pace, Memory memory, Consumer<Arrival> whenDurable) {
        this.block = block;
        this.batch = batch;
        this.pace = pace;
        this.memory = memory;
        this.whenDurable = whenDurable;
        this.bytes = batch == null ? block.bytes() : batch.bytes() + 500;
        this.countedBytes = block.bytes();
        memory.count(countedBytes);
    }

    @Override
    public Block block() {
        return block;
    }

    @Nullable
    RowBatch batch() {
        return batch;
    }

    Pace pace() {
        return pace;
    }

    /// What it counts in its table's buffer.
    long bytes() {
        return bytes;
    }

    /// Where it is durable.
    LogPosition at() {
        return Objects.requireNonNull(at);
    }

    /// Where it is in the log, once that is known.
    public CompletableFuture<Outcome<LogPosition>> logged() {
        return logged;
    }

    /// The snapshot that was made of the rows, once there is one; see [#COMMITTED_BEFORE].
    public CompletableFuture<Outcome<Long>> committed() {
        return committed;
    }

    /// Who is asked before the rows are written into a log ([Entrant#objection]); told before they enter.
    public void objecting(Function<String, Optional<Failure>> asked) {
        objection = asked;
    }

    @Override
    public Optional<Failure> objection(String logId) {
        return objection.apply(logId);
    }

    @Override
    public void durable(LogPosition position) {
        at = position;
        position.log().hold(position.position());
        forgetBytes();
        whenDurable.accept(this);
        logged.complete(Outcome.ok(position));
    }

    /// The log has the bytes now, and the batch the rows.
    private void forgetBytes() {
        if (block.body() instanceof Block.Rows(int schemaId, ByteBuffer ipc)) {
            Block.Rows empty = new Block.Rows(schemaId, ByteBuffer.allocate(0));
            block = block.with(empty);
            memory.count(block.bytes() - countedBytes);
            countedBytes = block.bytes();
        }
    }

    @Override
    public void refused(Failure failure) {
        free();
        logged.complete(Outcome.failed(failure));
        committed.complete(Outcome.failed(failure));
    }

    /// The rows are where they belong, or it is known that they never will be.
    void settle(Outcome<Long> snapshot) {
        free();
        at().log().release(at().position());
        committed.complete(snapshot);
    }

    /// Gives the memory back without telling anybody.
    void free() {
        if (batch != null) batch.close();
        memory.count(-countedBytes);
        countedBytes = 0;
    }
}
