package io.storageengine.store;

import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.ObjectStore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// Makes a call again when it is certain that nothing was written: `THROTTLED` and `UNAVAILABLE`. `UNKNOWN`
/// is the caller's to find out about, never repeated here; neither is a call whose content comes once.
public final class RetryingStore extends Decorated {
    private final Retries retries;
    private final Clock clock;
    private final RandomGenerator random;
    private final ReentrantLock randomLock = new ReentrantLock();

    public RetryingStore(ObjectStore inner, Retries retries, Clock clock, RandomGenerator random) {
        super(inner);
        this.retries = retries;
        this.clock = clock;
        this.random = random;
    }

    @Override
    <T> Outcome<T> call(Call call, Supplier<Outcome<T>> next) {
        Outcome<T> answer = next.get();
        for (int failed = 1; failed < retries.attempts(); failed++) {
            if (!call.isRepeatable() || !isPassing(answer) || !waited(failed)) return answer;
            answer = next.get();
        }
        return answer;
    }

    private static boolean isPassing(Outcome<?> answer) {
        return answer.failedWith(Failure.Kind.THROTTLED) || answer.failedWith(Failure.Kind.UNAVAILABLE);
    }

    private boolean waited(int failed) {
        try {
            clock.sleep(delayMillis(failed));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private long delayMillis(int failed) {
        randomLock.lock();
        try {
            return retries.waits().millis(failed, random);
        } finally {
            randomLock.unlock();
        }
    }
}
