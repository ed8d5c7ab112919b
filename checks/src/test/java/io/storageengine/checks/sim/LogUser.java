package io.storageengine.checks.sim;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.log.Appended;
import io.storageengine.core.log.Checkpoint;
import io.storageengine.core.log.LogEntry;
import io.storageengine.core.log.ObjectLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A process that uses one log the way a catalog does: it follows the log, appends at the tip, now and then
/// takes it over with a seal, writes checkpoints and truncates. It tells the checker what it was told.
final class LogUser implements Runnable {
    private static final int TRIES_MAX = 6;

    private final SimProcess process;
    private final World world;
    private final LogVariant variant;
    private final LogChecker checker;
    private final ObjectLog log;
    private final ObjectLog keeper;
    private final int operations;
    private final int enough;
    private List<RawEntry> state = new ArrayList<>();
    private long epoch;
    private int payloads;
    private int acked;

    /// @param operations it does at most as many
    /// @param enough it stops when as many of its appends were acknowledged
    LogUser(SimProcess process, SimDisk disk, LogVariant variant, LogChecker checker, int operations, int enough) {
        this.process = process;
        this.world = process.world();
        this.variant = variant;
        this.checker = checker;
        this.operations = operations;
        this.enough = enough;
        SimStore store = variant.store(disk, process);
        this.log = new ObjectLog(
                store, LogSimulation.PREFIX, process.name(), variant.options(false), process, world.random());
        this.keeper = new ObjectLog(
                store, LogSimulation.PREFIX, process.name(), variant.keeperOptions(false), process, world.random());
    }

    int acked() {
        return acked;
    }

    @Override
    public void run() {
        open();
        for (int i = 0; i < operations && acked < enough; i++) {
            process.sleep(1 + world.random().nextLong(i % 8 == 7 ? LogVariant.RETENTION_MILLIS / 3 : 200));
            step();
        }
    }

    private void step() {
        switch (world.random().nextInt(12)) {
            case 0 -> seal();
            case 1 -> log.checkpoint(state.size(), RawEntry.bytes(States.encode(state)));
            case 2, 3 -> keeper.truncate(1 + world.random().nextLong(state.size() + 1L));
            case 4 -> {
                if (!follow()) open();
            }
            default -> append();
        }
    }

    private void open() {
        while (true) {
            switch (log.newestCheckpoint()) {
                case Outcome.Ok<Optional<Checkpoint>>(Optional<Checkpoint> newest) -> {
                    state = newest.map(c -> States.decode(RawEntry.text(c.state())))
                            .orElseGet(ArrayList::new);
                    for (int i = 0; i < state.size(); i++) checker.believes(process.name(), i + 1L, state.get(i));
                    if (follow()) {
                        epoch = log.sealedEpoch();
                        return;
                    }
                }
                case Outcome.Failed<Optional<Checkpoint>> failed -> process.sleep(50);
            }
        }
    }

    /// Reads on to the end; false when that lies where this state cannot follow.
    private boolean follow() {
        while (true) {
            switch (log.read(state.size() + 1L)) {
                case Outcome.Ok<LogEntry>(LogEntry entry) -> take(entry);
                case Outcome.Failed<LogEntry>(Failure failure) -> {
                    if (failure.code().equals(ObjectLog.NO_SUCH_ENTRY)) return true;
                    if (failure.code().equals(ObjectLog.TRUNCATED)) return false;
                    process.sleep(50);
                }
            }
        }
    }

    private void take(LogEntry entry) {
        RawEntry raw = RawEntry.of(entry);
        checker.believes(process.name(), entry.position(), raw);
        if (entry.position() == state.size() + 1L) state.add(raw);
    }

    private void seal() {
        switch (variant.told(log.seal(state.size(), log.sealedEpoch() + 1))) {
            case Appended.Won(long position) -> epoch = log.sealedEpoch();
            case Appended.Lost(LogEntry winner) ->
                checker.believes(process.name(), winner.position(), RawEntry.of(winner));
            case Appended.Failed failed -> {}
        }
        if (!follow()) open();
    }

    /// One payload at the first position that is free; nothing else is tried once its fate is unknown.
    private void append() {
        String payload = process.name() + "#" + ++payloads;
        checker.trying(payload);
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            long position = state.size() + 1L;
            long claimed = variant == LogVariant.IGNORES_SEALS ? Long.MAX_VALUE : epoch;
            switch (variant.told(log.append(position, claimed, RawEntry.bytes(payload)))) {
                case Appended.Won(long at) -> {
                    won(at, payload);
                    return;
                }
                case Appended.Lost(LogEntry winner) -> take(winner);
                case Appended.Failed(Failure failure) -> {
                    if (failed(payload, failure)) return;
                }
            }
        }
        checker.denied(payload);
    }

    private void won(long position, String payload) {
        acked++;
        checker.acked(position, payload, epoch);
        state.add(new RawEntry(
                false, variant == LogVariant.IGNORES_SEALS ? Long.MAX_VALUE : epoch, process.name(), payload));
    }

    /// True when this payload is settled.
    private boolean failed(String payload, Failure failure) {
        boolean unknown = failure.kind() == Failure.Kind.UNKNOWN;
        if (!unknown) checker.denied(payload);
        if (failure.code().equals(ObjectLog.SEALED) && world.random().nextBoolean()) epoch = log.sealedEpoch();
        if (unknown) open();
        boolean again =
                failure.kind() == Failure.Kind.UNAVAILABLE && world.random().nextBoolean();
        if (again) checker.trying(payload);
        return !again;
    }
}
