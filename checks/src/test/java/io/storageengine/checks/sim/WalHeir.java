package io.storageengine.checks.sim;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.log.LogEntry;
import io.storageengine.core.log.ObjectLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A process that takes a write-ahead log over, whether or not its owner is really dead: seals it, replays what
/// lies above the table's watermark, and deletes it.
final class WalHeir implements Runnable {
    private final SimProcess process;
    private final LogChecker checker;
    private final SimTable table;
    private final ObjectLog log;
    private boolean finished;

    WalHeir(SimProcess process, SimDisk disk, LogVariant variant, LogChecker checker, SimTable table) {
        this.process = process;
        this.checker = checker;
        this.table = table;
        this.log = new ObjectLog(
                variant.store(disk, process),
                WalSimulation.PREFIX,
                process.name(),
                variant.options(true),
                process,
                process.world().random());
    }

    boolean isFinished() {
        return finished;
    }

    @Override
    public void run() {
        long sealedAt = WalSimulation.sealed(log, 0, process, checker);
        while (!replay(sealedAt)) process.sleep(20);
        while (!log.truncate(sealedAt).isOk()) process.sleep(20);
        finished = true;
    }

    private boolean replay(long sealedAt) {
        long mark = table.watermark(process);
        if (mark >= sealedAt - 1) return true;
        return rows(mark + 1, sealedAt)
                .map(rows -> table.commit(process, mark, sealedAt - 1, rows).isOk())
                .orElse(false);
    }

    private Optional<List<String>> rows(long from, long to) {
        List<String> rows = new ArrayList<>();
        for (long n = from; n < to; n++) {
            switch (log.read(n)) {
                case Outcome.Ok<LogEntry>(LogEntry entry) -> {
                    checker.believes(process.name(), n, RawEntry.of(entry));
                    rows.add(RawEntry.text(entry.payload()));
                }
                case Outcome.Failed<LogEntry>(Failure failure) -> {
                    LogChecker.demand(
                            !failure.code().equals(ObjectLog.NO_SUCH_ENTRY),
                            "entry",
                            n,
                            "is missing below the seal at",
                            to);
                    return Optional.empty();
                }
            }
        }
        return Optional.of(rows);
    }
}
