package io.storageengine.catalog.log;

import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.Command;
import io.storageengine.catalog.state.Decision;
import io.storageengine.catalog.state.EntryCodec;
import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.log.Appended;
import io.storageengine.core.log.ObjectLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// One process's hold on a catalog's log. Any number of virtual threads may call it.
///
/// **Group commit**: whoever gets the lead takes all commands that wait, decides them in order and appends one
/// entry; the others find their answers when they get the lead. Another process may own the same log at the
/// same time: the loser of a position applies the winner's entry and decides everything anew.
///
/// **Reads** see at least every entry that was acknowledged anywhere before the read began: by one GET of the
/// next position, begun after the read arrived and shared by all reads that wait; by none in exclusive mode.
///
/// After an unknown outcome the position is decided before anything else is read or written here, so that a
/// client that looks whether its commit is there gets an answer that holds.
public final class CatalogLog {
    private static final long EPOCH = 1;

    private final ObjectLog log;
    private final CatalogLogOptions options;
    private final Clock clock;
    private final LogView view;
    private final Checkpoints checkpoints;
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final ReentrantLock leading = new ReentrantLock(true);
    private final ReentrantLock looking = new ReentrantLock();
    private final AtomicLong arrivals = new AtomicLong();
    private long seenArrivals;
    /// The position of an append whose outcome nobody knows; 0 for none.
    private volatile long undecided;

    /// A command and, once it is decided, what became of it.
    private static final class Waiting {
        private final Command command;
        private volatile @Nullable Outcome<Decision> outcome;

        private Waiting(Command command) {
            this.command = command;
        }
    }

    public CatalogLog(ObjectLog log, CatalogLogOptions options, Clock clock) {
        this.log = log;
        this.options = options;
        this.clock = clock;
        this.view = new LogView(log);
        this.checkpoints = new Checkpoints(log, options.checkpointEvery());
    }

    /// The catalog as it is now.
    ///
    /// @throws FailureException when the storage cannot be read
    public CatalogState state() {
        if (undecided != 0) settleLeading();
        if (options.exclusive() && view.isOpen()) return view.state();
        long arrival = arrivals.incrementAndGet();
        looking.lock();
        try {
            if (seenArrivals < arrival) {
                long covered = arrivals.get();
                view.follow();
                seenArrivals = covered;
            }
        } finally {
            looking.unlock();
        }
        return view.state();
    }

    /// The catalog as this process knows it, without a look at the tip: for work whose result the log will
    /// judge.
    ///
    /// @throws FailureException when the storage cannot be read
    public CatalogState latest() {
        return view.isOpen() && undecided == 0 ? view.state() : state();
    }

    /// Does what the command wants, or not at all. The answer is a decision that is durable; a failure when the
    /// storage could not be read or written (`UNKNOWN`: it may be done).
    public Outcome<Decision> submit(Command command) {
        Waiting mine = new Waiting(command);
        waiting.add(mine);
        Outcome<Decision> outcome = mine.outcome;
        while (outcome == null) {
            leading.lock();
            try {
                if (mine.outcome == null) lead();
            } finally {
                leading.unlock();
            }
            outcome = mine.outcome;
        }
        if (view.isOpen()) checkpoints.writeWhenDue(view.now());
        return outcome;
    }

    /// The first position that is kept, and the last there is: a look at the tip, and one GET of the boundary.
    ///
    /// @throws FailureException when the storage cannot be read
    public Span span() {
        state();
        long last = view.now().position();
        return new Span(Math.min(log.first().orThrow(), last + 1), last);
    }

    /// What the catalog was.
    public Past past() {
        return new Past(log, this);
    }

    /// Positions from `first` to `last`; none when `last` is less.
    public record Span(long first, long last) {}

    /// An entry that is kept: one GET; `CONFLICT` ([ObjectLog#TRUNCATED]) when it is not any more.
    public Outcome<EntryCodec.Entry> entry(long position) {
        return log.read(position)
                .map(entry -> entry.isSeal()
                        ? new EntryCodec.Entry(1, entry.wallMillis(), List.of(), List.of())
                        : EntryCodec.decode(entry.payload()));
    }

