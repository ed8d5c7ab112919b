package io.storageengine.gateway.door;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/// How many requests are inside at once, and whether any more may come. Thread-safe.
public final class Admission {
    private final int requestsMax;
    private final AtomicInteger inside = new AtomicInteger();
    private final CompletableFuture<Boolean> rooms = new CompletableFuture<>();
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
        /// Inside, but the node's rooms are not ready yet: to be held until [#rooms]; [#leave] must follow.
        EARLY,
        /// The node is stopping.
        STOPPING
    }

    /// Lets one request in, or says why not.
    public Verdict enter() {
        return switch (phase) {
            case STARTING -> count(Verdict.EARLY);
            case STOPPING -> Verdict.STOPPING;
            case SERVING -> count(Verdict.WELCOME);
        };
    }

    private Verdict count(Verdict inTime) {
        if (inside.incrementAndGet() <= requestsMax) return inTime;
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
        rooms.complete(true);
    }

    /// True once the rooms are ready, false when the node stops before that. Completed on the thread that
    /// starts or stops the node.
    public CompletionStage<Boolean> rooms() {
        return rooms.minimalCompletionStage();
    }

    /// No more requests from now on.
    public void close() {
        phase = Phase.STOPPING;
        rooms.complete(false);
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
