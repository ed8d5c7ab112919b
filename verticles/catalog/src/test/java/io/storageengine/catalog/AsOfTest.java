package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.message.Claim;
import io.storageengine.core.message.CommitTable;
import io.storageengine.core.message.LoadTable;
import io.storageengine.core.message.LoadedTable;
import io.storageengine.core.message.TableRef;
import io.storageengine.core.message.Watermark;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How a catalog goes back to an entry of its log, and what does not go back with it.
final class AsOfTest {
    private static final String BASE = "/catalogs/dev";
    private static final String TABLES = BASE + "/v1/namespaces/ns/tables";
    private static final TableRef REF = new TableRef("dev", List.of("ns"), "t");
    private static final long DAY = 24 * 3_600_000L;

    private final Room room = Room.dev();

    private long last() {
        return Room.json(room.get(BASE + "/history")).path("last-entry").asLong();
    }

    private static void done(CatalogReply reply) {
        assertThat(reply.status()).as(Room.text(reply)).isBetween(200, 204);
    }

    private static void refused(int status, String type, CatalogReply reply) {
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(status);
        assertThat(Room.json(reply).path("error").path("type").asText()).isEqualTo(type);
    }

    private CatalogReply asOf(long entry) {
        return room.post(BASE + "/restore", "{\"as-of-entry\":" + entry + "}");
    }

    private JsonNode metadata(String table) {
        return Room.json(room.get(TABLES + "/" + table)).path("metadata");
    }

    private String uuid(String table) {
        return metadata(table).path("table-uuid").asText();
    }

    private void table() {
        done(room.post(BASE + "/v1/namespaces", "{\"namespace\":[\"ns\"],\"properties\":{\"k\":\"v\"}}"));
        done(room.post(TABLES, Samples.createTable("t")));
    }

    private void drop(String path) {
        done(room.call("DELETE", BASE + "/v1/namespaces/ns/" + path, ""));
    }

    private void commitRows(String key, long expected, long next) {
        Claim claim = new Claim(key, "h", "log-1", expected, "{}", room.clock.wallMillis()).in(7);
        ByteBuffer request = ByteBuffer.wrap(Samples.setProperty(key, "x").getBytes(StandardCharsets.UTF_8));
        List<Watermark> marks = List.of(new Watermark("log-1", expected, next));
        assertThat(room.service
                        .answer(new CommitTable(REF, uuid("t"), request, marks, List.of(claim)))
                        .isOk())
                .isTrue();
    }

    private Map<String, Long> marks() {
        return ((LoadedTable) room.service.answer(new LoadTable(REF)).orThrow()).watermarks();
    }

    @Test
    void theCatalogGoesBackByOneEntryAndIngestionDoesNot() {
        table();
        String uuid = uuid("t");
        done(room.post(TABLES, Samples.createTable("other")));
        done(room.post(BASE + "/v1/namespaces/ns/views", Samples.createView("v", "select 1")));
        long then = last();
        commitRows("k1", 0, 5);
        done(room.post(BASE + "/v1/tables/rename", Samples.rename("other", "swap")));
        done(room.post(BASE + "/v1/tables/rename", Samples.rename("t", "other")));
        done(room.post(BASE + "/v1/tables/rename", Samples.rename("swap", "t")));
        done(room.post(TABLES, Samples.createTable("late")));
        drop("views/v");
        done(room.post(BASE + "/v1/namespaces/ns/properties", "{\"removals\":[\"k\"],\"updates\":{\"new\":\"1\"}}"));
        done(room.post(BASE + "/v1/namespaces", "{\"namespace\":[\"late\"]}"));
        long before = last();
        done(asOf(then));
        assertThat(last()).isEqualTo(before + 1);
        assertThat(uuid("t")).isEqualTo(uuid);
        assertThat(metadata("t").path("properties").has("k1")).isFalse();
        done(room.get(BASE + "/v1/namespaces/ns/views/v"));
        for (String gone : List.of("/ns/tables/late", "/ns/tables/swap", "/late")) {
            assertThat(room.get(BASE + "/v1/namespaces" + gone).status())
                    .as(gone)
                    .isEqualTo(404);
        }
        JsonNode properties = Room.json(room.get(BASE + "/v1/namespaces/ns")).path("properties");
        assertThat(properties.has("new")).isFalse();
        assertThat(properties.path("k").asText()).isEqualTo("v");
        assertThat(marks()).as("rows are not taken again").containsEntry("log-1", 5L);
        commitRows("k2", 5, 9);
        done(asOf(before));
        assertThat(uuid("other")).as("history goes on").isEqualTo(uuid);
        done(room.get(TABLES + "/late"));
    }

