package io.storageengine.checks.sim;

import io.storageengine.catalog.threads.Threads;
import io.storageengine.core.Clock;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/// One simulated process: its threads, its clock, and its end.
public final class SimProcess implements Clock {
    private static final double SWAY_MILLIS = 3_600_000;

    private final World world;
    private final String name;
    private final long skewMillis;
    private final long swayMillis;
    private long asleepUntilNanos;
    private long suspendedNanos;
    private boolean dead;

    /// @param skewMillis how far its wall clock is off
    public SimProcess(World world, String name, long skewMillis) {
        this(world, name, skewMillis, 0);
    }

    /// @param skewMillis how far its wall clock is off
    /// @param swayMillis how much farther it drifts, and back, within hours
    public SimProcess(World world, String name, long skewMillis, long swayMillis) {
        this.world = world;
        this.name = name;
        this.skewMillis = skewMillis;
        this.swayMillis = swayMillis;
    }

    public String name() {
        return name;
    }

    public World world() {
        return world;
    }

    public void spawn(Runnable body) {
        world.spawn(this, body);
    }

    public void kill() {
        if (!dead) world.say(name + " dies");
        dead = true;
    }

    public boolean isDead() {
        return dead;
    }

    long asleepUntilNanos() {
        return asleepUntilNanos;
    }

    /// The whole process stands still; a suspended machine's monotonic clock does so too.
    public void nap(long nanos, boolean suspended) {
        world.say(name + (suspended ? " is suspended for " : " sleeps for ") + nanos / World.MILLI + " ms");
        asleepUntilNanos = world.nanos() + nanos;
        if (suspended) suspendedNanos += nanos;
    }

    @Override
    public long wallMillis() {
        long drifted = (long) (swayMillis * Math.sin(world.millis() / SWAY_MILLIS));
        return 1_800_000_000_000L + world.millis() + skewMillis + drifted;
    }

    @Override
    public long nanos() {
        return world.nanos() - suspendedNanos;
    }

    @Override
    public void sleep(long millis) {
        world.pause(millis * World.MILLI);
    }

    /// As a process has one thread at a time, nobody can signal: it looks again after a while.
    @Override
    public void await(Condition changed, long nanos) {
        world.pause(Math.clamp(nanos, 1, World.MILLI));
    }

    /// Has its work done by whoever asks for it.
    public static final Threads ONE = new Threads() {
        @Override
        public void start(String name, Runnable work) {
            work.run();
        }

        @Override
        public ExecutorService together() {
            return new Direct();
        }
    };

    private static final class Direct extends AbstractExecutorService {
        private boolean isShut;

        @Override
        public void execute(Runnable work) {
            work.run();
        }

        @Override
        public void shutdown() {
            isShut = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            isShut = true;
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return isShut;
        }

        @Override
        public boolean isTerminated() {
            return isShut;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return isShut;
        }
    }
}
