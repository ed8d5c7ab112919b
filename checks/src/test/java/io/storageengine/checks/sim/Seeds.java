package io.storageengine.checks.sim;

import java.util.List;
import java.util.function.LongFunction;

/// Runs many seeds, or the one that `-Dsim.seed=N` names; `-Dsim.seeds=N` says how many (by default 1,000 or
/// what a test asks for).
public final class Seeds {
    private static final int TAIL = 120;

    private Seeds() {}

    /// A run of one seed: the world it made, then what happens in it.
    public interface Run {
        World world();

        /// @throws AssertionError when a promise is broken
        void check();
    }

    public static void each(String name, LongFunction<? extends Run> runs) {
        each(name, 1_000, runs);
    }

    /// @param usually how many seeds when nothing is said
    public static void each(String name, long usually, LongFunction<? extends Run> runs) {
        Long only = Long.getLong("sim.seed");
        if (only != null) {
            one(name, only, runs);
            return;
        }
        long count = Long.getLong("sim.seeds", usually);
        System.out.println(name + ": seeds 1 to " + count + " (-Dsim.seeds=N for more, -Dsim.seed=N for one)");
        for (long seed = 1; seed <= count; seed++) one(name, seed, runs);
    }

    /// Proof that a checker can fail: some seed's run breaks a promise.
    ///
    /// @param most how many seeds are tried
    public static void caught(String broken, long most, LongFunction<? extends Run> runs) {
        for (long seed = 1; seed <= most; seed++) {
            try {
                runs.apply(seed).check();
            } catch (AssertionError found) {
                System.out.println(broken + " is caught by seed " + seed + ": " + found.getMessage());
                return;
            }
        }
        throw new AssertionError(broken + " is not caught by " + most + " seeds");
    }

    private static void one(String name, long seed, LongFunction<? extends Run> runs) {
        Run run = runs.apply(seed);
        try {
            run.check();
        } catch (Throwable thrown) {
            List<String> trace = run.world().trace();
            List<String> tail = trace.subList(Math.max(0, trace.size() - TAIL), trace.size());
            throw new AssertionError(
                    name + " breaks at -Dsim.seed=" + seed + ": " + thrown + "\n" + String.join("\n", tail), thrown);
        }
    }
}
