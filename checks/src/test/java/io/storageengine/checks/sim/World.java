package io.storageengine.checks.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;

/// Time and turns of one simulated run. Each thread of a simulated process is a real virtual thread, but only
/// the holder of the baton runs: a port call hands it back with [#pause], and the earliest event is next. As
/// delays are drawn from the seed, the seed decides who goes on.
public final class World {
    static final long MILLI = 1_000_000;
    private static final int EVENTS_MAX = 2_000_000;

    private final PriorityQueue<Event> queue =
            new PriorityQueue<>(Comparator.comparingLong(Event::nanos).thenComparingLong(Event::order));
    private final List<String> trace = new ArrayList<>();
    private final Semaphore back = new Semaphore(0);
    private final RandomGenerator random;
    private Faults faults = Faults.NONE;
    private long nanos;
    private long order;
    private boolean over;
    private @Nullable Actor running;
    private @Nullable Throwable failure;

    public World(long seed) {
        random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    private record Event(long nanos, long order, Runnable what) {}

    /// One thread of a process.
    private static final class Actor {
        SimProcess process;
        final Semaphore go = new Semaphore(0);

        Actor(SimProcess process) {
            this.process = process;
        }
    }

    public RandomGenerator random() {
        return random;
    }

    /// True once in a while: with this probability.
    public boolean chance(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    public Faults faults() {
        return faults;
    }

    public void faults(Faults next) {
        faults = next;
        say("faults " + next);
    }

    public long nanos() {
        return nanos;
    }

    public long millis() {
        return nanos / MILLI;
    }

    /// Writes one line of the run's story; two runs of one seed must tell the same.
    public void say(String line) {
        trace.add(String.format(Locale.ROOT, "%,12d us %s", nanos / 1_000, line));
    }

    public List<String> trace() {
        return trace;
    }

    /// Lets something happen later, whoever is alive then.
    public void later(long delayNanos, Runnable what) {
        queue.add(new Event(nanos + delayNanos, order++, what));
    }

    /// Starts a thread of a process.
    void spawn(SimProcess process, Runnable body) {
        Actor actor = new Actor(process);
        Thread.ofVirtual().start(() -> live(actor, body));
        later(0, () -> turn(actor));
    }

    private void live(Actor actor, Runnable body) {
        actor.go.acquireUninterruptibly();
        try {
            if (!over) body.run();
        } catch (Crash crash) {
            if (!over) actor.process.kill();
        } catch (Throwable thrown) {
            if (failure == null) failure = thrown;
        }
        back.release();
    }

    /// The calling actor waits for this long, others go on. Its process may sleep on beyond that, or be dead by
    /// then.
    public void pause(long delayNanos) {
        Actor self = running;
        if (self == null) throw new IllegalStateException("only a simulated process can wait");
        later(delayNanos, () -> turn(self));
        back.release();
        self.go.acquireUninterruptibly();
        if (over || self.process.isDead()) throw new Crash();
    }

    /// The calling actor does something as a thread of another process; nothing when that died over it.
    <T> Optional<T> visit(SimProcess host, Supplier<T> work) {
        Actor self = running;
        if (self == null) throw new IllegalStateException("only a simulated process can visit another");
        SimProcess home = self.process;
        self.process = host;
        try {
            return Optional.of(work.get());
        } catch (Crash crash) {
            if (over) throw crash;
            host.kill();
            return Optional.empty();
        } finally {
            self.process = home;
        }
    }

    private void turn(Actor actor) {
        long asleep = actor.process.asleepUntilNanos() - nanos;
        if (asleep > 0 && !over && !actor.process.isDead()) {
            later(asleep, () -> turn(actor));
            return;
        }
        running = actor;
        actor.go.release();
        back.acquireUninterruptibly();
        running = null;
    }

    /// Runs until nothing is left to happen; throws what an actor threw.
    public void run() {
        Thread loop = Thread.ofVirtual().start(this::loop);
        try {
            loop.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (failure instanceof Error error) throw error;
        if (failure != null) throw new IllegalStateException(failure);
    }

    private void loop() {
        for (int events = 0; failure == null && !queue.isEmpty(); events++) {
            if (events > EVENTS_MAX) failure = new AssertionError("the run does not end");
            next();
        }
        over = true;
        while (!queue.isEmpty()) next();
    }

    private void next() {
        Event event = queue.remove();
        nanos = Math.max(nanos, event.nanos);
        try {
            event.what.run();
        } catch (Throwable thrown) {
            if (failure == null) failure = thrown;
        }
    }
}