    @Test
    void numbersThatWereGivenAreNotGivenAgain() {
        table();
        done(room.post(TABLES + "/t", Samples.append(1, null)));
        long then = last();
        done(room.post(TABLES + "/t", Samples.append(2, 1L, 2, "")));
        String column = "{\"updates\":[{\"action\":\"add-schema\",\"schema\":{\"type\":\"struct\",\"fields\":["
                + "{\"id\":1,\"name\":\"id\",\"required\":true,\"type\":\"long\"},"
                + "{\"id\":2,\"name\":\"more\",\"required\":false,\"type\":\"long\"}]}},"
                + "{\"action\":\"set-current-schema\",\"schema-id\":-1}]}";
        done(room.post(TABLES + "/t", column));
        JsonNode now = Room.json(room.get(TABLES + "/t"));
        done(asOf(then));
        JsonNode back = metadata("t");
        assertThat(back.path("current-snapshot-id").asLong()).isEqualTo(1);
        assertThat(back.path("snapshots")).hasSize(1);
        assertThat(back.path("last-sequence-number").asLong()).isEqualTo(2);
        assertThat(back.path("last-column-id").asLong()).isEqualTo(2);
        JsonNode log = back.path("metadata-log");
        assertThat(log.get(log.size() - 1).path("metadata-file")).isEqualTo(now.path("metadata-location"));
        assertThat(room.post(TABLES + "/t", Samples.append(3, 1L, 2, "")).status())
                .as("a number of what was taken back")
                .isEqualTo(409);
        done(room.post(TABLES + "/t", Samples.append(3, 1L, 3, "")));
    }

    @Test
    void aTableThatIsAnothersOrWithoutFilesStandsInTheWay() {
        table();
        long then = last();
        done(room.call("DELETE", TABLES + "/t?purgeRequested=true", ""));
        refused(409, "CommitFailedException", asOf(then));
        done(room.post(TABLES, Samples.createTable("u")));
        long later = last();
        String location =
                Room.json(room.get(TABLES + "/u")).path("metadata-location").asText();
        done(room.post(TABLES + "/u", Samples.setProperty("a", "b")));
        room.buckets
                .bucket("dev")
                .delete(location.substring("s3://dev/".length()))
                .orThrow();
        CatalogReply reply = room.restarted().post(BASE + "/restore", "{\"as-of-entry\":" + later + "}");
        refused(409, "CommitFailedException", reply);
        assertThat(Room.text(reply)).contains("its metadata file is deleted");
    }

    @Test
    void aTableOfWhichIngestionIsForgottenStandsInTheWay() {
        table();
        long then = last();
        commitRows("k1", 0, 5);
        drop("tables/t");
        long dropped = last();
        done(asOf(then));
        assertThat(marks()).containsEntry("log-1", 5L);
        done(asOf(dropped));
        room.clock.forward(2 * DAY);
        done(room.post(TABLES, Samples.createTable("x")));
        drop("tables/x");
        refused(409, "CommitFailedException", asOf(then));
    }

    @Test
    void aRestoreThatComesAgainWithItsKeyIsDoneOnce() {
        table();
        long then = last();
        done(room.post(TABLES, Samples.createTable("u")));
        Map<String, String> headers = Map.of("idempotency-key", "01890000-0000-7000-8000-000000000001");
        String body = "{\"as-of-entry\":" + then + "}";
        done(room.call("POST", BASE + "/restore", headers, body));
        long entries = last();
        done(room.call("POST", BASE + "/restore", headers, body));
        assertThat(last()).isEqualTo(entries);
    }

    @Test
    void aCatalogOfManyCheckpointsGoesBackToAnyEntry() {
        table();
        for (int i = 0; i < 650; i++) done(room.post(TABLES + "/t", Samples.setProperty("n", "" + i)));
        Room later = room.restarted();
        for (long entry : List.of(2L, 100L, 203L, 412L, 652L)) {
            done(later.post(BASE + "/restore", "{\"as-of-entry\":" + entry + "}"));
            String n = Room.json(later.get(TABLES + "/t"))
                    .path("metadata")
                    .path("properties")
                    .path("n")
                    .asText();
            assertThat(n).isEqualTo(entry == 2 ? "" : "" + (entry - 3));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"1\"", "0", "-1", "1.5", "9", "1,\"name\":\"t\""})
    void whatIsNoEntryIsRefused(String entry) {
        refused(400, "BadRequestException", room.post(BASE + "/restore", "{\"as-of-entry\":" + entry + "}"));
    }
}
