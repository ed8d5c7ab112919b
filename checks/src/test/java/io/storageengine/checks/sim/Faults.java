package io.storageengine.checks.sim;

import java.util.random.RandomGenerator;

/// How often what goes wrong, as probabilities of one port call.
///
/// @param loseRequest the request never arrives
/// @param loseAnswer it has its effect, the caller is not told
/// @param delay the effect comes later, perhaps long after the caller gave up
/// @param crash the calling process dies, before or after the effect
/// @param nap the calling process stands still for up to three retentions
/// @param refuse the store is busy or away, without effect
/// @param race a conditional write meets another in flight (`ConditionalRequestConflict`)
/// @param ownRetry the store's client repeats a write that had landed
public record Faults(
        double loseRequest,
        double loseAnswer,
        double delay,
        double crash,
        double nap,
        double refuse,
        double race,
        double ownRetry) {
    public static final Faults NONE = new Faults(0, 0, 0, 0, 0, 0, 0, 0);

    /// Some kinds of fault often, some never: a run that has all at once never gets far.
    public static Faults some(RandomGenerator random) {
        return new Faults(
                rate(random, 0.15),
                rate(random, 0.15),
                rate(random, 0.15),
                rate(random, 0.01),
                rate(random, 0.03),
                rate(random, 0.10),
                rate(random, 0.10),
                rate(random, 0.10));
    }

    private static double rate(RandomGenerator random, double most) {
        return random.nextBoolean() ? 0 : random.nextDouble() * most;
    }
}
