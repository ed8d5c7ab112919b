package io.storageengine.checks.sim;

import io.storageengine.core.log.Appended;
import io.storageengine.core.log.LogEntry;
import io.storageengine.core.log.ObjectLog;
import java.util.List;

/// One owner writes ahead with several appends in flight; heirs take over from the living and the dead; when
/// all faults have ended, a last heir must bring every row that counts into the table, once.
final class WalSimulation implements Seeds.Run {
    static final String PREFIX = "w/";
    private static final long TROUBLE_MILLIS = 3 * LogVariant.RETENTION_MILLIS;
    private static final int ROUNDS = 20;

    private final World world;
    private final SimDisk disk;
    private final LogChecker checker;
    private final LogVariant variant;
    private final SimTable table;

    WalSimulation(long seed, LogVariant variant) {
        this.variant = variant;
        world = new World(seed);
        disk = new SimDisk(world);
        checker = new LogChecker(disk, PREFIX, true);
        table = new SimTable(world);
        world.faults(Faults.some(world.random()));
        SimProcess owner = new SimProcess(world, "owner", 300);
        owner.spawn(new WalOwner(owner, disk, variant, checker, table, ROUNDS));
        for (int i = 0; i < 2; i++) heir("h" + i, 1 + world.random().nextLong(TROUBLE_MILLIS));
        world.later(TROUBLE_MILLIS * World.MILLI, () -> world.faults(Faults.NONE));
    }

    /// Seals the log, however often it takes, and answers where its seal stands.
    static long sealed(ObjectLog log, long from, SimProcess process, LogChecker checker) {
        while (true) {
            Appended sealed = log.seal(from, 1);
            if (sealed instanceof Appended.Failed) {
                process.sleep(20);
                continue;
            }
            long at = sealed instanceof Appended.Lost(LogEntry winner)
                    ? winner.position()
                    : ((Appended.Won) sealed).position();
            checker.ended(process.name(), at);
            return at;
        }
    }

    private WalHeir heir(String name, long afterMillis) {
        SimProcess process = new SimProcess(world, name, -700);
        WalHeir heir = new WalHeir(process, disk, variant, checker, table);
        world.later(afterMillis * World.MILLI, () -> process.spawn(heir));
        return heir;
    }

    @Override
    public World world() {
        return world;
    }

    @Override
    public void check() {
        WalHeir last = heir("last", 2 * TROUBLE_MILLIS);
        world.run();
        LogChecker.demand(last.isFinished(), "after the faults ended the log could not be taken over");
        checker.finish();
        List<String> counted = checker.log().stream()
                .filter(entry -> !entry.seal())
                .map(RawEntry::payload)
                .toList();
        LogChecker.demand(table.rows().equals(counted), "the table has", table.rows(), "but the log", counted);
    }
}
