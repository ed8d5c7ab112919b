package io.storageengine.ingest.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.log.LogOptions;
import io.storageengine.ingest.IngestOptions;
import io.storageengine.ingest.rows.RowLimits;
import io.storageengine.ingest.session.SessionOptions;
import io.storageengine.ingest.table.Pace;
import io.storageengine.store.Operation;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// On object storage, cost is behaviour: these counts are part of the design.
class RequestBudgetTest {
    private final World world = new World(1);

    private static IngestOptions committingAfter(long millis) {
        SessionOptions sessions = new SessionOptions(
                1 << 30,
                1 << 20,
                4 << 20,
                10,
                10_000,
                5_000,
                5_000,
                5_000,
                new Pace(millis, 1 << 30),
                RowLimits.DEFAULT);
        return Node.options().with(sessions);
    }

    @Test
    void aSmallDurableAppendIsOnePutInTheClusterStorage() {
        try (Node node = new Node(world, 2, committingAfter(600_000))) {
            node.send(World.TABLE, Node.plain(), "{\"id\":0}\n").orThrow();
            world.counted("cluster").reset();
            for (int i = 1; i <= 10; i++)
                node.send(World.TABLE, Node.plain(), "{\"id\":" + i + "}\n").orThrow();
            assertThat(world.counted("cluster").counts()).isEqualTo(Map.of(Operation.PUT, 10L));
        }
    }

    @Test
    void aCommitIsFivePuts() throws Exception {
        try (Node node = new Node(world, 2)) {
            node.send(World.TABLE, Node.committed(), "{\"id\":0}\n").orThrow();
            node.awaitIdle();
            world.counted("dev").reset();
            world.counted("cluster").reset();
            node.send(World.TABLE, Node.committed(), "{\"id\":1}\n").orThrow();
            node.awaitIdle();
            assertThat(world.counted("dev").count(Operation.PUT))
                    .as("data file, manifest, manifest list, table metadata, catalog entry")
                    .isEqualTo(5);
            assertThat(world.counted("dev").count(Operation.LIST)).isZero();
            assertThat(world.counted("cluster").count(Operation.PUT)).isEqualTo(1);
        }
    }

    @Test
    void manyAppendsShareACommit() throws Exception {
        try (Node node = new Node(world, 2, committingAfter(300))) {
            for (int i = 0; i < 20; i++)
                node.send(World.TABLE, Node.plain(), "{\"id\":" + i + "}\n").orThrow();
            node.awaitIdle();
        }
        assertThat(world.rows(World.TABLE)).hasSize(20);
        assertThat(world.metadata(World.TABLE).snapshots()).hasSizeLessThan(5);
    }

    @Test
    void idleCostsNothing() throws Exception {
        try (Node node = new Node(world, 2)) {
            node.send(World.TABLE, Node.committed(), "{\"id\":0}\n").orThrow();
            node.awaitIdle();
            world.counted("cluster").reset();
            world.counted("dev").reset();
            TimeUnit.MILLISECONDS.sleep(500);
            assertThat(world.counted("cluster").counts()).isEmpty();
            assertThat(world.counted("dev").counts()).isEmpty();
        }
    }

    @Test
    void aCleanStopLeavesTheNextStartOneListing() throws Exception {
        try (Node node = new Node(world, 2)) {
            node.send(World.TABLE, Node.plain(), "{\"id\":0}\n").orThrow();
            node.ingest.stop(10_000);
        }
        assertThat(world.rows(World.TABLE)).hasSize(1);
        assertThat(world.keys("cluster", "wal/"))
                .as("the seal, the boundary, the note that all is done")
                .hasSize(3);
        world.counted("cluster").reset();
        try (Node next = new Node(world, 3)) {
            next.awaitIdle();
            assertThat(world.counted("cluster").counts()).isEqualTo(Map.of(Operation.LIST, 1L));
        }
    }

    @Test
    void usedUpEntriesGoWhenTheLogEnds() throws Exception {
        assertThat(LogOptions.WRITE_AHEAD.sealIsTerminal()).isTrue();
        try (Node node = new Node(world, 2)) {
            for (int i = 0; i < 5; i++)
                node.send(World.TABLE, Node.plain(), "{\"id\":" + i + "}\n").orThrow();
        }
        try (Node next = new Node(world, 3)) {
            next.awaitIdle();
        }
        assertThat(world.rows(World.TABLE)).hasSize(5);
        assertThat(world.keys("cluster", "wal/")).hasSize(3);
    }
}
