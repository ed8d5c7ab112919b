package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.storageengine.core.message.CatalogReply;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Views of a native catalog by the words of the REST specification, where no client looks.
final class NativeViewsTest {
    private static final String BASE = "/catalogs/dev/v1";
    private static final String SPACE = BASE + "/namespaces/ns";
    private static final String TABLES = SPACE + "/tables";
    private static final String VIEWS = SPACE + "/views";
    private static final String SPARK = Samples.sqlFor("spark", "select 2");

    private final Room room = Room.dev();

    @BeforeEach
    void makeNamespace() {
        room.post(BASE + "/namespaces", "{\"namespace\":[\"ns\"]}");
    }

    private static String type(CatalogReply reply) {
        return Room.json(reply).path("error").path("type").asText();
    }

    private static String message(CatalogReply reply) {
        return Room.json(reply).path("error").path("message").asText();
    }

    private static void assertRefused(CatalogReply reply, int status, String type, String message) {
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(status);
        assertThat(type(reply)).isEqualTo(type);
        assertThat(message(reply)).contains(message);
    }

    private JsonNode done(CatalogReply reply) {
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(200);
        return Room.json(reply);
    }

    private JsonNode created(String name) {
        return done(room.post(VIEWS, Samples.createView(name, "select 1")));
    }

    private JsonNode commit(String name, String request) {
        return done(room.post(VIEWS + "/" + name, request)).path("metadata");
    }

    private int status(String method, String path) {
        return room.call(method, path, "").status();
    }

    private List<String> names(String path) {
        List<String> names = new ArrayList<>();
        Room.json(room.get(path))
                .path("identifiers")
                .forEach(one -> names.add(one.path("name").asText()));
        return names;
    }

    private static String setProperties(String properties) {
        return "{\"updates\":[{\"action\":\"set-properties\",\"updates\":{" + properties + "}}]}";
    }

