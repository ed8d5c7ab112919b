package io.storageengine.gateway.door;

import java.util.concurrent.atomic.AtomicInteger;

/// How many requests are inside at once, and whether any more may come. Thread-safe.
public final class Admission {
    private final int requestsMax;
    private final AtomicInteger inside = new AtomicInteger();
    private volatile Phase phase = Phase.STARTING;

    /// Where the node is in its life.
    private enum Phase {
        STARTING,
        SERVING,
        STOPPING
    }

    public Admission(int requestsMax) {
        this.requestsMax = requestsMax;
    }

    /// What becomes of a request at the door.
    public enum Verdict {
        /// Inside; [#leave] must follow.
        WELCOME,
        /// Too many are inside: come back later.
        FULL,
        /// The node's rooms are not ready yet.
        STARTING,
        /// The node is stopping.
        STOPPING
    }

    /// Lets one request in, or says why not.
    public Verdict enter() {
        return switch (phase) {
            case STARTING -> Verdict.STARTING;
            case STOPPING -> Verdict.STOPPING;
            case SERVING -> count();
        };
    }

    private Verdict count() {
        if (inside.incrementAndGet() <= requestsMax) return Verdict.WELCOME;
        inside.decrementAndGet();
        return Verdict.FULL;
    }

    /// A request that was let in is over.
    public void leave() {
        inside.decrementAndGet();
    }

    /// The rooms are ready: requests may come.
    public void open() {
        phase = Phase.SERVING;
    }

    /// No more requests from now on.
    public void close() {
        phase = Phase.STOPPING;
    }

    /// Whether requests are let in at all.
    public boolean isServing() {
        return phase == Phase.SERVING;
    }

    /// Requests inside now.
    public int inside() {
        return inside.get();
    }
}
