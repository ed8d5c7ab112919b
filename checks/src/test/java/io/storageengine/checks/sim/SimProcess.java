package io.storageengine.checks.sim;

import io.storageengine.core.Clock;

/// One simulated process: its threads, its clock, and its end.
public final class SimProcess implements Clock {
    private final World world;
    private final String name;
    private final long skewMillis;
    private long asleepUntilNanos;
    private long suspendedNanos;
    private boolean dead;

    /// @param skewMillis how far its wall clock is off
    public SimProcess(World world, String name, long skewMillis) {
        this.world = world;
        this.name = name;
        this.skewMillis = skewMillis;
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
        return 1_800_000_000_000L + world.millis() + skewMillis;
    }

    @Override
    public long nanos() {
        return world.nanos() - suspendedNanos;
    }

    @Override
    public void sleep(long millis) {
        world.pause(millis * World.MILLI);
    }
}
