package io.storageengine.ingest.channel;

import io.storageengine.core.FailureException;
import io.storageengine.core.message.ChannelHold;
import io.storageengine.core.message.OffsetGap;
import io.storageengine.ingest.table.Arrival;
import io.storageengine.ingest.table.OpenTable;
import io.storageengine.ingest.wal.Block;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/// A request's rows in their channel: from its turn until they are on their way into the log. For one thread.
public final class RowsTurn implements AutoCloseable {
    private final Channels.Entered entered;
    private final ChannelHold hold;
    private final long offset;
    private final long next;
    private final long waitMillis;

    private RowsTurn(Channels.Entered entered, ChannelHold hold, long offset, long next, long waitMillis) {
        this.entered = entered;
        this.hold = hold;
        this.offset = offset;
        this.next = next;
        this.waitMillis = waitMillis;
    }

    /// Waits for the turn.
    ///
    /// @param offset of the first row; empty for wherever the channel stands
    /// @param waitMillis how long a repeat waits for its first time to be durable
    /// @throws FailureException when the epoch or the offset is not the channel's
    public static RowsTurn enter(
            Channels channels, OpenTable table, String channel, long epoch, OptionalLong offset, long waitMillis)
            throws InterruptedException {
        Channels.Entered entered = channels.enter(table, channel);
        boolean isIn = false;
        try {
            entered.hold(epoch);
            long next = entered.channel().next();
            long first = offset.orElse(next);
            if (first > next) throw new FailureException(OffsetGap.failure(channel, first, next));
            ChannelHold hold = Objects.requireNonNull(entered.channel().hold());
            isIn = true;
            return new RowsTurn(entered, hold, first, next, waitMillis);
        } finally {
            if (!isIn) entered.close();
        }
    }

    /// The offset that comes next.
    public long next() {
        return next;
    }

    /// How many of the first rows came before.
    public long repeated() {
        return next - offset;
    }

    /// The stretch of offsets that the rows take; empty when all of them came before.
    ///
    /// @param rows how many the request had, refused ones too
    /// @param rejected how many of those that did not come before were refused
    public Optional<Block.ChannelPart> part(long rows, long rejected) {
        long to = Math.addExact(offset, rows);
        if (to <= next) return Optional.empty();
        Channel channel = entered.channel();
        return Optional.of(new Block.ChannelPart(channel.name(), hold.life(), next, to, channel.rejected(), rejected));
    }

    /// From here on the log decides about the rows.
    public void send(Arrival arrival) {
        entered.channel().send(arrival.block().part().orElseThrow(), arrival);
    }

    /// The rows are in the log's queue: the next request of the channel may come.
    public void leave() {
        entered.leave();
    }

    /// Waits until all rows before an offset are durable.
    public void awaitDurable(long to) throws InterruptedException {
        entered.channel().awaitDurable(to, waitMillis);
    }

    /// Waits until all rows of the channel are committed.
    public void awaitCommitted() throws InterruptedException {
        entered.awaitCommitted();
    }

    @Override
    public void close() {
        entered.close();
    }
}
