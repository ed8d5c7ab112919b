package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.storageengine.catalog.registry.ClusterPlace;
import io.storageengine.core.Failure;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.message.CatalogStorage;
import io.storageengine.core.message.StorageOf;
import io.storageengine.core.store.ListRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The administration of catalogs, row by row of its table.
final class AdministrationTest {
    private static final String REST = "{\"catalog_id\":\"example\",\"config\":{\"type\":\"rest\","
            + "\"uri\":\"http://localhost:8181\",\"warehouse\":\"wh\",\"properties\":"
            + "{\"token\":\"t0psecret\",\"credential\":\"id:cr3dential\",\"s3.endpoint\":\"http://s3\","
            + "\"s3.secret-access-key\":\"k3y\",\"header.X-Key\":\"h34der\",\"scope\":\"all\"}}}";
    private static final List<String> SECRETS = List.of("t0psecret", "cr3dential", "k3y", "h34der");

    private final Room room = Room.dev();

    private static void assertError(CatalogReply reply, int status, String type) {
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(status);
        JsonNode error = Room.json(reply).path("error");
        assertThat(error.path("code").asInt()).isEqualTo(status);
        assertThat(error.path("type").asText()).isEqualTo(type);
        assertThat(error.path("message").asText()).isNotEmpty();
        assertThat(reply.headers()).containsEntry("content-type", "application/json");
    }

    @Test
    void aCatalogIsRegisteredShownAndForgotten() {
        CatalogReply created = room.post("/catalogs", REST);
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.headers()).containsEntry("location", "/catalogs/example");
        JsonNode shown = Room.json(created);
        assertThat(shown.path("name").asText()).isEqualTo("catalogs/example");
        assertThat(shown.path("config").path("type").asText()).isEqualTo("rest");
        assertThat(shown.path("config").path("uri").asText()).isEqualTo("http://localhost:8181");
        assertThat(shown.path("config").path("warehouse").asText()).isEqualTo("wh");
        assertThat(shown.path("config").path("properties").path("token").asText())
                .isEqualTo("***");
        assertThat(shown.path("config").path("properties").path("s3.endpoint").asText())
                .isEqualTo("http://s3");

