package io.storageengine.ingest.channel;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.ChannelHold;
import io.storageengine.ingest.table.Arrival;
import io.storageengine.ingest.wal.Block;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One channel in this process: who holds it, and where its rows on their way to the log stand. One call at a
/// time has it ([#enter]); what the log tells comes on the log's thread.
final class Channel {
    private static final Failure AGAIN = new Failure(
            Failure.Kind.UNAVAILABLE, "Rows of this channel were not taken: send again from its durable offset on");
    private final String name;
    private final ReentrantLock turn = new ReentrantLock(true);
    private final Deque<Sent> sent = new ArrayDeque<>();
    private @Nullable ChannelHold hold;
    private long next;
    private long durable;
    private long rejected;
    private @Nullable Arrival last;
    private int users;

    /// Rows that are on their way into the log. Those after some that were refused are void.
    private static final class Sent {
        private final Block.ChannelPart part;
        private final String log;
        private final Arrival arrival;
        private boolean isVoid;

        Sent(Block.ChannelPart part, String log, Arrival arrival) {
            this.part = part;
            this.log = log;
            this.arrival = arrival;
        }
    }

    Channel(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /// Counts a user; called under the map's lock, as [#left] is.
    Channel joined() {
        users++;
        return this;
    }

    /// Whether nothing here need be kept.
    boolean left() {
        return --users == 0 && hold() == null && isSettled();
    }

    /// Whether it may be forgotten: whoever needs it again begins with what is committed.
    boolean isIdle() {
        return users == 0 && isSettled();
    }

    /// Whether all of its rows are committed, or known not to be taken.
    private synchronized boolean isSettled() {
        return sent.isEmpty() && (last == null || last.committed().isDone());
    }

    /// Waits until nobody else has the channel.
    void enter(long millis) throws InterruptedException {
        if (turn.tryLock(millis, TimeUnit.MILLISECONDS)) return;
        throw new FailureException(
                Failure.Kind.THROTTLED, "Another request has the channel " + name + ": try again later");
    }

    /// Gives it to the next; does nothing when it was given already.
    void leave() {
        if (turn.isHeldByCurrentThread()) turn.unlock();
    }

    synchronized @Nullable ChannelHold hold() {
        return hold;
    }

    /// The offset that comes next, of all rows that were sent.
    synchronized long next() {
        return next;
    }

    /// Rows before it are durable.
    synchronized long durable() {
        return durable;
    }

    /// How many of them were refused, of all that were sent.
    synchronized long rejected() {
        return rejected;
    }

    /// This process holds it, and all before that offset is committed.
    synchronized void held(ChannelHold by, long offset, long rejectedRows) {
        hold = by;
        next = offset;
        durable = offset;
        rejected = rejectedRows;
        last = null;
    }

    /// This process does not hold it any more.
    synchronized void lost() {
        hold = null;
    }

    /// The rows are about to be put into the log that holds the channel.
    void send(Block.ChannelPart part, Arrival arrival) {
        Sent mine;
        synchronized (this) {
            ChannelHold by = hold;
            if (by == null) throw new IllegalStateException("nobody holds channel " + name);
            mine = new Sent(part, by.log(), arrival);
            sent.add(mine);
            next = part.to();
            rejected = part.rejectedBefore() + part.rejected();
        }
        arrival.objecting(log -> objection(mine, log));
        var _ = arrival.logged().whenComplete((at, error) -> decided(mine, at.isOk()));
    }

    private synchronized Optional<Failure> objection(Sent mine, String log) {
        return mine.isVoid || !mine.log.equals(log) ? Optional.of(AGAIN) : Optional.empty();
    }

    private synchronized void decided(Sent mine, boolean isDurable) {
        if (isDurable) {
            durable = mine.part.to();
            last = mine.arrival;
        } else if (!mine.isVoid) {
            next = mine.part.from();
            rejected = mine.part.rejectedBefore();
            for (Sent each : sent) each.isVoid |= each.part.from() > mine.part.from();
        }
        sent.remove(mine);
    }

    /// Waits until all rows before an offset are durable; a failure when they were not taken.
    void awaitDurable(long offset, long millis) throws InterruptedException {
        while (true) {
            CompletableFuture<?> decided;
            synchronized (this) {
                if (durable >= offset) return;
                if (sent.isEmpty()) throw new FailureException(AGAIN);
                decided = sent.getFirst().arrival.logged();
            }
            get(decided, millis);
        }
    }

    /// Waits until the log has decided about all that was sent, and what is durable is committed.
    ///
    /// @param hasten is told that somebody waits for the commit of these rows
    void awaitCommitted(long millis, Consumer<Arrival> hasten) throws InterruptedException {
        while (true) {
            CompletableFuture<?> decided;
            synchronized (this) {
                if (sent.isEmpty()) break;
                decided = sent.getLast().arrival.logged();
            }
            get(decided, millis);
        }
        Arrival waited;
        synchronized (this) {
            waited = last;
        }
        if (waited == null) return;
        hasten.accept(waited);
        ((Outcome<?>) get(waited.committed(), millis)).orThrow();
    }

    private Object get(CompletableFuture<?> future, long millis) throws InterruptedException {
        try {
            return future.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new FailureException(
                    Failure.Kind.UNAVAILABLE, "Rows of channel " + name + " are still on their way: try again later");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
