package io.storageengine.gateway.door;

import java.util.concurrent.atomic.AtomicInteger;

/// How many requests are inside at once, and whether any more may come. Thread-safe.
public final class Admission {
    private final int requestsMax;
    private final AtomicInteger inside = new AtomicInteger();
    private volatile boolean closed;

    public Admission(int requestsMax) {
        this.requestsMax = requestsMax;
    }

    /// What becomes of a request at the door.
    public enum Verdict {
        /// Inside; [#leave] must follow.
        WELCOME,
        /// Too many are inside: come back later.
        FULL,
        /// The node is stopping.
        CLOSED
    }

    /// Lets one request in, or says why not.
    public Verdict enter() {
        if (closed) return Verdict.CLOSED;
        if (inside.incrementAndGet() > requestsMax) {
            inside.decrementAndGet();
            return Verdict.FULL;
        }
        return Verdict.WELCOME;
    }

    /// A request that was let in is over.
    public void leave() {
        inside.decrementAndGet();
    }

    /// No more requests from now on.
    public void close() {
        closed = true;
    }

    public boolean isClosed() {
        return closed;
    }

    /// Requests inside now.
    public int inside() {
        return inside.get();
    }
}
