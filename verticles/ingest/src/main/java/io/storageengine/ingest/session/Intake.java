package io.storageengine.ingest.session;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.ingest.channel.RowsTurn;
import io.storageengine.ingest.rows.RowBatch;
import io.storageengine.ingest.rows.RowReader;
import io.storageengine.ingest.table.Arrival;
import io.storageengine.ingest.table.OpenTable;
import io.storageengine.ingest.table.Pace;
import io.storageengine.ingest.table.Parking;
import io.storageengine.ingest.wal.Block;
import io.storageengine.ingest.wal.LogPosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Takes one body's rows in: keeps them as batches, writes data files when they become many, and puts them into
/// the log. For one thread; closed in the end, it leaves nothing behind that was not taken.
final class Intake implements AutoCloseable {
    private static final long BUFFER_BYTES_MIN = 1 << 20;
    private final Desk desk;
    private final Tenant tenant;
    private final Destination destination;
    private final boolean isPiecemeal;
    private final Keys.@Nullable Entry place;
    private final @Nullable RowsTurn turn;
    private final List<RowBatch> held = new ArrayList<>();
    private final List<Arrival> arrivals = new ArrayList<>();
    private List<String> spooled = new ArrayList<>();
    private long heldRows;
    private long heldBytes;
    private long spooledRows;
    private long loggedRows;

    /// @param isPiecemeal every full buffer is taken on its own; else all is taken at once or nothing
    /// @param place the key's, when the request has one
    /// @param turn in the rows' channel, when they are in one
    Intake(
            Desk desk,
            Tenant tenant,
            Destination destination,
            boolean isPiecemeal,
            Keys.@Nullable Entry place,
            @Nullable RowsTurn turn) {
        this.desk = desk;
        this.tenant = tenant;
        this.destination = destination;
        this.isPiecemeal = isPiecemeal;
        this.place = place;
        this.turn = turn;
    }

    /// Rows that were taken and those that would be.
    long rows() {
        return heldRows + spooledRows + loggedRows;
    }

    /// Rows that are in the log already.
    long loggedRows() {
        return loggedRows;
    }

    /// What is in the log.
    List<Arrival> arrivals() {
        return arrivals;
    }

    /// Reads all rows of a body.
    void read(RowReader rows) throws IOException, InterruptedException {
        while (true) {
            if (!desk.memory().awaitRoom(desk.options().roomMillis()))
                throw new FailureException(Failure.Kind.THROTTLED, "No memory for more rows: try again later");
            long step = Math.min(desk.options().inlineBytesMax(), bufferBytes());
            RowBatch batch = rows.next(Integer.MAX_VALUE, step);
            if (batch == null) return;
            if (batch.rows() == 0) {
                batch.close();
                continue;
            }
            held.add(batch);
            heldRows += batch.rows();
            heldBytes += batch.bytes();
            if (heldBytes >= bufferBytes()) spill();
        }
    }

    /// How much is gathered before it is written: less when memory is short.
    private long bufferBytes() {
        return Math.clamp(
                desk.memory().freeBytes() / 4, BUFFER_BYTES_MIN, desk.options().bufferBytesMax());
    }

    private void spill() throws InterruptedException {
        spooled.addAll(desk.writer().write(destination.forFiles(), held).orThrow());
        spooledRows += heldRows;
        dropHeld();
        if (isPiecemeal) logSpooled(Optional.empty(), Optional.empty());
    }

    private void dropHeld() {
        held.forEach(RowBatch::close);
        held.clear();
        heldRows = 0;
        heldBytes = 0;
    }

    /// Puts what is not in the log yet there, as one entry; nothing when there are no such rows.
    ///
    /// @param part the offsets that the rows take; with it an entry is made for no rows, too
    void finish(Optional<Block.RequestKey> key, Optional<Block.ChannelPart> part) throws InterruptedException {
        if (held.size() == 1 && spooled.isEmpty()) logHeld(key, part);
        else if (!held.isEmpty()) spill();
        if (!spooled.isEmpty() || (part.isPresent() && arrivals.isEmpty())) logSpooled(key, part);
    }

    private void logHeld(Optional<Block.RequestKey> key, Optional<Block.ChannelPart> part) throws InterruptedException {
        OpenTable table = destination.forLog();
        RowBatch batch = held.getFirst();
        Block.Rows body = new Block.Rows(batch.schemaId(), Parking.ipc(batch));
        held.clear();
        heldRows = 0;
        Block block = block(table, batch.rows(), body, key, part);
        log(new Arrival(block, batch, pace(table), desk.memory(), desk.buffers()::add));
        loggedRows += batch.rows();
    }

    private void logSpooled(Optional<Block.RequestKey> key, Optional<Block.ChannelPart> part)
            throws InterruptedException {
        OpenTable table = destination.forLog();
        List<String> files = spooled;
        spooled = new ArrayList<>();
        long rows = spooledRows;
        spooledRows = 0;
        Block block = block(table, rows, new Block.Files(files), key, part);
        try {
            log(new Arrival(block, null, pace(table), desk.memory(), desk.buffers()::add));
        } catch (FailureException refused) {
            if (refused.failure().kind() != Failure.Kind.UNKNOWN) desk.writer().delete(table, files);
            throw refused;
        }
        loggedRows += rows;
    }

    private Block block(
            OpenTable table,
            long rows,
            Block.Body body,
            Optional<Block.RequestKey> key,
            Optional<Block.ChannelPart> part) {
        return new Block(table.ref(), table.uuid(), rows, desk.clock().wallMillis(), body, key, part);
    }

    private Pace pace(OpenTable table) {
        return desk.options().pace().of(table.metadata().properties());
    }

    /// Waits until it is durable.
    private void log(Arrival arrival) throws InterruptedException {
        arrivals.add(arrival);
        if (place != null && arrival.block().key().isPresent())
            place.follow(arrival, arrival.block().key().get());
        if (turn != null) turn.send(arrival);
        if (!tenant.log().enter(arrival))
            arrival.refused(new Failure(Failure.Kind.UNAVAILABLE, "The node is stopping"));
        if (turn != null) turn.leave();
        awaitLogged(arrival).orThrow();
    }

    private Outcome<LogPosition> awaitLogged(Arrival arrival) throws InterruptedException {
        try {
            return arrival.logged().get(desk.options().logMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            // Rows of a channel may have others behind them.
            if (turn != null || !tenant.log().withdraw(arrival))
                return Outcome.failed(
                        Failure.Kind.UNKNOWN,
                        "Whether the rows are durable is not known yet: repeat with the same Idempotency-Key or offset");
            Failure failure = new Failure(Failure.Kind.UNAVAILABLE, "The rows could not be made durable in time");
            arrival.refused(failure);
            return Outcome.failed(failure);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /// The last entry of the request, when it has any.
    @Nullable
    Arrival last() {
        return arrivals.isEmpty() ? null : arrivals.getLast();
    }

    @Override
    public void close() {
        dropHeld();
        if (!spooled.isEmpty()) desk.writer().delete(destination.forFiles(), spooled);
    }
}
