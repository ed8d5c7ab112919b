package io.storageengine.ingest.channel;

import io.storageengine.core.Ask;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.ChannelHold;
import io.storageengine.core.message.ChannelStatus;
import io.storageengine.core.message.FindChannel;
import io.storageengine.core.message.FoundChannel;
import io.storageengine.core.message.HoldChannel;
import io.storageengine.ingest.table.OpenTable;
import io.storageengine.ingest.table.TableBuffers;
import io.storageengine.ingest.table.Tables;
import io.storageengine.ingest.wal.WriteAheadLog;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// One catalog's channels in this process. Thread-safe; calls wait. Failures are thrown as [FailureException].
public final class Channels {
    private static final int KEPT_MAX = 10_000;
    private static final int TAKES_MAX = 5;
    private final Ask ask;
    private final long askTimeoutMillis;
    private final Tables tables;
    private final TableBuffers buffers;
    private final WriteAheadLog log;
    private final LogDrain drain;
    private final long waitMillis;
    private final ConcurrentHashMap<Id, Channel> channels = new ConcurrentHashMap<>();

    private record Id(String tableUuid, String channel) {}

    /// @param waitMillis how long a call waits for others, and for rows to be committed
    public Channels(
            Ask ask,
            long askTimeoutMillis,
            Tables tables,
            TableBuffers buffers,
            WriteAheadLog log,
            LogDrain drain,
            long waitMillis) {
        this.ask = ask;
        this.askTimeoutMillis = askTimeoutMillis;
        this.tables = tables;
        this.buffers = buffers;
        this.log = log;
        this.drain = drain;
        this.waitMillis = waitMillis;
    }

    /// A channel that one call has, and nobody else meanwhile.
    public final class Entered implements AutoCloseable {
        private final Id id;
        private final OpenTable table;
        private final Channel channel;

        private Entered(Id id, OpenTable table, Channel channel) {
            this.id = id;
            this.table = table;
            this.channel = channel;
        }

        Channel channel() {
            return channel;
        }

        /// Gives the channel to the next, before this call is over.
        void leave() {
            channel.leave();
        }

        /// Sees to it that this process holds the channel, for the opening that the caller has.
        public void hold(long epoch) throws InterruptedException {
            ChannelHold mine = channel.hold();
            if (mine != null && mine.epoch() == epoch && mine.log().equals(log.currentLog())) return;
            take(epoch, false);
        }

        /// Opens it anew, or for the first time: where it stands, told of this opening and not of one that follows
        /// at once.
        public ChannelStatus open() throws InterruptedException {
            OpenTable now = take(0, true);
            ChannelHold mine = Objects.requireNonNull(channel.hold());
            return new ChannelStatus(
                    id.channel(),
                    mine.epoch(),
                    channel.durable(),
                    channel.durable(),
                    now.snapshotId(),
                    channel.rejected());
        }

        private OpenTable take(long epoch, boolean opens) throws InterruptedException {
            for (int tries = 0; tries < TAKES_MAX; tries++) {
                FoundChannel found = find();
                if (!opens) check(found, epoch);
                settle(found);
                ChannelHold next = next(found, opens);
                if (found.hold().equals(Optional.of(next)) || isHeld(found.hold(), Optional.of(next))) {
                    return begin(next);
                }
            }
            throw new FailureException(
                    Failure.Kind.THROTTLED,
                    "Others open the channel " + id.channel() + " all the time: try again later");
        }

        private void check(FoundChannel found, long epoch) {
            ChannelHold present = found.hold().orElseThrow(() -> absent(id.channel()));
            if (present.epoch() != epoch) throw fenced(present.epoch(), epoch);
        }

        private FailureException fenced(long present, long epoch) {
            return new FailureException(new Failure(
                    Failure.Kind.CONFLICT,
                    "ChannelFencedException",
                    "The channel " + id.channel() + " is at epoch " + present + ", not " + epoch
                            + ": open it to go on where it stands"));
        }

        private ChannelHold next(FoundChannel found, boolean opens) {
            String to = log.currentLog();
            if (found.hold().isEmpty()) {
                long first = found.epochMax() + 1;
                return new ChannelHold(first, to, first);
            }
            ChannelHold present = found.hold().get();
            return new ChannelHold(present.epoch() + (opens ? 1 : 0), to, present.life());
        }

