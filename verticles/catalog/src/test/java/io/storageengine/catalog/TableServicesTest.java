package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.store.ListRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is served beside a table's metadata: credentials, signatures, reports, functions, and how tables leave.
final class TableServicesTest {
    private static final String BASE = "/catalogs/dev/v1";
    private static final String NS = BASE + "/namespaces/ns";
    private static final String TABLE = NS + "/tables/t";
    private static final Map<String, String> KEYS = Map.of(
            "s3.endpoint", "http://127.0.0.1:9000", "s3.access-key-id", "AKID", "s3.secret-access-key", "s3cr3t");

    private final Room room = Room.dev(options -> CatalogOptions.dev("node-1", KEYS));

    @BeforeEach
    void makeTable() {
        room.post(BASE + "/namespaces", "{\"namespace\":[\"ns\"]}");
        room.post(NS + "/tables", Samples.createTable("t", 2, ",\"location\":\"s3://dev/place\""));
    }

    private static String type(CatalogReply reply) {
        return Room.json(reply).path("error").path("type").asText();
    }

    @Test
    void credentialsAreThoseOfTheLoad() {
        JsonNode all = Room.json(room.get(TABLE + "/credentials?planId=x&referenced-by=ns%1Fv"))
                .path("storage-credentials");
        assertThat(all).hasSize(1);
        assertThat(all.get(0).path("prefix").asText()).isEqualTo("s3://dev/place");
        assertThat(all.get(0).path("config"))
                .isEqualTo(Room.json(room.get(TABLE)).path("config"));
        assertThat(type(room.get(NS + "/tables/none/credentials"))).isEqualTo("NoSuchTableException");
    }

    private CatalogReply loadAs(String delegation) {
        return room.call("GET", TABLE, Map.of("x-iceberg-access-delegation", delegation), "");
    }

    @Test
    void whoAsksForRemoteSigningAloneGetsNoKeys() {
        CatalogReply signing = loadAs("remote-signing");
        JsonNode config = Room.json(signing).path("config");
        assertThat(config.toString()).doesNotContain("s3cr3t").doesNotContain("AKID");
        assertThat(config.path("s3.remote-signing-enabled").asText()).isEqualTo("true");
        assertThat(config.path("s3.signer.endpoint").asText()).isEqualTo("v1/namespaces/ns/tables/t/sign");
        CatalogReply keys = loadAs("vended-credentials,remote-signing");
        assertThat(Room.text(keys)).contains("s3cr3t");
        assertThat(keys.headers().get("etag")).isNotEqualTo(signing.headers().get("etag"));
    }

    private CatalogReply sign(String method, String uri, String more) {
        String body = "{\"region\":\"us-east-1\",\"method\":\"" + method + "\",\"uri\":\"" + uri
                + "\",\"headers\":{\"x-amz-meta-a\":[\"b\"],\"Range\":[\"bytes=0-1\"]}" + more + "}";
        return room.post(TABLE + "/sign", body);
    }

