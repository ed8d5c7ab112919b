package io.storageengine.checks.sim;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import java.util.ArrayList;
import java.util.List;

/// A table that rows of one write-ahead log go into: rows and watermark move in one step, when the caller knows
/// the watermark.
final class SimTable {
    private final World world;
    private final List<String> rows = new ArrayList<>();
    private long watermark;

    SimTable(World world) {
        this.world = world;
    }

    List<String> rows() {
        return rows;
    }

    /// Asks over the wire.
    long watermark(SimProcess process) {
        process.sleep(1 + world.random().nextLong(20));
        long answer = watermark;
        process.sleep(1 + world.random().nextLong(20));
        return answer;
    }

    Outcome<Long> commit(SimProcess process, long expected, long next, List<String> more) {
        process.sleep(1 + world.random().nextLong(20));
        boolean matches = watermark == expected;
        if (matches) {
            watermark = next;
            rows.addAll(more);
        }
        world.say(process.name() + " commits " + expected + " to " + next + ": " + matches);
        process.sleep(1 + world.random().nextLong(20));
        if (world.chance(world.faults().crash())) throw new Crash();
        if (world.chance(world.faults().loseAnswer())) return Outcome.failed(Failure.Kind.UNKNOWN, "no answer");
        return matches ? Outcome.ok(next) : Outcome.failed(Failure.Kind.CONFLICT, "WatermarkMismatch", "moved");
    }
}
