package io.storageengine.checks.sim;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.storageengine.catalog.CatalogOptions;
import io.storageengine.catalog.CatalogService;
import io.storageengine.catalog.secrets.EncryptedSecrets;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ObjectStore;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/// A process with the whole catalog room, which answers one call after the other.
final class RestNode {
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int CHECKPOINT_EVERY = 10;
    private static final long TIMEOUT_MILLIS = 1_000;
    private static final int PATIENCE = 40;

    private final SimProcess process;
    private final World world;
    private final CatalogService service;
    private boolean isBusy;

    RestNode(SimProcess process, Map<String, SimDisk> disks, RestVariant variant) {
        this.process = process;
        this.world = process.world();
        Buckets buckets = new SimBuckets(disks, disk -> variant.store(disk, process));
        ObjectStore cluster = buckets.bucket(RestSimulation.CLUSTER);
        boolean isAlone = variant == RestVariant.BELIEVES_TO_BE_ALONE;
        CatalogOptions options = new CatalogOptions(
                isAlone, process.name(), Map.of(), 64L << 20, 1L << 20, CHECKPOINT_EVERY, 5_000, false, 30_000, false);
        service = new CatalogService(
                cluster,
                buckets,
                new EncryptedSecrets(cluster, KEY, world.random()),
                options,
                new SimpleMeterRegistry(),
                process,
                SimProcess.ONE,
                world.random());
    }

    SimProcess process() {
        return process;
    }

    void register(String catalog) {
        service.ensureNative(catalog).orThrow();
    }

    /// The answer to a call of the calling process; nothing when it did not come: the call was lost, or it is
    /// done and the answer was lost, or it will yet be done.
    Optional<CatalogReply> call(CallCatalog call) {
        for (int i = 0; isBusy && !process.isDead(); i++) {
            if (i > PATIENCE) return Optional.empty();
            world.pause(20 * World.MILLI);
        }
        if (process.isDead()) return Optional.empty();
        if (world.chance(world.faults().loseRequest())) return lost();
        isBusy = true;
        if (world.chance(world.faults().loseAnswer())) {
            process.spawn(() -> answer(call));
            return lost();
        }
        return world.visit(process, () -> answer(call));
    }

    private Optional<CatalogReply> lost() {
        world.pause(TIMEOUT_MILLIS * World.MILLI);
        return Optional.empty();
    }

    private CatalogReply answer(CallCatalog call) {
        world.say(process.name() + " is asked: " + call.method() + " " + call.path());
        CatalogReply reply = (CatalogReply) service.answer(call).orThrow();
        world.say(process.name() + " answers: " + reply.status());
        isBusy = false;
        return reply;
    }
}