    @Test
    void aRequestForAFileOfTheTableIsSigned() {
        CatalogReply reply = sign("GET", "http://127.0.0.1:9000/dev/place/data/a%20b.parquet?x-id=GetObject", "");
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(200);
        JsonNode headers = Room.json(reply).path("headers");
        assertThat(headers.path("authorization").get(0).asText())
                .matches("AWS4-HMAC-SHA256 Credential=AKID/\\d{8}/us-east-1/s3/aws4_request, "
                        + "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-meta-a, Signature=[0-9a-f]{64}");
        assertThat(headers.path("range").get(0).asText()).isEqualTo("bytes=0-1");
        assertThat(Room.text(reply)).doesNotContain("s3cr3t");
        for (String inside : List.of("place/data/x", "place/metadata/m.json")) {
            assertThat(sign("PUT", "http://127.0.0.1:9000/dev/" + inside, "").status())
                    .isEqualTo(200);
        }
        assertThat(sign("GET", "http://127.0.0.1:9000/dev?list-type=2&prefix=place%2Fdata", "")
                        .status())
                .isEqualTo(200);
        String delete = ",\"body\":\"<Delete><Object><Key>place/a&amp;b</Key></Object></Delete>\"";
        assertThat(sign("POST", "http://127.0.0.1:9000/dev?delete", delete).status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "GET,http://127.0.0.1:9000/dev/other/x",
        "GET,http://127.0.0.1:9000/dev/place",
        "GET,http://127.0.0.1:9000/dev/place2/x",
        "GET,http://127.0.0.1:9000/other/place/x",
        "GET,http://127.0.0.1:9001/dev/place/x",
        "GET,https://127.0.0.1:9000/dev/place/x",
        "GET,http://elsewhere/dev/place/x",
        "GET,http://127.0.0.1:9000/",
        "GET,http://127.0.0.1:9000/dev",
        "GET,http://127.0.0.1:9000/dev?prefix=pl",
        "GET,http://127.0.0.1:9000/dev?prefix=",
        "DELETE,http://127.0.0.1:9000/dev",
        "POST,http://127.0.0.1:9000/dev?delete",
    })
    void otherRequestsAreNotSigned(String method, String uri) {
        CatalogReply reply = sign(method, uri, "");
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(403);
        assertThat(type(reply)).isEqualTo("ForbiddenException");
    }

    @Test
    void whatDeletesOrCopiesOtherFilesIsNotSigned() {
        String uri = "http://127.0.0.1:9000/dev?delete";
        for (String keys : List.of(
                "<Delete><Object><Key>place/a</Key></Object><Object><Key>other/b</Key></Object></Delete>",
                "<Delete></Delete>",
                "<Delete><Object><Key>pla",
                "<!DOCTYPE d [<!ENTITY e 'other'>]><Delete><Object><Key>&e;/b</Key></Object></Delete>")) {
            assertThat(sign("POST", uri, ",\"body\":\"" + keys + "\"").status())
                    .as(keys)
                    .isEqualTo(403);
        }
        String copy = "{\"region\":\"us-east-1\",\"method\":\"PUT\",\"uri\":\"http://127.0.0.1:9000/dev/place/x\","
                + "\"headers\":{\"X-Amz-Copy-Source\":[\"%\"]}}";
        assertThat(room.post(TABLE + "/sign", copy.replace("%", "/dev/other/secret"))
                        .status())
                .isEqualTo(403);
        assertThat(room.post(TABLE + "/sign", copy.replace("%", "dev/place/y")).status())
                .isEqualTo(200);
        String twice = copy.replace("{\"X-Amz", "{\"x-amz-copy-source\":[\"/dev/other/secret\"],\"X-Amz")
                .replace("%", "dev/place/y");
        assertThat(room.post(TABLE + "/sign", twice).status()).isEqualTo(403);
        for (String odd : List.of("mailto:x", "dev/place/x", "//", "http:/dev/place/x"))
            assertThat(sign("GET", odd, "").status()).as(odd).isIn(400, 403);
        assertThat(sign("TRACE", "http://127.0.0.1:9000/dev/place/x", "").status())
                .isEqualTo(400);
        assertThat(room.post(TABLE + "/sign", "{}").status()).isEqualTo(400);
        assertThat(room.post(NS + "/tables/none/sign", copy).status()).isEqualTo(404);
    }

    private int signed(String table, String method, String key, String more) {
        String body = "{\"region\":\"us-east-1\",\"method\":\"" + method + "\",\"uri\":\"http://127.0.0.1:9000/dev"
                + key + "\",\"headers\":{}" + more + "}";
        return room.post(NS + "/tables/" + table + "/sign", body).status();
    }

    private static String place(CatalogReply reply) {
        return Room.json(reply).path("metadata").path("location").asText().substring("s3://dev/".length());
    }

