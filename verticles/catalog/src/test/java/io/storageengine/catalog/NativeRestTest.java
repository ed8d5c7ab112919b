package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.PutOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The REST API of a native catalog, where the Java client does not look.
final class NativeRestTest {
    private static final String BASE = "/catalogs/dev/v1";
    private static final String TABLES = BASE + "/namespaces/ns/tables";

    private final Room room = Room.dev();

    @BeforeEach
    void makeNamespace() {
        room.post(BASE + "/namespaces", "{\"namespace\":[\"ns\"],\"properties\":{\"a\":\"1\",\"b\":\"2\"}}");
    }

    private static String type(CatalogReply reply) {
        return Room.json(reply).path("error").path("type").asText();
    }

    private JsonNode created(String name, int version) {
        CatalogReply reply = room.post(TABLES, Samples.createTable(name, version, ""));
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(200);
        return Room.json(reply);
    }

    @Test
    void theConfigurationAdvertisesWhatWorksAndNoSecrets() {
        JsonNode config = Room.json(room.get(BASE + "/config?warehouse=whatever"));
        List<String> endpoints = new ArrayList<>();
        config.path("endpoints").forEach(one -> endpoints.add(one.asText()));
        assertThat(endpoints)
                .hasSize(33)
                .contains(
                        "POST /v1/{prefix}/transactions/commit",
                        "GET /v1/{prefix}/namespaces/{namespace}/views",
                        "POST /v1/{prefix}/namespaces/{namespace}/views",
                        "GET /v1/{prefix}/namespaces/{namespace}/views/{view}",
                        "HEAD /v1/{prefix}/namespaces/{namespace}/views/{view}",
                        "POST /v1/{prefix}/namespaces/{namespace}/views/{view}",
                        "DELETE /v1/{prefix}/namespaces/{namespace}/views/{view}",
                        "POST /v1/{prefix}/namespaces/{namespace}/register-view",
                        "POST /v1/{prefix}/views/rename",
                        "POST /v1/{prefix}/namespaces/{namespace}/tables/{table}",
                        "HEAD /v1/{prefix}/namespaces/{namespace}",
                        "POST /v1/{prefix}/tables/rename");
        assertThat(config.path("defaults").isEmpty()).isTrue();
        assertThat(config.path("idempotency-key-lifetime").asText()).isEqualTo("PT30M");
        assertThat(config.toString()).doesNotContain("s3cr3t");
    }

