package io.storageengine.catalog.tables;

import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Whose turn it is to commit to a table. Commits to one table go one after the other, in the order of their
/// arrival, with one exception: a writer that lost a race is waited for. Without it, whoever has just won knows
/// the newest snapshot first and wins again, and the others lose for ever.
///
/// A lost race reserves the table for its loser for a *grace*, a few times what losers of that table have
/// needed to load it and come back; until then others wait. The next loser is told so only after that. A
/// writer is known again by the snapshot that it adds (Iceberg's Java client keeps the snapshot's id when it
/// retries) or by its connection. One that does not come back costs a grace, and halves it; one that comes back
/// and loses again goes to the end of the queue.
///
/// With that alone every writer would lose once for each commit. So where winners were seen to come back at
/// once, one may commit a few times in a row, and the next loser is told so only then.
///
/// Thread-safe; waits on the calling (virtual) thread.
public final class Turns {
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long GRACE_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long GRACE_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);
    /// Commits in a row while others wait.
    private static final int RUN_MAX = 4;
    /// Winners that need longer are not waited for.
    private static final long RUN_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long RUN_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(1);
    /// Graces per time that losers need to come back.
    private static final int PATIENCE = 4;
    /// Who has waited for so long waits for no more graces.
    private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);
    /// Tables of which something is remembered.
    private static final int TABLES_MAX = 10_000;

    private final Clock clock;
    private final Map<UUID, Turn> turns = new ConcurrentHashMap<>();

    Turns(Clock clock) {
        this.clock = clock;
    }

    private static final Writer NOBODY = new Writer("", Set.of());

    /// Who commits.
    ///
    /// @param connection what the request came by; empty when that is not known
    /// @param snapshots ids of the snapshots that it adds
    public record Writer(String connection, Set<Long> snapshots) {
        public Writer {
            snapshots = Set.copyOf(snapshots);
        }

        private boolean isNobody() {
            return connection.isEmpty() && snapshots.isEmpty();
        }

        boolean is(Writer other) {
            return (!connection.isEmpty() && connection.equals(other.connection))
                    || !Collections.disjoint(snapshots, other.snapshots);
        }
    }

    /// Commits when it is this writer's turn. A failure with the code [Refusals#LOST_RACE] is a lost race.
    <T> T take(UUID table, Writer writer, Supplier<T> commit) {
        Turn turn = enter(table);
        try {
            turn.await(writer);
            boolean lost = false;
            try {
                return commit.get();
            } catch (FailureException e) {
                lost = e.failure().code().equals(Refusals.LOST_RACE);
                throw e;
            } finally {
                turn.end(writer, lost);
            }
        } finally {
            turns.computeIfPresent(table, (uuid, left) -> left.leave() ? null : left);
        }
    }

    /// Works when it is the turn of all these tables, which are entered in one order, so that nobody waits for
    /// somebody who waits for him. It waits for no loser, nor is it waited for.
    <T> T takeAll(List<UUID> tables, Supplier<T> commit) {
        List<UUID> order = tables.stream().distinct().sorted().toList();
        if (order.isEmpty()) return commit.get();
        List<UUID> rest = order.subList(1, order.size());
        return take(order.getFirst(), NOBODY, () -> takeAll(rest, commit));
    }

    private Turn enter(UUID table) {
        if (turns.size() > TABLES_MAX) forgetIdle();
        return turns.compute(table, (uuid, there) -> {
            Turn turn = there == null ? new Turn() : there;
            turn.enter();
            return turn;
        });
    }

    /// Tables whose last loser never came back.
    private void forgetIdle() {
        for (UUID table : turns.keySet()) turns.computeIfPresent(table, (uuid, turn) -> turn.isIdle() ? null : turn);
    }

    /// How many tables something is remembered of.
    int size() {
        return turns.size();
    }

    /// Until a moment on the monotonic clock; for a loser, or for a winner that may go on.
    private record Reservation(Writer writer, boolean isRun, long sinceNanos, long untilNanos) {}

    /// One place in a queue.
    private static final class Place {
        private final Writer writer;

        private Place(Writer writer) {
            this.writer = writer;
        }
    }

    /// One table's queue.
    private final class Turn {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private final Deque<Place> queue = new ArrayDeque<>();
        private int inside;
        private boolean isTaken;
        private long graceNanos = GRACE_NANOS;
        private @Nullable Reservation reservation;
        /// How long a winner is waited for; 0 as long as none was seen to come back at once.
        private long runNanos;
        /// Commits in a row by one writer.
        private int run;

        private Writer winner = NOBODY;
        private long wonNanos;

        void enter() {
            lock.lock();
            try {
                inside++;
            } finally {
                lock.unlock();
            }
        }

        /// Whether nobody is here.
        boolean isIdle() {
            lock.lock();
            try {
                return inside == 0;
            } finally {
                lock.unlock();
            }
        }

        /// One less is here; whether nothing is left to remember.
        boolean leave() {
            lock.lock();
            try {
                inside--;
                return inside == 0 && reservation == null;
            } finally {
                lock.unlock();
            }
        }

        void await(Writer writer) {
            lock.lock();
            try {
                Place place = new Place(writer);
                boolean isAwaited = reservation != null && reservation.writer().is(writer);
                learnRun(writer);
                if (isAwaited) returned();
                if (isAwaited) queue.addFirst(place);
                else queue.addLast(place);
                awaitHead(place);
                isTaken = true;
            } finally {
                lock.unlock();
            }
        }

        /// The loser is back: its way there and back tells how long to wait for the next.
        private void returned() {
            if (reservation == null || reservation.isRun()) return;
            long needed = (clock.nanos() - reservation.sinceNanos()) * PATIENCE;
            graceNanos = Math.clamp((graceNanos + needed) / 2, GRACE_NANOS_MIN, GRACE_NANOS_MAX);
        }

        /// How soon a winner comes again tells how long to wait for the next.
        private void learnRun(Writer writer) {
            long needed = clock.nanos() - wonNanos;
            if (!winner.is(writer) || needed > RUN_NANOS_MAX / 2) return;
            runNanos = Math.clamp(Math.max(runNanos, 2 * needed), RUN_NANOS_MIN, RUN_NANOS_MAX);
        }

        private void awaitHead(Place place) {
            long since = clock.nanos();
            try {
                while (true) {
                    Reservation now = reservation;
                    if (isTaken || queue.peekFirst() != place) changed.await();
                    else if (now != null && isReservedForAnother(place.writer, since))
                        clock.await(changed, now.untilNanos() - clock.nanos());
                    else return;
                }
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
                throw new FailureException(Failure.Kind.UNAVAILABLE, "The node is stopping");
            } finally {
                queue.remove(place);
                changed.signalAll();
            }
        }

        private boolean isReservedForAnother(Writer writer, long since) {
            Reservation now = reservation;
            if (now == null || writer.isNobody() || now.writer().is(writer) || clock.nanos() - since > WAIT_NANOS_MAX)
                return false;
            if (clock.nanos() < now.untilNanos()) return true;
            reservation = null;
            if (now.isRun()) runNanos = runNanos / 2 < RUN_NANOS_MIN ? 0 : runNanos / 2;
            else graceNanos = Math.max(graceNanos / 2, GRACE_NANOS_MIN);
            return false;
        }

        void end(Writer writer, boolean lost) {
            lock.lock();
            try {
                isTaken = false;
                long now = clock.nanos();
                Reservation own = reservation != null && reservation.writer().is(writer) ? reservation : null;
                // Who was waited for and lost again holds nobody up any longer: others first.
                boolean isWaitedFor = lost && !writer.isNobody() && (own == null || own.isRun());
                if (isWaitedFor) reservation = new Reservation(writer, false, now, now + graceNanos);
                else if (own != null) reservation = null;
                if (!lost && reservation == null) won(writer, now);
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        private void won(Writer writer, long now) {
            run = winner.is(writer) ? run + 1 : 1;
            winner = writer;
            wonNanos = now;
            boolean mayGoOn = run < RUN_MAX && runNanos > 0 && !queue.isEmpty() && !writer.isNobody();
            if (mayGoOn) reservation = new Reservation(writer, true, now, now + runNanos);
        }
    }
}
