package io.storageengine.checks.sim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Several nodes over one storage, each with the whole catalog room, and several of Iceberg's own clients,
/// which append, commit transactions, repeat what they heard nothing of (some only after most of a key's half
/// hour) clean up what was refused, and purge tables that others register, while everything fails and clocks
/// drift; then all faults end, newcomers must get on, and the tables are gone through file by file. A node
/// that died is replaced.
///
/// The seed decides who goes on when and what fails; names that Iceberg's client makes are random.
final class RestSimulation implements Seeds.Run {
    static final String CLUSTER = "cluster";
    static final String CATALOG = "dev";
    private static final int NODES = 3;
    private static final int CLIENTS = 3;
    private static final int ACTIONS = 8;
    private static final int NEWCOMER_ACTIONS = 3;

    private final World world;
    private final RestVariant variant;
    private final Map<String, SimDisk> disks = new HashMap<>();
    private final RestChecker checker;
    private final List<RestNode> nodes = new ArrayList<>();
    private final List<String> offered = new ArrayList<>();
    private int born;

    RestSimulation(long seed, RestVariant variant) {
        this.variant = variant;
        world = new World(seed);
        disks.put(CLUSTER, new SimDisk(world));
        disks.put(CATALOG, new SimDisk(world));
        checker = new RestChecker(disks);
        for (int i = 0; i < NODES; i++) nodes.add(newNode());
        SimProcess conductor = new SimProcess(world, "conductor", 0);
        Faults trouble = Faults.some(world.random());
        conductor.spawn(() -> {
            nodes.getFirst().register(CATALOG);
            StockWriter first = writer("first", 0);
            world.visit(first.process(), () -> first.makeTables());
            world.faults(trouble);
            finished(conductor, "c", CLIENTS, ACTIONS);
            world.faults(Faults.NONE);
            // Whoever stands still wakes up first.
            conductor.sleep(10 * LogVariant.RETENTION_MILLIS);
            int acked = checker.ackedCount();
            StockWriter last = finished(conductor, "n", 2, NEWCOMER_ACTIONS);
            LogChecker.demand(checker.ackedCount() > acked, "after the faults ended a newcomer got nowhere");
            world.visit(last.process(), () -> checker.audit(last));
        });
    }

    /// Lets clients work and waits for them; the last of them.
    private StockWriter finished(SimProcess conductor, String name, int count, int actions) {
        List<StockWriter> writers = new ArrayList<>();
        for (int i = 0; i < count; i++) writers.add(writer(name + i, actions));
        writers.forEach(writer -> writer.process().spawn(writer));
        while (!writers.stream().allMatch(StockWriter::isOver)) conductor.sleep(1_000);
        return writers.getLast();
    }

    private StockWriter writer(String name, int actions) {
        return new StockWriter(process(name), disks, this::node, checker, offered, variant, actions);
    }

    private SimProcess process(String name) {
        long skew = spread(variant.skewMillisMax());
        return new SimProcess(world, name, skew, spread(90_000));
    }

    private long spread(long most) {
        return world.random().nextLong(2 * most + 1) - most;
    }

    private RestNode newNode() {
        return new RestNode(process("node-" + born++), disks, variant);
    }

    /// Any node that lives.
    private RestNode node() {
        int at = world.random().nextInt(NODES);
        if (nodes.get(at).process().isDead()) nodes.set(at, newNode());
        return nodes.get(at);
    }

    @Override
    public World world() {
        return world;
    }

    @Override
    public void check() {
        world.run();
        checker.finish();
    }
}