    @Test
    void filesOfAStagedTableAreSignedBeforeItIsMade() {
        String staged = Samples.createTable("new t", 2, ",\"stage-create\":true");
        String place = place(room.post(NS + "/tables", staged));
        assertThat(place).matches("ns/new_t-[0-9a-f]{8}");
        assertThat(signed("new%20t", "PUT", "/" + place + "/data/a.parquet", ""))
                .isEqualTo(200);
        assertThat(signed("new%20t", "GET", "?list-type=2&prefix=" + place + "/data", ""))
                .isEqualTo(200);
        String delete = ",\"body\":\"<Delete><Object><Key>%</Key></Object><Object><Key>" + place
                + "/b</Key></Object></Delete>\"";
        assertThat(signed("new%20t", "POST", "?delete", delete.replace("%", place + "/a")))
                .isEqualTo(200);
        assertThat(signed("new%20t", "POST", "?delete", delete.replace("%", "place/a")))
                .isEqualTo(404);
        for (String other : List.of(
                "/place/x", "/" + place, "/ns/new_t-1234567/x", "/ns/new_t-1234567g/x", "/ns/other-12345678/x", ""))
            assertThat(signed("new%20t", "PUT", other, "")).as(other).isEqualTo(404);
        assertThat(signed("other", "PUT", "/" + place + "/data/a.parquet", "")).isEqualTo(404);
    }

    @Test
    void thePlaceOfATableThatIsThereIsNobodyElses() {
        String place = place(room.post(NS + "/tables", Samples.createTable("old")));
        String renaming = "{\"source\":{\"namespace\":[\"ns\"],\"name\":\"old\"},"
                + "\"destination\":{\"namespace\":[\"ns\"],\"name\":\"renamed\"}}";
        assertThat(room.post(BASE + "/tables/rename", renaming).status()).isEqualTo(204);
        assertThat(signed("renamed", "PUT", "/" + place + "/x", "")).isEqualTo(200);
        assertThat(signed("old", "PUT", "/" + place + "/x", "")).isEqualTo(404);
    }

    private double counted(String name) {
        var counter = room.meters.find(name).counter();
        return counter == null ? -1 : counter.count();
    }

    @Test
    void reportsOfScansAndCommitsAreCounted() {
        String scan = "{\"report-type\":\"scan-report\",\"table-name\":\"ns.t\",\"snapshot-id\":1,\"schema-id\":0,"
                + "\"filter\":true,\"projected-field-ids\":[1],\"projected-field-names\":[\"id\"],\"metrics\":{"
                + "\"total-planning-duration\":{\"count\":1,\"time-unit\":\"nanoseconds\","
                + "\"total-duration\":2000000},\"result-data-files\":{\"unit\":\"count\",\"value\":3}}}";
        assertThat(room.post(TABLE + "/metrics", scan).status()).isEqualTo(204);
        String commit = "{\"report-type\":\"commit-report\",\"table-name\":\"ns.t\",\"snapshot-id\":1,"
                + "\"sequence-number\":1,\"operation\":\"append\",\"metrics\":{\"attempts\":{\"unit\":\"count\","
                + "\"value\":2},\"added-records\":{\"unit\":\"count\",\"value\":7}}}";
        assertThat(room.post(TABLE + "/metrics", commit).status()).isEqualTo(204);
        assertThat(room.post(TABLE + "/metrics", "{\"report-type\":\"moon-report\"}")
                        .status())
                .isEqualTo(204);
        assertThat(counted("se.client.scan.files")).isEqualTo(3);
        assertThat(counted("se.client.commit.attempts")).isEqualTo(2);
        assertThat(counted("se.client.commit.records")).isEqualTo(7);
        for (String kind : List.of("scan", "commit", "unknown")) {
            assertThat(room.meters
                            .get("se.client.reports")
                            .tag("kind", kind)
                            .tag("catalog", "dev")
                            .counter()
                            .count())
                    .isEqualTo(1);
        }
        for (String bad : List.of("", "{}", "{\"report-type\":\"scan-report\"}")) {
            assertThat(room.post(TABLE + "/metrics", bad).status()).isEqualTo(400);
        }
        assertThat(room.post(NS + "/tables/none/metrics", scan).status()).isEqualTo(404);
        String odd = commit.replace("\"append\"", "\"odd-" + "x".repeat(50) + "\"");
        for (int i = 0; i < 20; i++) room.post(TABLE + "/metrics", odd.replace("odd-", "odd-" + i));
        assertThat(room.meters.getMeters().size())
                .as("no tag of a client's choice")
                .isLessThan(15);
    }