        /// Waits until every row of the channel that may be anywhere is committed.
        private void settle(FoundChannel found) throws InterruptedException {
            channel.lost();
            channel.awaitCommitted(waitMillis, buffers::hasten);
            if (found.hold().isEmpty()) return;
            String holder = found.hold().get().log();
            if (!log.isOwn(holder)) drain.drain(holder, table.ref(), table.uuid(), waitMillis);
        }

        private boolean isHeld(Optional<ChannelHold> expected, Optional<ChannelHold> next) {
            Outcome<FoundChannel> outcome =
                    ask.ask(new HoldChannel(table.ref(), table.uuid(), id.channel(), expected, next), askTimeoutMillis);
            if (outcome instanceof Outcome.Failed<FoundChannel>(Failure failure)
                    && failure.code().equals("ChannelMoved")) return false;
            outcome.orThrow();
            return true;
        }

        private OpenTable begin(ChannelHold next) {
            OpenTable now = tables.load(table.ref(), table.uuid()).orThrow();
            channel.held(next, committed(now, next, id.channel()), rejected(now, next, id.channel()));
            return now;
        }

        private FoundChannel find() {
            return Channels.this.find(table, id.channel());
        }

        /// Forgets the channel once all of its rows are committed.
        public void retire(long epoch) throws InterruptedException {
            for (int tries = 0; tries < TAKES_MAX; tries++) {
                FoundChannel found = find();
                if (epoch > 0) check(found, epoch);
                else if (found.hold().isEmpty()) throw absent(id.channel());
                settle(found);
                if (isHeld(found.hold(), Optional.empty())) return;
            }
            throw new FailureException(
                    Failure.Kind.THROTTLED,
                    "Others open the channel " + id.channel() + " all the time: try again later");
        }

        /// Waits until all that was sent is committed.
        public void awaitCommitted() throws InterruptedException {
            channel.awaitCommitted(waitMillis, buffers::hasten);
        }

        @Override
        public void close() {
            channel.leave();
            channels.computeIfPresent(id, (same, present) -> present.left() ? null : present);
        }
    }

    /// Waits for the channel's turn.
    public Entered enter(OpenTable table, String channel) throws InterruptedException {
        if (channels.size() >= KEPT_MAX) forgetIdle();
        if (channels.size() >= KEPT_MAX)
            throw new FailureException(Failure.Kind.THROTTLED, "Too many channels are in use: try again later");
        Id id = new Id(table.uuid(), channel);
        Channel mine =
                channels.compute(id, (same, present) -> (present == null ? new Channel(channel) : present).joined());
        Entered entered = new Entered(id, table, mine);
        boolean isIn = false;
        try {
            mine.enter(waitMillis);
            isIn = true;
            return entered;
        } finally {
            if (!isIn) entered.close();
        }
    }

    private void forgetIdle() {
        for (Id id : channels.keySet())
            channels.computeIfPresent(id, (same, present) -> present.isIdle() ? null : present);
    }

    private FoundChannel find(OpenTable table, String channel) {
        return ask.ask(new FindChannel(table.ref(), table.uuid(), channel), askTimeoutMillis)
                .orThrow();
    }

    /// Who holds a channel; empty when there is no such channel.
    public Optional<ChannelHold> holder(OpenTable table, String channel) {
        return find(table, channel).hold();
    }

    /// Where a channel stands, as far as this process knows.
    ///
    /// @throws FailureException `NOT_FOUND` when there is no such channel
    public ChannelStatus status(OpenTable table, String channel) {
        ChannelHold hold = find(table, channel).hold().orElseThrow(() -> absent(channel));
        long committed = committed(table, hold, channel);
        Optional<Channel> here = Optional.ofNullable(channels.get(new Id(table.uuid(), channel)))
                .filter(known -> hold.equals(known.hold()));
        return new ChannelStatus(
                channel,
                hold.epoch(),
                Math.max(committed, here.map(Channel::durable).orElse(0L)),
                committed,
                table.snapshotId(),
                here.map(Channel::rejected).orElse(rejected(table, hold, channel)));
    }

    private static FailureException absent(String channel) {
        return new FailureException(new Failure(
                Failure.Kind.NOT_FOUND,
                "NoSuchChannelException",
                "Channel does not exist: " + channel + ": open it first"));
    }

    private static long committed(OpenTable table, ChannelHold hold, String channel) {
        return table.marks().getOrDefault(hold.mark(channel), 0L);
    }

    private static long rejected(OpenTable table, ChannelHold hold, String channel) {
        return table.marks().getOrDefault(hold.rejectedMark(channel), 0L);
    }
}