    private void settleLeading() {
        leading.lock();
        try {
            settle();
        } finally {
            leading.unlock();
        }
    }

    /// Decides the position of an append whose outcome is unknown: reads it, or puts an empty entry there.
    private void settle() {
        long position = undecided;
        if (position == 0) return;
        view.follow();
        LogView.Now now = view.now();
        if (now.position() < position) {
            switch (log.append(
                    now.position() + 1, EPOCH, EntryCodec.encode(clock.wallMillis(), List.of(), List.of()))) {
                case Appended.Won(long won) -> view.advance(won, now.state());
                case Appended.Lost(var winner) -> view.advance(winner);
                case Appended.Failed(Failure failure) -> throw new FailureException(asUnavailable(failure));
            }
        }
        if (view.now().position() >= position) undecided = 0;
    }

    private void lead() {
        List<Waiting> taken = new ArrayList<>();
        while (taken.size() < options.batchMax()) {
            Waiting next = waiting.poll();
            if (next == null) break;
            taken.add(next);
        }
        try {
            if (undecided != 0) settle();
            if (!view.isOpen()) view.follow();
            decideAndAppend(taken);
        } catch (FailureException e) {
            answerRest(taken, e.failure());
        } finally {
            // A fault of this program must not leave anybody waiting, nor look like a refusal.
            answerRest(taken, new Failure(Failure.Kind.UNKNOWN, "The catalog failed while it was committing"));
        }
    }

    private void decideAndAppend(List<Waiting> taken) {
        List<Command> commands = taken.stream().map(w -> w.command).toList();
        boolean fresh = options.exclusive();
        while (true) {
            LogView.Now base = view.now();
            long wallMillis = clock.wallMillis();
            Batch batch = Batch.decide(base.state(), commands, wallMillis);
            if (!fresh && (batch.changes().isEmpty() || batch.hasRefusals())) {
                // A refusal must not rest on a state that another process has left behind.
                view.follow();
                fresh = true;
            } else if (batch.changes().isEmpty()) {
                answer(taken, batch);
                return;
            } else {
                var payload = EntryCodec.encode(wallMillis, batch.changes(), batch.principals());
                Appended appended = log.append(base.position() + 1, EPOCH, payload);
                if (settled(appended, taken, batch)) return;
                fresh = false;
            }
        }
    }

    /// Whether the batch is answered; if not, it lost and is to be decided anew.
    private boolean settled(Appended appended, List<Waiting> taken, Batch batch) {
        return switch (appended) {
            case Appended.Won(long position) -> {
                view.advance(position, batch.after());
                answer(taken, batch);
                yield true;
            }
            case Appended.Lost(var winner) -> {
                view.advance(winner);
                view.follow();
                yield false;
            }
            case Appended.Failed(Failure failure) -> {
                // Also when the entry lies below the boundary: an append that cannot tell says UNKNOWN.
                fail(taken, batch, failure);
                yield true;
            }
        };
    }

    private void fail(List<Waiting> taken, Batch batch, Failure failure) {
        if (failure.kind() == Failure.Kind.UNKNOWN) undecided = view.now().position() + 1;
        for (int i = 0; i < taken.size(); i++) {
            // What was refused wrote nothing, but its reason may rest on a change that is not there.
            taken.get(i).outcome =
                    Outcome.failed(isRefusal(batch.decisions().get(i)) ? asUnavailable(failure) : failure);
        }
    }

    private static boolean isRefusal(Decision decision) {
        return switch (decision) {
            case Decision.Refused refused -> true;
            case Decision.Replayed replayed -> replayed.reply().failure().isPresent();
            case Decision.Accepted accepted -> false;
        };
    }

    private static Failure asUnavailable(Failure failure) {
        return new Failure(Failure.Kind.UNAVAILABLE, failure.message());
    }

    private static void answer(List<Waiting> taken, Batch batch) {
        for (int i = 0; i < taken.size(); i++) {
            taken.get(i).outcome = Outcome.ok(batch.decisions().get(i));
        }
    }

    private static void answerRest(List<Waiting> taken, Failure failure) {
        for (Waiting one : taken) {
            if (one.outcome == null) one.outcome = Outcome.failed(failure);
        }
    }
}
