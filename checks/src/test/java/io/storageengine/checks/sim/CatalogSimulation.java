package io.storageengine.checks.sim;

import java.util.ArrayList;
import java.util.List;

/// Several owners of one catalog's log at once, each with a client that reads, commits to one table or two, and
/// repeats what it does not know the fate of, while everything fails; then all faults end, and newcomers must
/// get on. An owner that died comes back under a new id, and its client with the request that it had open.
final class CatalogSimulation implements Seeds.Run {
    static final String PREFIX = "c/";
    private static final int OWNERS = 3;
    private static final int REQUESTS = 12;
    private static final int NEWCOMER_REQUESTS = 4;
    private static final long TROUBLE_MILLIS = LogVariant.RETENTION_MILLIS;

    private final World world;
    private final SimDisk disk;
    private final CatalogChecker checker;
    private final CatalogVariant variant;
    private final List<CatalogClient> newcomers = new ArrayList<>();

    CatalogSimulation(long seed, CatalogVariant variant) {
        this.variant = variant;
        world = new World(seed);
        disk = new SimDisk(world);
        checker = new CatalogChecker(new LogChecker(disk, PREFIX, false));
        Faults trouble = Faults.some(world.random());
        CatalogClient first = client("first", REQUESTS);
        first.process().spawn(() -> {
            first.makeTables();
            world.faults(trouble);
            for (int i = 0; i < OWNERS; i++) owner(client("o" + i, REQUESTS));
        });
        world.later(TROUBLE_MILLIS * World.MILLI, this::heal);
    }

    private CatalogClient client(String name, int requests) {
        long skewMillis = world.random().nextLong(120_001) - 60_000;
        return new CatalogClient(new SimProcess(world, name, skewMillis), disk, variant, checker, requests);
    }

    private void owner(CatalogClient client) {
        client.process().spawn(client);
        long rebirth = (500 + world.random().nextLong(TROUBLE_MILLIS / 2)) * World.MILLI;
        world.later(rebirth, () -> {
            if (!client.process().isDead()) return;
            long skewMillis = world.random().nextLong(120_001) - 60_000;
            owner(client.reborn(new SimProcess(world, client.process().name() + "'", skewMillis)));
        });
    }

    private void heal() {
        world.faults(Faults.NONE);
        for (int i = 0; i < 2; i++) {
            CatalogClient client = client("n" + i, NEWCOMER_REQUESTS);
            newcomers.add(client);
            client.process().spawn(client);
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
        for (CatalogClient client : newcomers)
            LogChecker.demand(client.acked() > 0, "after the faults ended a newcomer got nowhere");
    }
}