    @Test
    void aViewIsMadeFoundByEveryProcessAndDropped() {
        JsonNode made =
                done(room.post(VIEWS, Samples.createView("v", "select 1", ",\"properties\":{\"comment\":\"hello\"}")));
        assertThat(made.path("metadata-location").asText())
                .matches("s3://dev/ns/v-[0-9a-f]{8}/metadata/00000-[0-9a-f-]{36}\\.metadata\\.json");
        assertThat(made.path("config").toString()).as("no keys of the storage").isEqualTo("{}");
        JsonNode metadata = made.path("metadata");
        assertThat(metadata.path("current-version-id").asInt()).isEqualTo(1);
        assertThat(metadata.path("versions").path(0).path("summary").toString()).isEqualTo("{\"engine-name\":\"it\"}");
        assertThat(metadata.path("version-log").path(0).path("timestamp-ms").asLong())
                .isEqualTo(1_700_000_000_000L);
        assertThat(metadata.path("properties").path("comment").asText()).isEqualTo("hello");
        assertThat(Room.json(room.get(VIEWS + "/v?referenced-by=ns%1Fouter"))).isEqualTo(made);
        assertThat(Room.json(room.restarted().get(VIEWS + "/v"))).isEqualTo(made);
        assertThat(status("HEAD", VIEWS + "/v")).isEqualTo(204);
        assertThat(status("HEAD", TABLES + "/v")).isEqualTo(404);
        assertThat(names(VIEWS)).containsExactly("v");
        assertThat(names(TABLES)).isEmpty();
        assertThat(status("DELETE", VIEWS + "/v")).isEqualTo(204);
        assertThat(status("HEAD", VIEWS + "/v")).isEqualTo(404);
        assertThat(names(VIEWS)).isEmpty();
        assertRefused(room.restarted().get(VIEWS + "/v"), 404, "NoSuchViewException", "View does not exist: ns.v");
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/namespaces/none/views,404,NoSuchNamespaceException",
        "GET,/namespaces/none/views/v,404,NoSuchViewException",
        "GET,/namespaces/ns/views/t,404,NoSuchViewException",
        "HEAD,/namespaces/ns/views/t,404,NoSuchViewException",
        "DELETE,/namespaces/ns/views/t,404,NoSuchViewException",
        "DELETE,/namespaces/ns/views/none,404,NoSuchViewException",
        "GET,/namespaces/ns/views?pageSize=0,400,BadRequestException",
        "GET,/namespaces/ns/register-view,405,MethodNotAllowedException",
        "PUT,/namespaces/ns/views/v,405,MethodNotAllowedException",
        "GET,/views/rename,405,MethodNotAllowedException"
    })
    void whatIsNotThereIsTold(String method, String path, int status, String type) {
        room.post(TABLES, Samples.createTable("t"));
        CatalogReply reply = room.call(method, BASE + path, "");
        assertThat(reply.status()).isEqualTo(status);
        assertThat(type(reply)).isEqualTo(type);
    }

    @Test
    void whatIsNotThereIsNotWrittenTo() {
        String create = Samples.createView("v", "select 1");
        assertRefused(
                room.post(BASE + "/namespaces/none/views", create),
                404,
                "NoSuchNamespaceException",
                "Namespace does not exist: none");
        room.buckets.drain();
        assertRefused(room.post(VIEWS + "/v", "{\"updates\":[]}"), 404, "NoSuchViewException", "ns.v");
        assertRefused(room.post(BASE + "/views/rename", Samples.rename("v", "w")), 404, "NoSuchViewException", "ns.v");
        created("v");
        String away = Samples.rename("v", "w")
                .replace("destination\":{\"namespace\":[\"ns", "destination\":{\"namespace\":[\"x");
        assertRefused(room.post(BASE + "/views/rename", away), 404, "NoSuchNamespaceException", "does not exist: x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{\"name\":\"v\"}",
                "{\"name\":\"v\",\"schema\":{\"type\":\"struct\",\"fields\":[]}}",
                "{\"name\":\"v\",\"schema\":{\"type\":\"struct\",\"fields\":[]},\"view-version\":{\"version-id\":1}}"
            })
    void aCreateThatLacksSomethingIs400(String body) {
        assertThat(room.post(VIEWS, body).status()).isEqualTo(400);
        assertThat(room.post(SPACE + "/register-view", body).status()).isEqualTo(400);
    }

    @Test
    void aViewNeedsOneTextForEachDialect() {
        room.buckets.drain();
        String create = Samples.createView("v", "select 1");
        String spark = Samples.sqlFor("spark", "select 1");
        CatalogReply two = room.post(VIEWS, create.replace(spark, spark + "," + Samples.sqlFor("SPARK", "select 2")));
        assertRefused(two, 400, "IllegalArgumentException", "Cannot add multiple queries for dialect spark");
        CatalogReply none = room.post(VIEWS, create.replace(spark, ""));
        assertRefused(none, 400, "BadRequestException", "without specifying a query");
        CatalogReply other = room.post(VIEWS, create.replace(spark, "{\"type\":\"poem\",\"text\":\"roses\"}"));
        assertRefused(other, 400, "BadRequestException", "Found unsupported view representations: [poem]");
        CatalogReply unnamed = room.post(VIEWS, Samples.createView("", "select 1"));
        assertRefused(unnamed, 400, "BadRequestException", "A view name is empty");
        assertThat(room.buckets.drain()).as("nothing was written").isEmpty();
        assertThat(names(VIEWS)).isEmpty();
    }

    @Test
    void aViewHoldsTextsForManyDialects() {
        String both = Samples.sqlFor("spark", "select 1") + "," + Samples.sqlFor("trino", "select 2");
        String create = Samples.createView("v", "select 1").replace(Samples.sqlFor("spark", "select 1"), both);
        JsonNode made = done(room.post(VIEWS, create)).path("metadata");
        assertThat(made.path("versions").path(0).path("representations")).hasSize(2);
    }

    @Test
    void aCommitTakesAllEightUpdates() {
        JsonNode before = created("v").path("metadata");
        String uuid = before.path("view-uuid").asText();
        String place = before.path("location").asText() + "/moved/";
        JsonNode after = commit(
                "v",
                "{\"requirements\":[{\"type\":\"assert-view-uuid\",\"uuid\":\"" + uuid + "\"}],\"updates\":["
                        + "{\"action\":\"assign-uuid\",\"uuid\":\"" + uuid + "\"},"
                        + "{\"action\":\"upgrade-format-version\",\"format-version\":1},"
                        + "{\"action\":\"add-schema\",\"schema\":{\"type\":\"struct\",\"schema-id\":1,\"fields\":["
                        + "{\"id\":1,\"name\":\"other\",\"required\":true,\"type\":\"string\"}]}},"
                        + "{\"action\":\"set-location\",\"location\":\"" + place + "\"},"
                        + "{\"action\":\"set-properties\",\"updates\":{\"a\":\"1\",\"b\":\"2\"}},"
                        + "{\"action\":\"remove-properties\",\"removals\":[\"b\"]},"
                        + "{\"action\":\"add-view-version\",\"view-version\":"
                        + Samples.viewVersion(2, SPARK).replace("\"schema-id\":0", "\"schema-id\":-1") + "},"
                        + "{\"action\":\"set-current-view-version\",\"view-version-id\":-1}]}");
        assertThat(after.path("view-uuid").asText()).isEqualTo(uuid);
        assertThat(after.path("current-version-id").asInt()).isEqualTo(2);
        assertThat(after.path("schemas")).hasSize(2);
        assertThat(after.path("versions").path(1).path("schema-id").asInt()).isEqualTo(1);
        assertThat(after.path("properties").toString()).isEqualTo("{\"a\":\"1\"}");
        JsonNode loaded = Room.json(room.restarted().get(VIEWS + "/v"));
        assertThat(loaded.path("metadata")).isEqualTo(after);
        assertThat(loaded.path("metadata-location").asText()).startsWith(place + "metadata/00001-");
        JsonNode back = commit("v", "{\"updates\":[{\"action\":\"set-current-view-version\",\"view-version-id\":1}]}");
        assertThat(back.path("version-log")).hasSize(3);
        assertThat(back.path("current-version-id").asInt()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{\"updates\":7}",
                "{\"updates\":[{}]}",
                "{\"updates\":[{\"action\":\"do-magic\"}]}",
                "{\"updates\":[{\"action\":\"set-current-schema\",\"schema-id\":0}]}",
                "{\"updates\":[{\"action\":\"remove-snapshots\",\"snapshot-ids\":[1]}]}",
                "{\"requirements\":[{\"type\":\"assert-moon-phase\"}],\"updates\":[]}",
                "{\"requirements\":[{\"type\":\"assert-create\"}],\"updates\":[]}",
                "{\"requirements\":[{\"type\":\"assert-table-uuid\",\"uuid\":\"x\"}],\"updates\":[]}",
                "{\"updates\":[{\"action\":\"assign-uuid\",\"uuid\":\"00000000-0000-4000-8000-000000000000\"}]}",
                "{\"updates\":[{\"action\":\"upgrade-format-version\",\"format-version\":2}]}",
                "{\"updates\":[{\"action\":\"upgrade-format-version\",\"format-version\":0}]}",
                "{\"updates\":[{\"action\":\"set-current-view-version\",\"view-version-id\":9}]}",
                "{\"updates\":[{\"action\":\"set-current-view-version\",\"view-version-id\":-1}]}",
                "{\"updates\":[{\"action\":\"add-view-version\",\"view-version\":{\"version-id\":2}}]}",
                "{\"updates\":[{\"action\":\"set-location\",\"location\":\"file:/tmp/x\"}]}",
                "{\"updates\":[{\"action\":\"set-location\",\"location\":\"s3://dev/_se/x\"}]}",
                "{\"updates\":[{\"action\":\"set-properties\",\"updates\":{\"write.metadata.path\":\"/tmp\"}}]}",
                "{\"updates\":[{\"action\":\"set-properties\",\"updates\":{\"version.history.num-entries\":\"0\"}}]}",
                "{\"updates\":[{\"action\":\"set-properties\",\"updates\":{\"version.history.num-entries\":\"x\"}}]}"
            })
    void aBadCommitIs400AndChangesNothing(String body) {
        created("v");
        room.buckets.drain();
        CatalogReply reply = room.post(VIEWS + "/v", body);
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(400);
        assertThat(room.buckets.drain()).isEmpty();
    }

    @Test
    void aVersionIsCheckedLikeANewView() {
        created("v");
        room.buckets.drain();
        assertThat(room.post(VIEWS + "/v", Samples.replaceView("")).status()).isEqualTo(400);
        assertThat(room.post(VIEWS + "/v", Samples.replaceView("{\"type\":\"poem\"}"))
                        .status())
                .isEqualTo(400);
        assertThat(room.post(VIEWS + "/v", Samples.replaceView(SPARK + "," + SPARK))
                        .status())
                .isEqualTo(400);
        String unknown = Samples.replaceView(SPARK).replace("\"schema-id\":0", "\"schema-id\":7");
        assertThat(room.post(VIEWS + "/v", unknown).status()).isEqualTo(400);
        assertThat(room.buckets.drain()).isEmpty();
    }

    @Test
    void aCommitMadeForAnotherViewOfThatNameIsALostRace() {
        created("v");
        room.buckets.drain();
        String other = "{\"requirements\":[{\"type\":\"assert-view-uuid\",\"uuid\":\"" + new UUID(4, 4)
                + "\"}],\"updates\":[{\"action\":\"set-properties\",\"updates\":{\"a\":\"1\"}}]}";
        assertRefused(
                room.post(VIEWS + "/v", other),
                409,
                "CommitFailedException",
                "Requirement failed: view UUID does not match");
        assertThat(room.buckets.drain()).isEmpty();
    }

    @Test
    void aDialectIsDroppedOnlyWhereTheViewAllowsIt() {
        created("v");
        String trino = Samples.replaceView(Samples.sqlFor("trino", "select 3"));
        CatalogReply refused = room.post(VIEWS + "/v", trino);
        assertRefused(refused, 400, "BadRequestException", "Cannot replace view due to loss of view dialects");
        commit("v", setProperties("\"replace.drop-dialect.allowed\":\"true\""));
        assertThat(commit("v", trino).path("current-version-id").asInt()).isEqualTo(2);
    }

    @Test
    void oldVersionsExpire() {
        created("v");
        commit("v", setProperties("\"version.history.num-entries\":\"2\""));
        for (int i = 2; i < 6; i++) commit("v", Samples.replaceView(Samples.sqlFor("spark", "select " + i)));
        JsonNode metadata = Room.json(room.get(VIEWS + "/v")).path("metadata");
        List<Integer> kept = new ArrayList<>();
        metadata.path("versions").forEach(one -> kept.add(one.path("version-id").asInt()));
        assertThat(kept).containsExactlyInAnyOrder(4, 5);
        assertThat(metadata.path("version-log")).hasSize(2);
        assertThat(Room.json(room.restarted().get(VIEWS + "/v")).path("metadata"))
                .isEqualTo(metadata);
        JsonNode all = created("w").path("metadata");
        for (int i = 2; i < 14; i++) {
            all = commit("w", Samples.replaceView(Samples.sqlFor("spark", "select " + i)));
        }
        assertThat(all.path("versions")).hasSize(10);
    }

    @Test
    void aVersionThatIsThereAlreadyIsUsedAgain() {
        JsonNode made = created("v");
        room.buckets.drain();
        assertThat(done(room.post(VIEWS + "/v", "{\"requirements\":[],\"updates\":[]}")))
                .isEqualTo(made);
        assertThat(room.buckets.drain())
                .as("nothing changes, nothing is written")
                .isEmpty();
        commit("v", Samples.replaceView(SPARK));
        String first = Samples.replaceView(Samples.sqlFor("spark", "select 1"))
                .replace("\"view-version-id\":-1", "\"view-version-id\":1");
        JsonNode back = commit("v", first);
        assertThat(back.path("versions")).hasSize(2);
        assertThat(back.path("current-version-id").asInt()).isEqualTo(1);
    }

    @Test
    void aNameStandsForATableOrAView() {
        String table = done(room.post(TABLES, Samples.createTable("t")))
                .path("metadata-location")
                .asText();
        String view = created("v").path("metadata-location").asText();
        String tableThere = "Table with same name already exists: ns.t";
        String viewThere = "View with same name already exists: ns.v";
        room.buckets.drain();
        assertExists(room.post(VIEWS, Samples.createView("t", "select 1")), tableThere);
        assertExists(room.post(VIEWS, Samples.createView("v", "select 1")), "View already exists: ns.v");
        assertExists(room.post(SPACE + "/register-view", Samples.register("t", view)), tableThere);
        assertExists(room.post(SPACE + "/register-view", Samples.register("v", view)), "View already exists: ns.v");
        assertExists(
                room.post(BASE + "/views/rename", Samples.rename("v", "t")),
                "Cannot rename ns.v to ns.t. Table already exists");
        assertExists(room.post(TABLES, Samples.createTable("v")), viewThere);
        assertExists(room.post(TABLES, Samples.createTable("v", 2, ",\"stage-create\":true")), viewThere);
        assertExists(
                room.post(TABLES + "/v", "{\"requirements\":[{\"type\":\"assert-create\"}],\"updates\":[]}"),
                viewThere);
        assertExists(room.post(SPACE + "/register", Samples.register("v", table)), viewThere);
        String over = Samples.register("v", table).replace("}", ",\"overwrite\":true}");
        assertExists(room.post(SPACE + "/register", over), viewThere);
        assertExists(
                room.post(BASE + "/tables/rename", Samples.rename("t", "v")),
                "Cannot rename ns.t to ns.v. View already exists");
        created("w");
        assertExists(
                room.post(BASE + "/views/rename", Samples.rename("v", "w")),
                "Cannot rename ns.v to ns.w. View already exists");
        assertThat(names(TABLES)).containsExactly("t");
        assertThat(names(VIEWS)).containsExactly("v", "w");
    }

    private static void assertExists(CatalogReply reply, String message) {
        assertRefused(reply, 409, "AlreadyExistsException", message);
        assertThat(message(reply)).isEqualTo(message);
    }

    @Test
    void aFreedNameIsAnybodys() {
        created("a");
        room.call("DELETE", VIEWS + "/a", "");
        done(room.post(TABLES, Samples.createTable("a")));
        assertThat(room.post(BASE + "/tables/rename", Samples.rename("a", "b")).status())
                .isEqualTo(204);
        created("a");
        assertThat(room.post(BASE + "/views/rename", Samples.rename("a", "c")).status())
                .isEqualTo(204);
        assertThat(room.post(BASE + "/views/rename", Samples.rename("c", "c")).status())
                .isEqualTo(204);
        assertThat(names(TABLES)).containsExactly("b");
        assertThat(names(VIEWS)).containsExactly("c");
    }

    @Test
    void aNamespaceWithAViewIsNotDropped() {
        created("v");
        assertRefused(
                room.call("DELETE", SPACE, ""),
                409,
                "NamespaceNotEmptyException",
                "Namespace ns is not empty: it holds views");
        room.call("DELETE", VIEWS + "/v", "");
        assertThat(status("DELETE", SPACE)).isEqualTo(204);
    }

    @Test
    void aViewMovesToAnotherNamespaceWithItsHistory() {
        room.post(BASE + "/namespaces", "{\"namespace\":[\"a\",\"b\"]}");
        created("v");
        JsonNode before = commit("v", Samples.replaceView(SPARK));
        String move = Samples.rename("v", "w x/y")
                .replace("destination\":{\"namespace\":[\"ns\"", "destination\":{\"namespace\":[\"a\",\"b\"");
        assertThat(room.post(BASE + "/views/rename", move).status()).isEqualTo(204);
        JsonNode after = Room.json(room.restarted().get(BASE + "/namespaces/a%1Fb/views/w%20x%2Fy"));
        assertThat(after.path("metadata")).isEqualTo(before);
        assertThat(names(VIEWS)).isEmpty();
    }

    @Test
    void pagesGoOnWhereTheyEndedAndTokensAreBoundToTheirListing() {
        for (int i = 0; i < 7; i++) {
            created("v" + i);
            room.post(TABLES, Samples.createTable("t" + i));
        }
        assertThat(names(VIEWS)).hasSize(7);
        assertThat(Room.json(room.get(VIEWS)).path("next-page-token").isNull()).isTrue();
        List<String> seen = new ArrayList<>();
        String token = "";
        do {
            JsonNode page = Room.json(room.get(VIEWS + "?pageSize=3&pageToken=" + token));
            page.path("identifiers").forEach(one -> seen.add(one.path("name").asText()));
            JsonNode next = page.path("next-page-token");
            token = next.isNull() ? "" : next.asText();
        } while (!token.isEmpty());
        assertThat(seen).containsExactly("v0", "v1", "v2", "v3", "v4", "v5", "v6");
        String ofTables = Room.json(room.get(TABLES + "?pageSize=3"))
                .path("next-page-token")
                .asText();
        String ofViews = Room.json(room.get(VIEWS + "?pageSize=3"))
                .path("next-page-token")
                .asText();
        String foreign = "Invalid page token: it belongs to another listing";
        assertRefused(room.get(VIEWS + "?pageToken=" + ofTables), 400, "BadRequestException", foreign);
        assertRefused(room.get(TABLES + "?pageToken=" + ofViews), 400, "BadRequestException", foreign);
        room.post(BASE + "/namespaces", "{\"namespace\":[\"ns2\"]}");
        assertRefused(
                room.get(BASE + "/namespaces/ns2/views?pageToken=" + ofViews), 400, "BadRequestException", foreign);
    }

    @Test
    void aPageGoesOnWhenItsLastNameIsGone() {
        for (String name : List.of("a", "b", "c")) created(name);
        String token = Room.json(room.get(VIEWS + "?pageSize=2"))
                .path("next-page-token")
                .asText();
        room.call("DELETE", VIEWS + "/b", "");
        created("b2");
        assertThat(names(VIEWS + "?pageSize=2&pageToken=" + token)).containsExactly("b2", "c");
    }
}
