package io.storageengine.ingest.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.message.CallCatalog;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A table that rows stream into keeps a short history, and nothing that it needs is deleted.
@Timeout(60)
class UpkeepTest {
    private static final String TABLE_PATH = "/catalogs/dev/v1/namespaces/demo/tables/t";
    private final World world = new World(1);

    private static void update(Node node, String updates) {
        String body = "{\"updates\":[" + updates.replace('\'', '"') + "]}";
        CallCatalog call = new CallCatalog(
                "POST",
                TABLE_PATH,
                "",
                Map.of("content-type", "application/json"),
                ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)));
        assertThat(node.call(call).status()).isEqualTo(200);
    }

    private static void send(Node node, int rows) {
        for (int i = 0; i < rows; i++)
            node.send(World.TABLE, Node.committed(), "{\"id\":" + i + "}\n").orThrow();
    }

    private List<Long> ids() {
        return world.metadata(World.TABLE).snapshots().stream()
                .map(Snapshot::snapshotId)
                .toList();
    }

    @Test
    void oldSnapshotsGoWithTheirFilesAndTagsStay() throws Exception {
        try (Node node = new Node(world, 2)) {
            send(node, 1);
            long tagged = ids().getFirst();
            update(
                    node,
                    "{'action':'set-snapshot-ref','ref-name':'first','type':'tag','snapshot-id':" + tagged
                            + "},{'action':'set-properties','updates':{'history.expire.max-snapshot-age-ms':'1',"
                            + "'history.expire.min-snapshots-to-keep':'3'}}");
            send(node, 60);
            for (int more = 0; ids().size() > 20; more++) {
                assertThat(more).isLessThan(200);
                send(node, 1);
                TimeUnit.MILLISECONDS.sleep(20);
            }
            node.awaitIdle();
            TimeUnit.MILLISECONDS.sleep(300);
            TableMetadata now = world.metadata(World.TABLE);
            assertThat(ids()).contains(tagged);
            assertThat(now.properties()).containsEntry("write.metadata.delete-after-commit.enabled", "true");
            Set<String> lists = now.snapshots().stream()
                    .map(snapshot -> snapshot.manifestListLocation().substring("s3://dev/".length()))
                    .collect(Collectors.toSet());
            List<String> kept = world.keys("dev", "demo/").stream()
                    .filter(key -> key.contains("/metadata/snap-"))
                    .toList();
            assertThat(kept).hasSizeLessThan(40).containsAll(lists);
            assertThat(world.rows(World.TABLE)).hasSizeGreaterThanOrEqualTo(61);
        }
    }

    @Test
    void aTableThatSaysSoKeepsAll() throws Exception {
        try (Node node = new Node(world, 2)) {
            send(node, 1);
            update(
                    node,
                    "{'action':'set-properties','updates':{'history.expire.max-snapshot-age-ms':'1',"
                            + "'history.expire.min-snapshots-to-keep':'1','se.history.expire':'false'}}");
            send(node, 20);
            TimeUnit.MILLISECONDS.sleep(300);
            assertThat(ids()).hasSize(21);
        }
    }
}
