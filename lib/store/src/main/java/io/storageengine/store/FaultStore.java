package io.storageengine.store;

import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.ObjectBody;
import io.storageengine.core.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A store whose requests and answers get lost, come late or are refused, as a plan says.
public final class FaultStore extends Decorated {
    private final FaultPlan plan;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Runnable> late = new ArrayDeque<>();

    public FaultStore(ObjectStore inner, FaultPlan plan, Clock clock) {
        super(inner);
        this.plan = plan;
        this.clock = clock;
    }

    @Override
    <T> Outcome<T> call(Call call, Supplier<Outcome<T>> next) {
        return switch (decide(call)) {
            case Fault.None() -> next.get();
            case Fault.LostRequest() -> lost(call);
            case Fault.LostAnswer() -> {
                discard(next.get());
                yield lost(call);
            }
            case Fault.LateRequest() -> {
                if (call.operation().writes() && call.isRepeatable()) defer(next);
                yield lost(call);
            }
            case Fault.Refused(Failure failure) -> Outcome.failed(failure);
            case Fault.Delayed(long millis) -> delayed(call, millis, next);
        };
    }

    private Fault decide(Call call) {
        lock.lock();
        try {
            return plan.next(call);
        } finally {
            lock.unlock();
        }
    }

    private <T> void defer(Supplier<Outcome<T>> next) {
        lock.lock();
        try {
            late.add(() -> discard(next.get()));
        } finally {
            lock.unlock();
        }
    }

    /// Lets all late requests have their effect, in the order of their calls.
    public void land() {
        while (true) {
            Runnable next = pollLate();
            if (next == null) return;
            next.run();
        }
    }

    private @Nullable Runnable pollLate() {
        lock.lock();
        try {
            return late.poll();
        } finally {
            lock.unlock();
        }
    }

    private <T> Outcome<T> delayed(Call call, long millis, Supplier<Outcome<T>> next) {
        try {
            clock.sleep(millis);
            return next.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return lost(call);
        }
    }

    private static <T> Outcome<T> lost(Call call) {
        return call.operation().writes()
                ? Outcome.failed(Failure.Kind.UNKNOWN, "injected: no answer to " + call.operation())
                : Outcome.failed(Failure.Kind.UNAVAILABLE, "injected: no answer to " + call.operation());
    }

    private static void discard(Outcome<?> answer) {
        if (!(answer instanceof Outcome.Ok<?>(ObjectBody body))) return;
        try {
            body.close();
        } catch (IOException e) {
            // Nobody gets this body.
            return;
        }
    }
}