    @Test
    void thereAreNoFunctions() {
        assertThat(Room.text(room.get(NS + "/functions"))).isEqualTo("{\"next-page-token\":null,\"identifiers\":[]}");
        assertThat(type(room.get(NS + "/functions/f"))).isEqualTo("NoSuchFunctionException");
        assertThat(type(room.get(BASE + "/namespaces/none/functions"))).isEqualTo("NoSuchNamespaceException");
        assertThat(room.get(NS + "/functions?pageSize=0").status()).isEqualTo(400);
    }

    @Test
    void anUnregisteredTableIsHandedOverWithItsFiles() {
        JsonNode last = Room.json(room.post(TABLE, Samples.append(1, null)));
        room.buckets.drain();
        CatalogReply reply = room.post(TABLE + "/unregister", "");
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(200);
        assertThat(room.buckets.drain()).hasSize(1).allMatch(one -> one.startsWith("PUT dev/_se/catalog/log/"));
        assertThat(Room.json(reply).path("metadata-location")).isEqualTo(last.path("metadata-location"));
        assertThat(Room.json(reply).path("metadata")).isEqualTo(last.path("metadata"));
        assertThat(room.post(TABLE, Samples.setProperty("k", "v")).status()).isEqualTo(404);
        assertThat(room.post(TABLE + "/unregister", "").status()).isEqualTo(404);
        String register = "{\"name\":\"back\",\"metadata-location\":\""
                + last.path("metadata-location").asText() + "\"}";
        assertThat(room.post(NS + "/register", register).status()).isEqualTo(200);
    }

