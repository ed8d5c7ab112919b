package io.storageengine.ingest.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.catalog.backup.BackupStorage;
import io.storageengine.catalog.backup.LostCatalog;
import io.storageengine.catalog.registry.ClusterPlace;
import io.storageengine.core.store.Buckets;
import io.storageengine.ingest.recovery.LeftLogs;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// A catalog's log is lost while write-ahead logs hold rows: some of them are in their tables, and the marks
/// that told which are gone.
class LostCatalogTest {
    private static final String ROWS = "{\"id\":1}\n{\"id\":2}\n";

    private static void loseCatalogLog(World world, Buckets buckets) {
        for (String key : world.keys("dev", "_se/catalog/"))
            buckets.bucket("dev").delete(key).orThrow();
    }

    private static LeftLogs logs(World world, Buckets buckets) {
        return new LeftLogs(buckets.bucket("cluster"), world.clock, new Random(3), "command");
    }

    private static void recover(World world, Buckets buckets) {
        LostCatalog lost = LostCatalog.find(
                new BackupStorage(
                        buckets, buckets.bucket("cluster"), ClusterPlace.ELSEWHERE, world.clock, new Random(4)),
                "dev");
        lost.rebuild(lost.plan());
    }

    @Test
    void rowsThatAreParkedComeIntoTheirTableNoSecondTime() throws Exception {
        World world = new World(1);
        Buckets buckets = world.seen();
        try (Node node = new Node(world, 1)) {
            node.send(World.TABLE, Node.keyed("one"), ROWS).orThrow();
            node.awaitIdle();
        }
        assertThat(world.rows(World.TABLE)).hasSize(2);
        loseCatalogLog(world, buckets);
        LeftLogs logs = logs(world, buckets);
        List<LeftLogs.Left> left = logs.survey(Set.of("dev"));
        assertThat(left).hasSize(1);
        assertThat(left.getFirst().rows()).isEqualTo(2);
        assertThat(logs.survey(Set.of("other"))).isEmpty();
        assertThat(logs.park(Set.of("dev"))).isEqualTo(2);
        assertThat(world.keys("cluster", "parked/dev/")).hasSize(1);
        assertThat(logs.survey(Set.of("dev"))).isEmpty();
        assertThat(logs.park(Set.of("dev"))).isZero();
        recover(world, buckets);
        try (Node node = new Node(world, 2)) {
            node.awaitIdle();
            assertThat(world.rows(World.TABLE)).hasSize(2);
            node.send(World.TABLE, Node.keyed("two"), "{\"id\":3}\n").orThrow();
            node.awaitIdle();
        }
        assertThat(world.rows(World.TABLE)).hasSize(3);
    }

    @Test
    void rowsThatAreNotParkedWouldComeTwice() throws Exception {
        World world = new World(2);
        Buckets buckets = world.seen();
        try (Node node = new Node(world, 1)) {
            node.send(World.TABLE, Node.keyed("one"), ROWS).orThrow();
            node.awaitIdle();
        }
        loseCatalogLog(world, buckets);
        recover(world, buckets);
        try (Node node = new Node(world, 2)) {
            node.awaitIdle();
        }
        assertThat(world.rows(World.TABLE)).as("why rows are parked").hasSize(4);
    }
}
