package io.storageengine.gateway.auth;

import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tokens that were looked up a moment ago, and ids that are nobody's: one look-up of an id in
/// [#FRESH_MILLIS] however many requests bring it, and [#LOOKUPS_MAX] look-ups at once. Thread-safe; never
/// blocks its caller.
public final class TokenCache {
    /// For how long an answer holds: a token that is revoked is nothing any more after that, on every node.
    public static final long FRESH_MILLIS = 10_000;

    static final int ENTRIES_MAX = 10_000;
    static final int LOOKUPS_MAX = 32;

    private static final Logger LOG = LoggerFactory.getLogger(TokenCache.class);
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(FRESH_MILLIS);
    private static final long WAIT_MILLIS = 5_000;

    private final Function<String, Outcome<Optional<StoredToken>>> lookup;
    private final Clock clock;
    private final Semaphore lookups = new Semaphore(LOOKUPS_MAX);
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    /// @param sinceNanos from before the look-up began: what was revoked earlier is not in the answer
    private record Entry(CompletableFuture<Outcome<Optional<StoredToken>>> answer, long sinceNanos) {}

    /// @param lookup finds a token by its id; blocks; called on virtual threads
    public TokenCache(Function<String, Outcome<Optional<StoredToken>>> lookup, Clock clock) {
        this.lookup = lookup;
        this.clock = clock;
    }

    /// The token of that id, or that there is none; complete already when it is known. A failure is told to
    /// who waits for it and then forgotten.
    CompletableFuture<Outcome<Optional<StoredToken>>> find(String id) {
        long now = clock.nanos();
        Entry fresh = new Entry(new CompletableFuture<>(), now);
        lock.lock();
        try {
            Entry known = entries.get(id);
            if (known != null && now - known.sinceNanos() < FRESH_NANOS) return known.answer();
            entries.put(id, fresh);
            if (entries.size() > ENTRIES_MAX) entries.pollFirstEntry();
        } finally {
            lock.unlock();
        }
        Thread.ofVirtual().name("token").start(() -> lookUp(id, fresh));
        return fresh.answer();
    }

    /// Forgets what is known of that id.
    void forget(String id) {
        lock.lock();
        try {
            entries.remove(id);
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return entries.size();
        } finally {
            lock.unlock();
        }
    }

    private void lookUp(String id, Entry entry) {
        Outcome<Optional<StoredToken>> found = inTurn(id);
        if (!found.isOk()) {
            lock.lock();
            try {
                entries.remove(id, entry);
            } finally {
                lock.unlock();
            }
        }
        entry.answer().complete(found);
    }

    private Outcome<Optional<StoredToken>> inTurn(String id) {
        boolean mine = false;
        try {
            mine = lookups.tryAcquire(WAIT_MILLIS, TimeUnit.MILLISECONDS);
            if (mine) return told(id, lookup.apply(id));
            return Outcome.failed(Failure.Kind.THROTTLED, "Too many tokens are looked up at once");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcome.failed(Failure.Kind.UNAVAILABLE, "The node is stopping");
        } catch (RuntimeException e) {
            LOG.error("the look-up of token {} failed", id, e);
            return Outcome.failed(Failure.Kind.BUG, "an internal error");
        } finally {
            if (mine) lookups.release();
        }
    }

    /// The storage's failures are this node's, not the caller's: they are not to look like 401 or 403.
    private static Outcome<Optional<StoredToken>> told(String id, Outcome<Optional<StoredToken>> found) {
        if (!(found instanceof Outcome.Failed<Optional<StoredToken>>(Failure failure))) return found;
        LOG.warn("the look-up of token {} failed: {} {}", id, failure.code(), failure.message());
        return switch (failure.kind()) {
            case CORRUPT, BUG -> found;
            case INVALID, UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, EXISTS, CONFLICT, THROTTLED, UNAVAILABLE, UNKNOWN ->
                Outcome.failed(Failure.Kind.UNAVAILABLE, "Tokens cannot be looked up now");
        };
    }
}