    /// Two owners commit while one of them lets the table go: what was acknowledged is in what is handed over.
    @Test
    void theHandOverHasEveryCommitThatWasAcknowledgedAndNoneComesAfter() throws Exception {
        Room one = room.restarted(CatalogOptions.serve("node-1", KEYS));
        Room two = room.restarted(CatalogOptions.serve("node-2", KEYS));
        List<Callable<CatalogReply>> work = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Room owner = i % 2 == 0 ? one : two;
            String body = Samples.setProperty("k" + i, "v");
            work.add(() -> owner.post(TABLE, body));
        }
        work.add(20, () -> one.post(TABLE + "/unregister", ""));
        List<CatalogReply> replies = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<CatalogReply> reply : threads.invokeAll(work)) replies.add(reply.get());
        }
        CatalogReply handedOver = replies.remove(20);
        assertThat(handedOver.status()).as(Room.text(handedOver)).isEqualTo(200);
        JsonNode properties = Room.json(handedOver).path("metadata").path("properties");
        for (int i = 0; i < 40; i++) {
            assertThat(replies.get(i).status()).isIn(200, 404);
            assertThat(properties.has("k" + i))
                    .as("commit %s: %s", i, replies.get(i).status())
                    .isEqualTo(replies.get(i).status() == 200);
        }
    }

    private List<String> keys(String prefix) {
        return room.buckets.bucket("dev").list(ListRequest.of(prefix)).orThrow().objects().stream()
                .map(object -> object.key())
                .toList();
    }

    /// Waits until nothing is there any more, for a bounded time.
    private List<String> leftOf(String prefix) throws InterruptedException {
        List<String> left = keys(prefix);
        for (int i = 0; i < 2_000 && !left.isEmpty(); i++) {
            room.clock.sleep(5);
            left = keys(prefix);
        }
        return left;
    }

    @Test
    void aPurgedTableGoesAtOnceAndItsFilesAfterwards() throws InterruptedException {
        for (int i = 0; i < 3; i++) room.post(TABLE, Samples.setProperty("k", "v" + i));
        assertThat(keys("place/")).hasSize(4);
        assertThat(room.call("DELETE", TABLE + "?purgeRequested=maybe", "").status())
                .isEqualTo(400);
        assertThat(room.call("DELETE", TABLE + "?purgeRequested=true", "").status())
                .isEqualTo(204);
        assertThat(room.get(TABLE).status()).isEqualTo(404);
        assertThat(leftOf("place/")).isEmpty();
    }

    @Test
    void anotherCatalogsTablesAreNeverPurged() throws InterruptedException {
        for (String warehouse : List.of("s3://dev/within", "s3://beside")) {
            String id = warehouse.substring(warehouse.lastIndexOf('/') + 1);
            room.post(
                    "/catalogs",
                    "{\"catalog_id\":\"" + id + "\",\"config\":{\"type\":\"native\",\"warehouse\":\"" + warehouse
                            + "\"}}");
            String base = "/catalogs/" + id + "/v1/namespaces";
            room.post(base, "{\"namespace\":[\"ns\"]}");
            room.post(base + "/ns/tables", Samples.createTable("own"));
            String theirs = Room.json(room.get(TABLE)).path("metadata-location").asText();
            String ours = Room.json(room.get(base + "/ns/tables/own"))
                    .path("metadata-location")
                    .asText();
            register(base, theirs);
            register("/catalogs/dev/v1/namespaces", ours);
            for (String table : List.of(base + "/ns/tables/taken", NS + "/tables/taken", base + "/ns/tables/own"))
                assertThat(room.call("DELETE", table + "?purgeRequested=true", "")
                                .status())
                        .isEqualTo(204);
        }
        assertThat(leftOf("within/ns/")).as("its own go").isEmpty();
        assertThat(keys("place/")).as("theirs stays").hasSize(1);
        assertThat(room.get(TABLE).status()).isEqualTo(200);
    }

    private void register(String base, String metadata) {
        String body = "{\"name\":\"taken\",\"metadata-location\":\"" + metadata + "\"}";
        CatalogReply reply = room.post(base + "/ns/register", body);
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(200);
    }

    @Test
    void filesThatATableStillHasOrThatLieElsewhereAreNeverPurged() throws InterruptedException {
        for (String name : List.of("inner", "keeps", "goes")) {
            String location = name.equals("inner") ? "place/nested" : name;
            room.post(NS + "/tables", Samples.createTable(name, 2, ",\"location\":\"s3://dev/" + location + "\""));
        }
        room.post(
                NS + "/tables/keeps",
                "{\"updates\":[{\"action\":\"set-properties\",\"updates\":{\"gc.enabled\":\"false\"}}]}");
        String moved = "{\"updates\":[{\"action\":\"set-location\",\"location\":\"s3://dev/moved\"}]}";
        assertThat(room.post(NS + "/tables/goes", moved).status()).isEqualTo(200);
        for (String table : List.of(TABLE, NS + "/tables/keeps")) {
            assertThat(room.call("DELETE", table + "?purgeRequested=TRUE", "").status())
                    .isEqualTo(204);
        }
        assertThat(room.call("DELETE", NS + "/tables/goes?purgeRequested=true", "")
                        .status())
                .isEqualTo(204);
        assertThat(leftOf("moved/")).isEmpty();
        assertThat(keys("goes/")).as("its first file lies outside its location").hasSize(1);
        assertThat(keys("place/")).as("a table lies within").hasSize(2);
        assertThat(keys("keeps/")).as("gc.enabled=false").hasSize(2);
        assertThat(room.get(NS + "/tables/inner").status()).isEqualTo(200);
    }
}
