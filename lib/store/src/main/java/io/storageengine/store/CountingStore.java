package io.storageengine.store;

import io.storageengine.core.Outcome;
import io.storageengine.core.store.ObjectStore;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// Counts the requests that S3 would see: on object storage, cost is behaviour.
public final class CountingStore extends Decorated {
    private final Map<Operation, AtomicLong> counts = new EnumMap<>(Operation.class);

    public CountingStore(ObjectStore inner) {
        super(inner);
        for (Operation operation : Operation.values()) counts.put(operation, new AtomicLong());
    }

    @Override
    <T> Outcome<T> call(Call call, Supplier<Outcome<T>> next) {
        of(call.operation()).addAndGet(call.requests());
        return next.get();
    }

    private AtomicLong of(Operation operation) {
        return Objects.requireNonNull(counts.get(operation));
    }

    public long count(Operation operation) {
        return of(operation).get();
    }

    /// All operations that occurred, with how often.
    public Map<Operation, Long> counts() {
        Map<Operation, Long> all = new EnumMap<>(Operation.class);
        for (Operation operation : Operation.values()) {
            if (count(operation) > 0) all.put(operation, count(operation));
        }
        return all;
    }

    /// Starts again at zero.
    public void reset() {
        counts.values().forEach(count -> count.set(0));
    }
}