        Room other = room.restarted();
        assertThat(Room.json(other.get("/catalogs/example"))).isEqualTo(shown);
        assertError(other.post("/catalogs", REST), 409, "AlreadyExistsException");
        assertThat(other.call("DELETE", "/catalogs/example", "").status()).isEqualTo(204);
        assertThat(other.call("DELETE", "/catalogs/example", "").status()).isEqualTo(204);
        assertError(other.get("/catalogs/example"), 404, "NoSuchCatalogException");
        assertError(other.get("/catalogs/example/v1/namespaces"), 404, "NoSuchCatalogException");
    }

    @Test
    void thereIsNoListing() {
        CatalogReply reply = room.get("/catalogs");
        assertError(reply, 405, "MethodNotAllowedException");
        assertThat(reply.headers()).containsEntry("allow", "POST");
        assertThat(room.call("PUT", "/catalogs/dev", "").headers()).containsEntry("allow", "GET, HEAD, DELETE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Upper", "1digit", "_under", "-dash", "sp ace", "a/b", "../x", "é", "a.b"})
    void idsAreChecked(String id) {
        String body = REST.replace("\"example\"", "\"" + id + "\"");
        assertError(room.post("/catalogs", body), 400, "BadRequestException");
    }

    @Test
    void anIdHasAtMost63Characters() {
        String longest = "a".repeat(63);
        assertThat(room.post("/catalogs", REST.replace("example", longest)).status())
                .isEqualTo(201);
        assertError(room.post("/catalogs", REST.replace("example", longest + "a")), 400, "BadRequestException");
        assertError(room.get("/catalogs/" + longest + "a"), 400, "BadRequestException");
        assertError(room.call("DELETE", "/catalogs/B%2Fad", ""), 400, "BadRequestException");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{\"catalog_id\":\"a\"} x", "{'a':1}", "{\"a\":1,\"a\":2}", "nul"})
    void invalidJsonIs400(String body) {
        assertError(room.post("/catalogs", body), 400, "BadRequestException");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "null",
                "\"x\"",
                "{}",
                "{\"catalog_id\":\"a\"}",
                "{\"catalog_id\":1,\"config\":{\"type\":\"native\"}}",
                "{\"config\":{\"type\":\"native\"}}",
                "{\"catalog_id\":\"a\",\"config\":[]}",
                "{\"catalog_id\":\"a\",\"config\":{}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":7}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"glue\"}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"rest\"}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"rest\",\"uri\":\"ftp://x\"}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"rest\",\"uri\":\"http://x:99999\"}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"rest\",\"uri\":\"http://u:p@x\"}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"rest\",\"uri\":\"not a uri\"}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"rest\",\"uri\":\"http://x\",\"properties\":[]}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"rest\",\"uri\":\"http://x\",\"properties\":{\"a\":{}}}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"rest\",\"uri\":\"http://169.254.169.254/\"}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"rest\",\"uri\":\"http://2852039166/\"}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"rest\",\"uri\":\"http://0251.0376.0251.0376/\"}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"rest\",\"uri\":\"http://[fe80::1]/\"}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"rest\",\"uri\":\"http://[::ffff:169.254.1.1]/\"}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"rest\",\"uri\":\"http://0.0.0.0/\"}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"native\",\"warehouse\":\"file:/tmp\"}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"native\"},\"warehouse\":\"s3://bucket/a\"}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"native\",\"ware-house\":\"s3://bucket/a\"}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"native\",\"properties\":{}}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"rest\",\"uri\":\"http://x\",\"new-field\":[1]}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"rest\",\"uri\":\"http://x\",\"properties\":{\"a\":1}}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"rest\",\"uri\":\"http://x\",\"properties\":{\"a\":true}}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"rest\",\"uri\":\"http://x\",\"properties\":{\"a\":null}}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"native\",\"warehouse\":\"s3://UP/x\"}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"native\",\"warehouse\":\"s3://bucket/_se/x\"}}",
                "{\"catalog_id\":\"a\",\"config\":{\"type\":\"native\",\"warehouse\":\"s3://bucket/../x\"}}"
            })
    void jsonOfAnotherFormIs422(String body) {
        assertError(room.post("/catalogs", body), 422, "UnprocessableEntityException");
    }

    @Test
    void anUnknownFieldIsNamedWithTheKnownOnes() {
        String reply = Room.text(
                room.post("/catalogs", "{\"catalog_id\":\"a\",\"config\":{\"type\":\"native\",\"ware-house\":\"x\"}}"));
        assertThat(reply).contains("config.ware-house", "config.type, config.warehouse");
    }

    @Test
    void aPathWithWhatCanBeNoIdIs400() {
        for (String path : List.of("/catalogs/ABS/v1/config", "/catalogs/a.b/v1/namespaces", "/catalogs/_/v1/config"))
            assertError(room.get(path), 400, "BadRequestException");
        assertError(room.get("/catalogs/abs/v1/config"), 404, "NoSuchCatalogException");
    }

    @Test
    void noWarehouseLiesInClusterStorageOrAroundIt() {
        Room shared = Room.dev(options -> options.with(new ClusterPlace("lake", "se/cluster/")));
        for (String warehouse :
                List.of("s3://lake", "s3://lake/se", "s3://lake/se/cluster/", "s3://lake/se/cluster/a")) {
            CatalogReply reply = shared.post("/catalogs", ofWarehouse(warehouse));
            assertError(reply, 422, "UnprocessableEntityException");
            assertThat(Room.text(reply)).contains("storage of the cluster");
        }
        CatalogReply byName = shared.post("/catalogs", "{\"catalog_id\":\"lake\",\"config\":{\"type\":\"native\"}}");
        assertError(byName, 422, "UnprocessableEntityException");
        assertThat(shared.post("/catalogs", ofWarehouse("s3://lake/se/cluster2"))
                        .status())
                .isEqualTo(201);
        assertThat(room.post("/catalogs", ofWarehouse("s3://lake")).status()).isEqualTo(201);
    }

    private static String ofWarehouse(String warehouse) {
        return "{\"catalog_id\":\"w\",\"config\":{\"type\":\"native\",\"warehouse\":\"" + warehouse + "\"}}";
    }

    @Test
    void otherMediaTypesAre415() {
        for (String type : List.of("", "text/plain", "application/x-ndjson")) {
            Map<String, String> headers = type.isEmpty() ? Map.of() : Map.of("content-type", type);
            assertError(room.call("POST", "/catalogs", headers, REST), 415, "UnsupportedMediaTypeException");
        }
        for (String charset : List.of("iso-8859-1", "\"UTF-16\"", "latin1; x=y")) {
            Map<String, String> headers = Map.of("content-type", "application/json; charset=" + charset);
            assertError(room.call("POST", "/catalogs", headers, REST), 415, "UnsupportedMediaTypeException");
        }
        Map<String, String> charset = Map.of("content-type", "Application/JSON; charset=utf-8");
        assertThat(room.call("POST", "/catalogs", charset, REST).status()).isEqualTo(201);
    }

    @Test
    void nativeCatalogsHaveAWarehouse() {
        assertThat(Room.json(room.get("/catalogs/dev"))
                        .path("config")
                        .path("warehouse")
                        .asText())
                .isEqualTo("s3://dev/");
        String body = "{\"catalog_id\":\"%s\",\"config\":{\"type\":\"native\"%s}}";
        JsonNode named = Room.json(room.post(
                "/catalogs", body.replaceFirst("%s", "one").replace("%s", ",\"warehouse\":\"s3://bucket/a/b\"")));
        assertThat(named.path("config").path("warehouse").asText()).isEqualTo("s3://bucket/a/b/");
        JsonNode odd = Room.json(
                room.post("/catalogs", body.replaceFirst("%s", "my_cat").replace("%s", "")));
        assertThat(odd.path("config").path("warehouse").asText()).matches("s3://my-cat-[0-9a-f]{8}/");
        assertThat(room.get("/catalogs/my_cat/v1/namespaces").status()).isEqualTo(200);
    }

    @Test
    void aForgottenCatalogsDataIsThereWhenItIsRegisteredAgain() {
        room.post("/catalogs/dev/v1/namespaces", "{\"namespace\":[\"kept\"]}");
        room.call("DELETE", "/catalogs/dev", "");
        room.post("/catalogs", "{\"catalog_id\":\"dev\",\"config\":{\"type\":\"native\"}}");
        assertThat(Room.text(room.get("/catalogs/dev/v1/namespaces"))).contains("kept");
    }

    @Test
    void aBackendFailureIs500WithoutDetail() {
        for (Failure.Kind kind : List.of(Failure.Kind.UNAVAILABLE, Failure.Kind.UNKNOWN, Failure.Kind.FORBIDDEN)) {
            room.buckets.fail((request, after) ->
                    after || !request.contains("catalogs/") ? null : new Failure(kind, "bucket-name at 10.0.0.1"));
            for (CatalogReply reply : List.of(
                    room.post("/catalogs", REST), room.get("/catalogs/x"), room.call("DELETE", "/catalogs/x", ""))) {
                assertError(reply, 500, "InternalServerError");
                assertThat(Room.text(reply)).doesNotContain("bucket-name").doesNotContain("10.0.0.1");
            }
        }
    }

    @Test
    void aRegistrationWhoseOwnAnswerWasLostIsTaken() {
        room.buckets.fail((request, after) -> after && request.contains("PUT cluster-storage/catalogs/")
                ? new Failure(Failure.Kind.CONFLICT, "PreconditionFailed", "")
                : null);
        assertThat(room.post("/catalogs", REST).status()).isEqualTo(201);
    }

    @Test
    void secretsAreNowhereButInTheirOwnObjectEncrypted() {
        CatalogReply created = room.post("/catalogs", REST);
        List<String> seen = new ArrayList<>(List.of(
                Room.text(created),
                Room.text(room.get("/catalogs/example")),
                Room.text(room.post("/catalogs", REST)),
                Room.text(room.get("/catalogs/example/v1/config")),
                room.service.answer(new StorageOf("example")).orThrow().toString(),
                CatalogOptions.dev("w", Map.of("s3.secret-access-key", "k3y")).toString()));
        var cluster = room.buckets.bucket("cluster-storage");
        var keys = cluster.list(ListRequest.of("")).orThrow().objects();
        assertThat(keys.stream().map(object -> object.key())).anyMatch(key -> key.startsWith("secrets/example/"));
        for (var object : keys) {
            var bytes = cluster.read(object.key()).orThrow();
            seen.add(StandardCharsets.ISO_8859_1.decode(bytes.duplicate()).toString());
        }
        for (String text : seen) {
            for (String secret : SECRETS) assertThat(text).doesNotContain(secret);
        }
        var storage = (CatalogStorage)
                room.restarted().service.answer(new StorageOf("example")).orThrow();
        assertThat(storage.ioProperties()).containsEntry("s3.secret-access-key", "k3y");
        assertThat(storage.isNative()).isFalse();

        room.call("DELETE", "/catalogs/example", "");
        assertThat(cluster.list(ListRequest.of("secrets/")).orThrow().objects()).isEmpty();
    }
}
