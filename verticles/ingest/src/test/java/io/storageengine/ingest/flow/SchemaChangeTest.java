package io.storageengine.ingest.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.ingest.rows.RowLimits;
import io.storageengine.ingest.session.SessionOptions;
import io.storageengine.ingest.table.Pace;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequestParser;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

/// Rows accepted under one schema, committed under another.
class SchemaChangeTest {
    private final World world = new World(1);
    private static final SessionOptions SLOW = new SessionOptions(
            1 << 30, 1 << 20, 4 << 20, 100, 5_000, 5_000, 5_000, 5_000, new Pace(600_000, 1 << 30), RowLimits.DEFAULT);

    /// Another engine adds a column, drops one, and widens none.
    private void change(Node node, Schema next, int lastColumnId) {
        TableMetadata before = world.metadata(World.TABLE);
        TableMetadata after = TableMetadata.buildFrom(before)
                .setCurrentSchema(next, lastColumnId)
                .build();
        UpdateTableRequest update = new UpdateTableRequest(List.of(), List.<MetadataUpdate>copyOf(after.changes()));
        ByteBuffer body =
                ByteBuffer.wrap(UpdateTableRequestParser.toJson(update).getBytes(StandardCharsets.UTF_8));
        CatalogReply reply = node.call(new CallCatalog(
                "POST",
                "/catalogs/dev/v1/namespaces/demo/tables/t",
                "",
                Map.of("content-type", "application/json"),
                body));
        assertThat(reply.status()).isEqualTo(200);
    }

    private static Schema changed() {
        return new Schema(
                Types.NestedField.optional(1, "id", Types.LongType.get()),
                Types.NestedField.optional(3, "added", Types.StringType.get()));
    }

    @Test
    void waitingRowsCommitRightlyUnderTheNewSchema() throws Exception {
        try (Node node = new Node(world, 2, Node.options().with(SLOW))) {
            node.send(World.TABLE, Node.plain(), "{\"id\":1,\"old\":\"x\"}\n").orThrow();
            change(node, changed(), 3);
            node.send(World.TABLE, Node.plain(), "{\"id\":2,\"added\":\"y\"}\n").orThrow();
            node.ingest.stop(10_000);
        }
        assertRows();
    }

    @Test
    void replayedRowsCommitRightlyUnderTheNewSchema() throws Exception {
        try (Node node = new Node(world, 2, Node.options().with(SLOW))) {
            node.send(World.TABLE, Node.plain(), "{\"id\":1,\"old\":\"x\"}\n").orThrow();
            change(node, changed(), 3);
            node.send(World.TABLE, Node.plain(), "{\"id\":2,\"added\":\"y\"}\n").orThrow();
        }
        try (Node next = new Node(world, 3)) {
            next.awaitIdle();
        }
        assertRows();
    }

    private void assertRows() {
        assertThat(world.rows(World.TABLE))
                .extracting(row -> row.getField("id") + "/" + row.getField("added"))
                .containsExactlyInAnyOrder("1/null", "2/y");
        assertThat(world.rows(World.TABLE).getFirst().struct().fields()).hasSize(2);
    }
}
