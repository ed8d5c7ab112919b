package io.storageengine.ingest.table;

/// Decides when one table's waiting rows are taken and committed. Never waits itself: events in, the next step
/// out; times are monotonic milliseconds. One batch is under way at a time; a batch that failed is tried again
/// before another is taken.
final class BatchMachine {
    /// What to do next.
    sealed interface Step {
        /// Nothing, until something is added.
        record Rest() implements Step {}

        /// Ask again then, or when something happened.
        record Wait(long untilMillis) implements Step {}

        /// Take all that waits and commit it.
        record Take() implements Step {}

        /// Try the batch again that failed.
        record Retry() implements Step {}
    }

    private static final long NEVER = Long.MAX_VALUE;
    private final long hasteMillis;
    private long waitingBytes;
    private long dueMillis = NEVER;
    private long retryMillis = NEVER;
    private boolean isDraining;

    /// @param hasteMillis how long rows that somebody waits for gather others
    BatchMachine(long hasteMillis) {
        this.hasteMillis = hasteMillis;
    }

    /// Rows came in.
    void added(long nowMillis, long bytes, Pace pace) {
        waitingBytes += bytes;
        boolean isFull = waitingBytes >= pace.bytesMax();
        dueMillis = Math.min(dueMillis, nowMillis + (isFull ? 0 : pace.intervalMillis()));
    }

    /// Somebody waits for the commit of what waits here.
    void hasten(long nowMillis) {
        if (dueMillis != NEVER) dueMillis = Math.min(dueMillis, nowMillis + hasteMillis);
    }

    /// From now on nothing waits for its time.
    void drain() {
        isDraining = true;
    }

    Step next(long nowMillis) {
        if (retryMillis != NEVER) return nowMillis >= retryMillis ? new Step.Retry() : new Step.Wait(retryMillis);
        if (dueMillis == NEVER) return new Step.Rest();
        return isDraining || nowMillis >= dueMillis ? new Step.Take() : new Step.Wait(dueMillis);
    }

    /// All that waited is a batch now.
    void taken() {
        waitingBytes = 0;
        dueMillis = NEVER;
    }

    void committed() {
        retryMillis = NEVER;
    }

    /// The batch is to be tried again then, at the earliest.
    void failed(long untilMillis) {
        retryMillis = untilMillis;
    }
}
