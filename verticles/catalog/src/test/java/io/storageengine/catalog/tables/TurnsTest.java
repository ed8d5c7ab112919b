package io.storageengine.catalog.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.catalog.MachineClock;
import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.core.Clock;
import io.storageengine.core.FailureException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private static final UUID TABLE = new UUID(1, 1);
    private final Clock clock = new MachineClock();
    private final Turns turns = new Turns(clock);

    /// A table whose commits are made on a version, and refused when that is not the current one. They take a
    /// while, as long as a store does, in which the others come.
    private final class Contended {
        private final AtomicInteger version = new AtomicInteger();

        int commitOn(int seen) {
            pause();
            if (!version.compareAndSet(seen, seen + 1)) throw Refusals.conflict("lost");
            return seen + 1;
        }
    }

    private void pause() {
        try {
            clock.sleep(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// What one client got: how many commits, in how many attempts.
    private record Got(int commits, int attempts) {}

    private Got client(Contended table, Turns.Writer writer, int total, CountDownLatch start)
            throws InterruptedException {
        start.countDown();
        start.await();
        int commits = 0;
        int attempts = 0;
        int seen = table.version.get();
        while (table.version.get() < total) {
            attempts++;
            int base = seen;
            try {
                // Who wins knows the new version from the answer, at once; who loses must load it first.
                seen = turns.take(TABLE, writer, () -> table.commitOn(base));
                commits++;
            } catch (FailureException lost) {
                seen = table.version.get();
            }
        }
        return new Got(commits, attempts);
    }

    private List<Got> contend(List<Turns.Writer> writers, int total) throws Exception {
        Contended table = new Contended();
        CountDownLatch start = new CountDownLatch(writers.size());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Got>> clients = new ArrayList<>();
            for (Turns.Writer writer : writers) clients.add(threads.submit(() -> client(table, writer, total, start)));
            List<Got> got = new ArrayList<>();
            for (Future<Got> client : clients) got.add(client.get());
            return got;
        }
    }

    @Test
    void everyWriterGetsItsShareAndMostAttemptsSucceed() throws Exception {
        List<Turns.Writer> writers = new ArrayList<>();
        for (int i = 0; i < 8; i++) writers.add(new Turns.Writer("connection " + i, Set.of()));
        List<Got> got = contend(writers, 800);
        assertThat(got).allSatisfy(one -> assertThat(one.commits()).isBetween(50, 150));
        int attempts = got.stream().mapToInt(Got::attempts).sum();
        assertThat(attempts).isLessThan(800 * 5 / 3);
        assertThat(turns.size()).isLessThanOrEqualTo(1);
    }

    @Test
    void aWriterIsKnownByItsSnapshotOnAnotherConnection() {
        Turns.Writer first = new Turns.Writer("a", Set.of(7L));
        assertThat(first.is(new Turns.Writer("b", Set.of(7L, 8L)))).isTrue();
        assertThat(first.is(new Turns.Writer("a", Set.of()))).isTrue();
        assertThat(first.is(new Turns.Writer("b", Set.of(9L)))).isFalse();
        assertThat(new Turns.Writer("", Set.of()).is(new Turns.Writer("", Set.of())))
                .isFalse();
    }

    @Test
    void othersWaitForALoserAndGoOnWhenItDoesNotComeBack() {
        Turns.Writer gone = new Turns.Writer("gone", Set.of());
        assertThatThrownBy(() -> turns.take(TABLE, gone, () -> {
                    throw Refusals.conflict("lost");
                }))
                .isInstanceOf(FailureException.class);
        long start = clock.nanos();
        assertThat(turns.take(TABLE, new Turns.Writer("other", Set.of()), () -> "done"))
                .isEqualTo("done");
        assertThat(clock.nanos() - start).as("it was waited for").isGreaterThan(100_000_000);
        assertThat(turns.size()).as("nothing is remembered").isZero();
    }

    @Test
    void whoLosesAgainAndAgainHoldsNobodyUp() throws Exception {
        Turns.Writer stale = new Turns.Writer("stale", Set.of());
        AtomicInteger lost = new AtomicInteger();
        CountDownLatch over = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> storm = threads.submit(() -> {
                while (over.getCount() > 0) {
                    assertThatThrownBy(() -> turns.take(TABLE, stale, () -> {
                                pause();
                                throw Refusals.conflict("lost");
                            }))
                            .isInstanceOf(FailureException.class);
                    lost.incrementAndGet();
                }
                return true;
            });
            List<Integer> between = new ArrayList<>();
            try {
                while (lost.get() < 3) pause();
                for (int i = 0; i < 21; i++) {
                    int before = lost.get();
                    turns.take(TABLE, new Turns.Writer("other " + i, Set.of()), () -> "done");
                    between.add(lost.get() - before);
                }
            } finally {
                over.countDown();
            }
            storm.get();
            // The one or other may have been held up on its way here.
            between.sort(null);
            assertThat(between.get(10))
                    .as("losses of another while one waits: %s", between)
                    .isLessThan(10);
        }
    }

    @Test
    void aLoserThatComesBackOvertakesWhoWaits() throws Exception {
        Turns.Writer loser = new Turns.Writer("loser", Set.of());
        assertThatThrownBy(() -> turns.take(TABLE, loser, () -> {
                    throw Refusals.conflict("lost");
                }))
                .isInstanceOf(FailureException.class);
        List<String> order = new ArrayList<>();
        CountDownLatch waits = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> other = threads.submit(() -> {
                waits.countDown();
                return turns.take(TABLE, new Turns.Writer("other", Set.of()), () -> order.add("other"));
            });
            waits.await();
            turns.take(TABLE, loser, () -> order.add("loser"));
            other.get();
        }
        assertThat(order).containsExactly("loser", "other");
    }

    @Test
    void anotherTableIsNotHeldUp() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> held = threads.submit(() -> turns.take(TABLE, new Turns.Writer("a", Set.of()), () -> {
                inside.countDown();
                try {
                    done.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return "first";
            }));
            inside.await();
            assertThat(turns.take(new UUID(1, 2), new Turns.Writer("b", Set.of()), () -> "second"))
                    .isEqualTo("second");
            done.countDown();
            assertThat(held.get()).isEqualTo("first");
        }
    }
}
