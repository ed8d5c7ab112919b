package io.storageengine.checks.sim;

import java.util.ArrayList;
import java.util.List;

/// Several processes append to, seal, checkpoint and truncate one log while everything fails; then all faults
/// end, and newcomers must get on.
final class LogSimulation implements Seeds.Run {
    static final String PREFIX = "c/";
    private static final long TROUBLE_MILLIS = 3 * LogVariant.RETENTION_MILLIS;
    private static final int NEWCOMER_OPERATIONS = 200;
    private static final int NEWCOMER_APPENDS = 3;

    private final World world;
    private final SimDisk disk;
    private final LogChecker checker;
    private final LogVariant variant;
    private final List<LogUser> newcomers = new ArrayList<>();

    LogSimulation(long seed, LogVariant variant) {
        this.variant = variant;
        world = new World(seed);
        disk = new SimDisk(world);
        checker = new LogChecker(disk, PREFIX, false);
        world.faults(Faults.some(world.random()));
        for (int i = 0; i < 3; i++) process("w" + i, 0);
        world.later(TROUBLE_MILLIS * World.MILLI, this::heal);
    }

    /// A process that comes back under a new id when it has died.
    private void process(String name, int life) {
        SimProcess process =
                new SimProcess(world, name + "." + life, world.random().nextLong(2_001) - 1_000);
        LogUser user = new LogUser(process, disk, variant, checker, 24, 24);
        process.spawn(user);
        long rebirth = (500 + world.random().nextLong(LogVariant.RETENTION_MILLIS)) * World.MILLI;
        world.later(rebirth, () -> {
            if (process.isDead()) process(name, life + 1);
        });
    }

    private void heal() {
        world.faults(Faults.NONE);
        for (int i = 0; i < 2; i++) {
            SimProcess process = new SimProcess(world, "n" + i, 0);
            LogUser user = new LogUser(process, disk, variant, checker, NEWCOMER_OPERATIONS, NEWCOMER_APPENDS);
            newcomers.add(user);
            process.spawn(user);
        }
    }

    @Override
    public World world() {
        return world;
    }

    @Override
    public void check() {
        world.run();
        checker.finish();
        for (LogUser user : newcomers) {
            LogChecker.demand(user.acked() == NEWCOMER_APPENDS, "after the faults ended a newcomer got nowhere");
        }
    }
}
