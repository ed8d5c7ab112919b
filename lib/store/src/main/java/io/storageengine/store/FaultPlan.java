package io.storageengine.store;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.random.RandomGenerator;

/// Decides what goes wrong; asked once per call, by one thread at a time.
@FunctionalInterface
public interface FaultPlan {
    Fault next(Call call);

    /// The given faults for the next calls of one operation, in order; nothing for all others.
    static FaultPlan script(Operation operation, Fault... faults) {
        Queue<Fault> left = new ArrayDeque<>(List.of(faults));
        return call -> call.operation() == operation && !left.isEmpty() ? left.remove() : Fault.NONE;
    }

    /// Any fault, so many times in a thousand calls.
    ///
    /// @param delayMillisMax the longest delay
    static FaultPlan seeded(RandomGenerator random, int perThousand, long delayMillisMax) {
        return call -> {
            if (random.nextInt(1_000) >= perThousand) return Fault.NONE;
            return switch (random.nextInt(6)) {
                case 0 -> Fault.LOST_REQUEST;
                case 1 -> Fault.LOST_ANSWER;
                case 2 -> Fault.LATE_REQUEST;
                case 3 -> Fault.THROTTLED;
                case 4 -> Fault.UNAVAILABLE;
                default -> new Fault.Delayed(1 + random.nextLong(delayMillisMax));
            };
        };
    }
}
