package io.storageengine.checks.sim;

import io.storageengine.core.log.Appended;
import io.storageengine.core.log.LogEntry;
import io.storageengine.core.log.ObjectLog;
import java.util.ArrayList;
import java.util.List;

/// The one writer of a write-ahead log: several appends in flight, acknowledged in order, committed to a table,
/// truncated below its watermark. It stops for good at the first append that is not won.
final class WalOwner implements Runnable {
    private static final int IN_FLIGHT_MAX = 4;

    private final SimProcess process;
    private final World world;
    private final LogVariant variant;
    private final LogChecker checker;
    private final SimTable table;
    private final ObjectLog log;
    private final ObjectLog keeper;
    private final int rounds;
    private final List<String> durable = new ArrayList<>();
    private boolean stopped;

    WalOwner(SimProcess process, SimDisk disk, LogVariant variant, LogChecker checker, SimTable table, int rounds) {
        this.process = process;
        this.world = process.world();
        this.variant = variant;
        this.checker = checker;
        this.table = table;
        this.rounds = rounds;
        SimStore store = variant.store(disk, process);
        String name = process.name();
        this.log = new ObjectLog(store, WalSimulation.PREFIX, name, variant.options(true), process, world.random());
        this.keeper =
                new ObjectLog(store, WalSimulation.PREFIX, name, variant.keeperOptions(true), process, world.random());
    }

    @Override
    public void run() {
        for (int i = 0; i < rounds && !stopped; i++) {
            new Round(1 + world.random().nextInt(IN_FLIGHT_MAX)).run();
            if (world.random().nextInt(3) == 0) commit();
            process.sleep(1 + world.random().nextLong(i % 5 == 4 ? LogVariant.RETENTION_MILLIS / 2 : 300));
        }
    }

    private void commit() {
        long expected = table.watermark(process);
        if (expected > durable.size()) {
            stopped = true;
            return;
        }
        List<String> rows = List.copyOf(durable.subList((int) expected, durable.size()));
        long next = durable.size();
        if (table.commit(process, expected, next, rows).isOk()) keeper.truncate(next + 1);
    }

    /// Some appends at consecutive positions, each on its own thread.
    private final class Round {
        private final long first = durable.size() + 1L;
        private final List<String> payloads = new ArrayList<>();
        private final List<Boolean> won = new ArrayList<>();
        private int answered;

        Round(int size) {
            for (int i = 0; i < size; i++) {
                payloads.add(process.name() + "#" + (first + i));
                won.add(false);
            }
        }

        void run() {
            for (int i = 0; i < payloads.size(); i++) {
                int index = i;
                process.spawn(() -> append(index));
            }
            while (answered < payloads.size()) process.sleep(7);
            if (durable.size() == first + payloads.size() - 1) return;
            stopped = true;
            if (variant == LogVariant.REAL && world.random().nextBoolean()) settle();
        }

        /// Ends the own log: what lies below its seal counts, what does not never will.
        private void settle() {
            long sealedAt = WalSimulation.sealed(log, durable.size(), process, checker);
            for (int i = (int) (durable.size() + 1 - first); i < payloads.size(); i++) {
                if (first + i < sealedAt) acked(i);
                else checker.denied(payloads.get(i));
            }
        }

        private void append(int index) {
            String payload = payloads.get(index);
            checker.trying(payload);
            switch (variant.told(log.append(first + index, 0, RawEntry.bytes(payload)))) {
                case Appended.Won(long position) -> won(index);
                case Appended.Lost(LogEntry winner) -> {
                    checker.believes(process.name(), winner.position(), RawEntry.of(winner));
                    checker.denied(payload);
                }
                case Appended.Failed failed -> {}
            }
            answered++;
        }

        private void won(int index) {
            won.set(index, true);
            boolean early = variant == LogVariant.ACKS_OUT_OF_ORDER;
            if (early) acked(index);
            for (int i = (int) (durable.size() + 1 - first); i < won.size() && won.get(i); i++) {
                if (!early) acked(i);
                durable.add(payloads.get(i));
            }
        }

        private void acked(int index) {
            checker.acked(first + index, payloads.get(index), 0);
        }
    }
}