    @Test
    void aLoadedTableTellsHowToReachItsFiles() {
        created("t", 2);
        JsonNode loaded = Room.json(room.get(TABLES + "/t"));
        assertThat(loaded.path("config").path("s3.secret-access-key").asText()).isEqualTo("s3cr3t");
        assertThat(loaded.path("metadata-location").asText()).matches("s3://dev/ns/t-.{8}/metadata/00000-.*json");
        assertThat(loaded.path("metadata").path("format-version").asInt()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/namespaces/none,404,NoSuchNamespaceException",
        "GET,/namespaces?parent=none,404,NoSuchNamespaceException",
        "HEAD,/namespaces/none,404,NoSuchNamespaceException",
        "DELETE,/namespaces/none,404,NoSuchNamespaceException",
        "GET,/namespaces/none/tables,404,NoSuchNamespaceException",
        "GET,/namespaces/ns/tables/none,404,NoSuchTableException",
        "HEAD,/namespaces/ns/tables/none,404,NoSuchTableException",
        "DELETE,/namespaces/ns/tables/none?purgeRequested=true,404,NoSuchTableException",
        "GET,/namespaces/ns/tables?pageSize=0,400,BadRequestException",
        "GET,/namespaces/ns/tables?pageSize=x,400,BadRequestException",
        "GET,/namespaces/ns/tables?pageToken=%21,400,BadRequestException",
        "GET,/namespaces/ns%zz/tables,400,BadRequestException",
        "GET,/namespaces/%ff/tables,400,BadRequestException",
        "GET,/views,404,NoSuchRouteException",
        "PUT,/namespaces,405,MethodNotAllowedException"
    })
    void whatIsNotThereIsTold(String method, String path, int status, String type) {
        CatalogReply reply = room.call(method, BASE + path, "");
        assertThat(reply.status()).isEqualTo(status);
        assertThat(type(reply)).isEqualTo(type);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[",
                "{}",
                "{\"name\":\"t\"}",
                "{\"name\":\"\",\"schema\":{\"type\":\"struct\",\"fields\":[]}}",
                "{\"name\":\"t\",\"schema\":{\"type\":\"struct\",\"fields\":[{\"id\":1,\"name\":\"a\",\"type\":\"nope\"}]}}"
            })
    void aBadCreateIs400(String body) {
        CatalogReply reply = room.post(TABLES, body);
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:/tmp/x",
                "hdfs://x/y",
                "/tmp/x",
                "s3://UPPER/x",
                "s3://dev/_se/catalog",
                "s3://dev/x/../y",
                "s3://absent-bucket/x"
            })
    void aLocationThatIsNotOursIsRefused(String location) {
        CatalogReply reply = room.post(TABLES, Samples.createTable("t", 2, ",\"location\":\"" + location + "\""));
        assertThat(reply.status()).isEqualTo(400);
        assertThat(Room.text(reply)).contains("Invalid location");
        created("u", 2);
        CatalogReply moved = room.post(
                TABLES + "/u", "{\"updates\":[{\"action\":\"set-location\",\"location\":\"" + location + "\"}]}");
        assertThat(moved.status()).as(Room.text(moved)).isEqualTo(400);
    }

    @Test
    void aLocationOfOursIsTaken() {
        room.buckets.create("other-bucket").orThrow();
        CatalogReply reply = room.post(TABLES, Samples.createTable("t", 2, ",\"location\":\"s3://other-bucket/a b/\""));
        assertThat(Room.json(reply).path("metadata-location").asText()).startsWith("s3://other-bucket/a b/metadata/");
    }

    @Test
    void formatVersionsUpTo3AreTaken() {
        for (int version = 1; version <= 3; version++) created("v" + version, version);
        for (int version : List.of(0, 4, 5)) {
            CatalogReply reply = room.post(TABLES, Samples.createTable("v", version, ""));
            assertThat(reply.status()).isEqualTo(400);
            assertThat(Room.text(reply)).contains("use 1, 2 or 3");
        }
        String upgrade = "{\"updates\":[{\"action\":\"upgrade-format-version\",\"format-version\":4}]}";
        assertThat(room.post(TABLES + "/v1", upgrade).status()).isEqualTo(400);
        assertThat(room.post(TABLES + "/v1", upgrade.replace(":4", ":3")).status())
                .isEqualTo(200);
        assertThat(room.post(TABLES + "/v1", upgrade.replace(":4", ":2")).status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"updates\":[{\"action\":\"do-magic\"}]}",
                "{\"updates\":[{}]}",
                "{\"updates\":7}",
                "{\"requirements\":[{\"type\":\"assert-moon-phase\"}],\"updates\":[]}",
                "{\"requirements\":[{\"type\":\"assert-view-uuid\",\"uuid\":\"x\"}],\"updates\":[]}",
                "{\"updates\":[{\"action\":\"add-view-version\"}]}",
                "{\"updates\":[{\"action\":\"assign-uuid\",\"uuid\":\"00000000-0000-4000-8000-000000000000\"}]}",
                "{\"updates\":[{\"action\":\"set-current-schema\",\"schema-id\":9}]}",
                "{\"updates\":[{\"action\":\"set-snapshot-ref\",\"ref-name\":\"main\",\"type\":\"branch\","
                        + "\"snapshot-id\":9}]}",
                "{\"requirements\":[{\"type\":\"assert-create\"},{\"type\":\"assert-table-uuid\",\"uuid\":\"x\"}]}"
            })
    void aBadCommitIs400AndChangesNothing(String body) {
        created("t", 3);
        room.buckets.drain();
        CatalogReply reply = room.post(TABLES + "/t", body);
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(400);
        assertThat(room.buckets.drain()).isEmpty();
    }

    @Test
    void aDoomedCommitIs409BeforeAnythingIsWritten() {
        created("t", 2);
        assertThat(room.post(TABLES + "/t", Samples.append(1, null)).status()).isEqualTo(200);
        room.buckets.drain();
        String stale =
                "{\"requirements\":[{\"type\":\"assert-ref-snapshot-id\",\"ref\":\"main\",\"snapshot-id\":null}],"
                        + Samples.append(2, null).substring(1);
        CatalogReply reply = room.post(TABLES + "/t", stale);
        assertThat(reply.status()).isEqualTo(409);
        assertThat(type(reply)).isEqualTo("CommitFailedException");
        CatalogReply old = room.post(TABLES + "/t", Samples.append(3, 1L, 1, ""));
        assertThat(old.status()).isEqualTo(409);
        assertThat(type(old)).isEqualTo("CommitFailedException");
        assertThat(room.buckets.drain()).isEmpty();
    }

    @Test
    void sequenceNumbersAndRowIdsOnlyGoUp() {
        created("t", 3);
        String rows = ",\"first-row-id\":%,\"added-rows\":10";
        assertThat(room.post(TABLES + "/t", Samples.append(1, null, 5, rows.replace("%", "0")))
                        .status())
                .isEqualTo(200);
        CatalogReply behind = room.post(TABLES + "/t", Samples.append(2, 1L, 6, rows.replace("%", "9")));
        assertThat(behind.status()).isEqualTo(409);
        CatalogReply noRows = room.post(TABLES + "/t", Samples.append(2, 1L, 6, ""));
        assertThat(noRows.status()).isEqualTo(400);
        // Without a parent the library would let the sequence number fall.
        CatalogReply fall = room.post(TABLES + "/t", orphan(4, rows.replace("%", "10")));
        assertThat(fall.status()).as(Room.text(fall)).isEqualTo(409);
        // DuckDB leaves gaps; none of the ids before and in them is given again.
        CatalogReply gap = room.post(TABLES + "/t", Samples.append(2, 1L, 6, rows.replace("%", "13")));
        assertThat(gap.status()).as(Room.text(gap)).isEqualTo(200);
        assertThat(Room.json(gap).path("metadata").path("next-row-id").asLong()).isEqualTo(23);
        assertThat(Room.json(gap).path("metadata").path("metadata-log")).hasSize(2);
        JsonNode reread = Room.json(room.restarted().get(TABLES + "/t"));
        assertThat(reread).isEqualTo(Room.json(gap));
        CatalogReply inGap = room.post(TABLES + "/t", Samples.append(3, 2L, 7, rows.replace("%", "22")));
        assertThat(inGap.status()).isEqualTo(409);
    }

    @Test
    void ofTwoThatReplaceATableAtOnceBothAreDone() {
        created("t", 2);
        assertThat(room.post(TABLES + "/t", Samples.append(1, null, 5, "")).status())
                .isEqualTo(200);
        CatalogReply replaced = room.post(TABLES + "/t", orphan(5, ""));
        assertThat(replaced.status()).as(Room.text(replaced)).isEqualTo(200);
        assertThat(Room.json(replaced)
                        .path("metadata")
                        .path("last-sequence-number")
                        .asLong())
                .isEqualTo(5);
    }

    @Test
    void aSnapshotThatATagPointsAtIsNotRemovedInSilence() {
        created("t", 2);
        assertThat(room.post(TABLES + "/t", Samples.append(1, null, 1, "")).status())
                .isEqualTo(200);
        assertThat(room.post(TABLES + "/t", Samples.append(2, 1L, 2, "")).status())
                .isEqualTo(200);
        String tag = "{'action':'set-snapshot-ref','ref-name':'old','type':'tag','snapshot-id':1}";
        String remove = "{'action':'remove-snapshots','snapshot-ids':[1]}";
        String both = "{'action':'remove-snapshot-ref','ref-name':'old'}," + remove;
        assertThat(update(tag).status()).isEqualTo(200);
        assertThat(update(remove).status()).isEqualTo(409);
        assertThat(update(both).status()).isEqualTo(200);
    }

    private CatalogReply update(String updates) {
        return room.post(TABLES + "/t", "{\"updates\":[" + updates.replace('\'', '"') + "]}");
    }

    private static String orphan(long sequence, String rows) {
        return "{\"updates\":[{\"action\":\"add-snapshot\",\"snapshot\":{\"snapshot-id\":2,\"sequence-number\":"
                + sequence
                + ",\"timestamp-ms\":1700000000000,\"summary\":{\"operation\":\"append\"},"
                + "\"manifest-list\":\"s3://dev/m\",\"schema-id\":0" + rows + "}}]}";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'action':'set-snapshot-ref','ref-name':'','type':'branch','snapshot-id':1} | name of a branch or tag",
                "{'action':'set-properties','updates':{'write.metadata.previous-versions-max':'many'}} | should be a number"
            })
    void anUpdateThatCannotBeIs400AndSaysWhy(String update, String why) {
        created("t", 2);
        assertThat(room.post(TABLES + "/t", Samples.append(1, null, 1, "")).status())
                .isEqualTo(200);
        CatalogReply reply = room.post(TABLES + "/t", "{\"updates\":[" + update.replace('\'', '"') + "]}");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(Room.text(reply)).contains(why);
    }

    @Test
    void aTableWhoseFilesLieInNoBucketIsNotRegistered() {
        created("t", 2);
        String metadata = Room.json(room.get(TABLES + "/t")).path("metadata").toString();
        byte[] moved = metadata.replace("s3://dev/ns", "s3://absent/ns").getBytes(StandardCharsets.UTF_8);
        room.buckets
                .bucket("dev")
                .put("x/00000-a.metadata.json", Content.of(moved), PutOptions.PLAIN)
                .orThrow();
        room.call("DELETE", TABLES + "/t", "");
        CatalogReply reply = room.post(
                BASE + "/namespaces/ns/register",
                "{\"name\":\"r\",\"metadata-location\":\"s3://dev/x/00000-a.metadata.json\"}");
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(400);
        assertThat(Room.text(reply)).contains("there is no bucket absent");
    }

    @Test
    void pagesGoOnWhereTheyEndedAndTokensAreBoundToTheirListing() {
        for (int i = 0; i < 7; i++) created("t" + i, 2);
        assertThat(Room.json(room.get(TABLES)).path("identifiers")).hasSize(7);
        assertThat(Room.json(room.get(TABLES)).has("next-page-token")).isTrue();
        assertThat(Room.json(room.get(TABLES)).path("next-page-token").isNull()).isTrue();
        List<String> seen = new ArrayList<>();
        String token = "";
        do {
            JsonNode page = Room.json(room.get(TABLES + "?pageSize=3&pageToken=" + token));
            page.path("identifiers").forEach(one -> seen.add(one.path("name").asText()));
            token = page.path("next-page-token").asText("");
            if (token.equals("null")) token = "";
        } while (!token.isEmpty());
        assertThat(seen).containsExactly("t0", "t1", "t2", "t3", "t4", "t5", "t6");
        String first = Room.json(room.get(TABLES + "?pageSize=3"))
                .path("next-page-token")
                .asText();
        CatalogReply elsewhere = room.get(BASE + "/namespaces?pageSize=3&pageToken=" + first);
        assertThat(elsewhere.status()).isEqualTo(400);
    }

    private CatalogReply load(String query, String ifNoneMatch) {
        return room.call("GET", TABLES + "/t" + query, Map.of("if-none-match", ifNoneMatch), "");
    }

    @Test
    void aTableThatTheClientHasIsNotSentAgain() {
        CatalogReply made = room.post(TABLES, Samples.createTable("t"));
        String tag = made.headers().getOrDefault("etag", "");
        assertThat(tag).matches("\"[A-Za-z0-9_-]{22}-all\"");
        assertThat(room.get(TABLES + "/t").headers()).containsEntry("etag", tag);
        String refsTag = room.get(TABLES + "/t?snapshots=refs").headers().getOrDefault("etag", "");
        assertThat(refsTag).endsWith("-refs\"");
        for (String known : List.of(tag, "\"x\", " + tag, "W/" + tag, "*")) {
            CatalogReply same = load("", known);
            assertThat(same.status()).as(known).isEqualTo(304);
            assertThat(same.body().remaining()).isZero();
            assertThat(same.headers()).containsEntry("etag", tag);
        }
        assertThat(load("?snapshots=refs", tag).status()).isEqualTo(200);
        assertThat(load("?snapshots=refs", refsTag).status()).isEqualTo(304);
        CatalogReply committed = room.post(TABLES + "/t", Samples.setProperty("k", "v"));
        assertThat(committed.headers().getOrDefault("etag", "")).isNotEqualTo(tag);
        assertThat(load("", tag).headers())
                .containsEntry("etag", committed.headers().getOrDefault("etag", ""));
        Room otherKeys = room.restarted(CatalogOptions.dev("node-2", Map.of("s3.secret-access-key", "new")));
        assertThat(otherKeys.get(TABLES + "/t").headers().getOrDefault("etag", ""))
                .as("the answer holds the keys")
                .isNotEqualTo(committed.headers().getOrDefault("etag", ""));
    }

    @Test
    void anUnchangedTableCostsNoLookAtItsMetadata() {
        created("t", 2);
        String tag = room.get(TABLES + "/t").headers().getOrDefault("etag", "");
        Room cold = room.restarted();
        cold.get(BASE + "/namespaces");
        cold.buckets.drain();
        assertThat(cold.call("GET", TABLES + "/t", Map.of("if-none-match", tag), "")
                        .status())
                .isEqualTo(304);
        assertThat(cold.buckets.drain()).isEmpty();
    }

    @Test
    void snapshotsAreAllOrThoseOfBranchesAndTags() {
        created("t", 2);
        room.post(TABLES + "/t", Samples.append(1, null));
        room.post(TABLES + "/t", Samples.append(2, 1L, 2, ""));
        String view = "&referenced-by=ns%1Fouter,ns%1Finner";
        JsonNode all = Room.json(room.get(TABLES + "/t?snapshots=all" + view));
        JsonNode refs = Room.json(room.get(TABLES + "/t?snapshots=refs" + view));
        assertThat(all.path("metadata").path("snapshots")).hasSize(2);
        assertThat(refs.path("metadata").path("snapshots")).hasSize(1);
        assertThat(room.get(TABLES + "/t?snapshots=some").status()).isEqualTo(400);
    }

    @Test
    void aTokenOfAListingWithALikeNameIsRefused() {
        // Texts whose String.hashCode is the same.
        for (String name : List.of("Aa", "BB")) {
            room.post(BASE + "/namespaces", "{\"namespace\":[\"" + name + "\"]}");
            for (String table : List.of("t", "u")) {
                room.post(BASE + "/namespaces/" + name + "/tables", Samples.createTable(table));
            }
        }
        String token = Room.json(room.get(BASE + "/namespaces/Aa/tables?pageSize=1"))
                .path("next-page-token")
                .asText();
        String next = "/tables?pageSize=1&pageToken=" + token;
        assertThat(room.get(BASE + "/namespaces/Aa" + next).status()).isEqualTo(200);
        assertThat(room.get(BASE + "/namespaces/BB" + next).status()).isEqualTo(400);
    }

    @Test
    void propertiesAreSetAndRemovedAtOnce() {
        CatalogReply reply = room.post(
                BASE + "/namespaces/ns/properties",
                "{\"removals\":[\"a\",\"zz\"],\"updates\":{\"c\":\"3\"},\"more\":true}");
        assertThat(Room.json(reply).toString())
                .isEqualTo("{\"updated\":[\"c\"],\"removed\":[\"a\"],\"missing\":[\"zz\"]}");
        assertThat(Room.json(room.get(BASE + "/namespaces/ns"))
                        .path("properties")
                        .toString())
                .contains("\"b\":\"2\"")
                .contains("\"c\":\"3\"")
                .doesNotContain("\"a\"");
        CatalogReply both =
                room.post(BASE + "/namespaces/ns/properties", "{\"removals\":[\"a\"],\"updates\":{\"a\":\"3\"}}");
        assertThat(both.status()).isEqualTo(422);
        assertThat(type(both)).isEqualTo("UnprocessableEntityException");
    }

    @Test
    void aSpaceInAPathMayBeWrittenBothWays() {
        room.post(BASE + "/namespaces", "{\"namespace\":[\"with space\"]}");
        assertThat(room.call("HEAD", BASE + "/namespaces/with%20space", "").status())
                .isEqualTo(204);
        assertThat(room.call("HEAD", BASE + "/namespaces/with+space", "").status())
                .isEqualTo(204);
    }

    @Test
    void namesThatNoPathCouldHoldAreRefused() {
        for (String name : List.of("", "a\\u001fb", "\\u0000", "\\ud800", "x".repeat(1_001))) {
            CatalogReply reply = room.post(BASE + "/namespaces", "{\"namespace\":[\"" + name + "\"]}");
            assertThat(reply.status()).as(name).isEqualTo(400);
        }
    }

    @Test
    void aBodyOf16MiBIsTakenAndOneBeyondTheLimitIs413() {
        created("t", 2);
        String big = "v".repeat(17 << 20);
        assertThat(room.post(TABLES + "/t", Samples.setProperty("big", big)).status())
                .isEqualTo(200);
        String tooBig = "v".repeat(65 << 20);
        assertThat(room.post(TABLES + "/t", Samples.setProperty("big", tooBig)).status())
                .isEqualTo(413);
    }

    @Test
    void oldMetadataFilesGoWhenTheTableSaysSo() {
        created("t", 2);
        room.post(
                TABLES + "/t",
                "{\"updates\":[{\"action\":\"set-properties\",\"updates\":{"
                        + "\"write.metadata.delete-after-commit.enabled\":\"true\","
                        + "\"write.metadata.previous-versions-max\":\"2\"}}]}");
        for (int i = 0; i < 5; i++) room.post(TABLES + "/t", Samples.setProperty("k", "v" + i));
        JsonNode loaded = Room.json(room.get(TABLES + "/t"));
        assertThat(loaded.path("metadata").path("metadata-log")).hasSize(2);
        String prefix = loaded.path("metadata").path("location").asText().substring("s3://dev/".length());
        assertThat(room.buckets
                        .bucket("dev")
                        .list(ListRequest.of(prefix))
                        .orThrow()
                        .objects())
                .hasSize(3);
    }

    @Test
    void foreignLocationsAreReplacedWhereTheKitAsksForThem() {
        Room lenient = room.restarted(CatalogOptions.dev("kit", Map.of()).replacingForeignLocations(true));
        CatalogReply reply = lenient.post(TABLES, Samples.createTable("t", 2, ",\"location\":\"file:/tmp/x\""));
        assertThat(Room.json(reply).path("metadata").path("location").asText()).startsWith("s3://dev/ns/t-");
        CatalogReply moved = lenient.post(
                TABLES + "/t", "{\"updates\":[{\"action\":\"set-location\",\"location\":\"file:/tmp/y\"}]}");
        assertThat(moved.status()).isEqualTo(200);
    }
}
