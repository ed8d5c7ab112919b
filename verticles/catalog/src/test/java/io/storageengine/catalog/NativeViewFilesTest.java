package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.PutOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Where the metadata files of a native catalog's views lie, and how one is put in place as a view.
final class NativeViewFilesTest {
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

    private static String message(CatalogReply reply) {
        return Room.json(reply).path("error").path("message").asText();
    }

    private static void assertRefused(CatalogReply reply, int status, String type, String message) {
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(status);
        assertThat(Room.json(reply).path("error").path("type").asText()).isEqualTo(type);
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

    private List<String> filesOf(String prefix) {
        return room.buckets.bucket("dev").list(ListRequest.of(prefix)).orThrow().objects().stream()
                .map(object -> object.key())
                .toList();
    }

    @Test
    void aDroppedViewIsRegisteredAgain() {
        created("v");
        JsonNode before = commit("v", Samples.replaceView(SPARK));
        String location =
                Room.json(room.get(VIEWS + "/v")).path("metadata-location").asText();
        CatalogReply twice = room.post(SPACE + "/register-view", Samples.register("w", location));
        assertRefused(twice, 409, "AlreadyExistsException", "is in this catalog already: ns.v");
        room.call("DELETE", VIEWS + "/v", "");
        JsonNode back = done(room.post(SPACE + "/register-view", Samples.register("w", location)));
        assertThat(back.path("metadata-location").asText()).isEqualTo(location);
        assertThat(back.path("metadata")).isEqualTo(before);
        commit("w", setProperties("\"a\":\"1\""));
        assertThat(Room.json(room.get(VIEWS + "/w")).path("metadata-location").asText())
                .contains("/metadata/00002-");
    }

    @Test
    void onlyAMetadataFileOfAViewIsRegistered() {
        String table = done(room.post(TABLES, Samples.createTable("t")))
                .path("metadata-location")
                .asText();
        String metadata = created("v").path("metadata").toString();
        room.call("DELETE", VIEWS + "/v", "");
        assertRegistration(table, 400, "Not an Iceberg metadata file");
        assertRegistration("s3://dev/none.metadata.json", 404, "Metadata file is missing");
        assertRegistration("file:/tmp/x.metadata.json", 400, "Invalid location");
        assertRegistration("s3://dev/_se/catalog/log/1", 400, "reserved");
        assertRegistration(put("x/1.metadata.json", "{".getBytes(StandardCharsets.UTF_8)), 400, "Not an Iceberg");
        String noVersion = metadata.replace("\"current-version-id\":1", "\"current-version-id\":7");
        assertRegistration(put("x/2.metadata.json", noVersion.getBytes(StandardCharsets.UTF_8)), 400, "Not an Iceberg");
        String noUuid = metadata.replaceAll("\"view-uuid\":\"[^\"]*\"", "\"view-uuid\":\"me\"");
        assertRegistration(
                put("x/3.metadata.json", noUuid.getBytes(StandardCharsets.UTF_8)), 400, "Not a view uuid: me");
        String local = metadata.replace("\"location\":\"s3:", "\"location\":\"file:");
        assertRegistration(put("x/4.metadata.json", local.getBytes(StandardCharsets.UTF_8)), 400, "Invalid location");
        assertThat(names(VIEWS)).isEmpty();
        String zipped = put("x/00007-a.gz.metadata.json", zip(metadata));
        assertThat(done(room.post(SPACE + "/register-view", Samples.register("v", zipped)))
                        .path("metadata")
                        .toString())
                .isEqualTo(metadata);
        commit("v", setProperties("\"a\":\"1\""));
        assertThat(Room.json(room.get(VIEWS + "/v")).path("metadata-location").asText())
                .contains("/metadata/00008-");
    }

    @Test
    void whatTheLibraryCannotWriteIsServedAndNotChanged() {
        String metadata = created("v").path("metadata").toString();
        room.call("DELETE", VIEWS + "/v", "");
        String poem = metadata.replaceAll("\\{\"type\":\"sql\"[^}]*}", "{\"type\":\"poem\",\"text\":\"roses\"}");
        String location = put("x/00001-a.metadata.json", poem.getBytes(StandardCharsets.UTF_8));
        done(room.post(SPACE + "/register-view", Samples.register("v", location)));
        assertThat(Room.text(room.get(VIEWS + "/v"))).contains("roses");
        assertUnchanged(setProperties("\"a\":\"1\""), "Found unsupported view representations: [poem]");
        room.call("DELETE", VIEWS + "/v", "");
        String version = Samples.viewVersion(7, SPARK).replace("\"schema-id\":0", "\"schema-id\":9");
        String noSchema = metadata.replace("\"versions\":[", "\"versions\":[" + version + ",");
        location = put("x/00001-b.metadata.json", noSchema.getBytes(StandardCharsets.UTF_8));
        done(room.post(SPACE + "/register-view", Samples.register("v", location)));
        assertUnchanged(
                "{\"updates\":[{\"action\":\"set-current-view-version\",\"view-version-id\":7}]}",
                "Cannot find current schema with id 9");
    }

    private void assertUnchanged(String commit, String message) {
        room.buckets.drain();
        CatalogReply reply = room.post(VIEWS + "/v", commit);
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(400);
        assertThat(message(reply)).contains(message);
        assertThat(room.buckets.drain()).isEmpty();
    }

    private void assertRegistration(String location, int status, String message) {
        CatalogReply reply = room.post(SPACE + "/register-view", Samples.register("v", location));
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(status);
        assertThat(message(reply)).contains(message);
    }

    private String put(String key, byte[] bytes) {
        room.buckets
                .bucket("dev")
                .put(key, Content.of(bytes), PutOptions.IF_ABSENT)
                .orThrow();
        return "s3://dev/" + key;
    }

    private static byte[] zip(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:/tmp/x", "/tmp/x", "s3://UPPER/x", "s3://dev/_se/x", "s3://absent-bucket/x"})
    void aLocationThatIsNotOursIsRefused(String location) {
        CatalogReply reply =
                room.post(VIEWS, Samples.createView("v", "select 1", ",\"location\":\"" + location + "\""));
        assertRefused(reply, 400, "BadRequestException", "Invalid location");
        assertThat(names(VIEWS)).isEmpty();
    }

    @Test
    void aLocationAndAMetadataPathOfOursAreTaken() {
        room.buckets.create("other-bucket").orThrow();
        String more =
                ",\"location\":\"s3://other-bucket/a b/\",\"properties\":{\"write.metadata.path\":\"s3://dev/meta/\"}";
        JsonNode made = done(room.post(VIEWS, Samples.createView("v", "select 1", more)));
        assertThat(made.path("metadata").path("location").asText()).isEqualTo("s3://other-bucket/a b");
        assertThat(made.path("metadata-location").asText()).startsWith("s3://dev/meta/00000-");
    }

    @Test
    void foreignLocationsAreReplacedWhereTheKitAsksForThem() {
        Room lenient = room.restarted(CatalogOptions.dev("kit", Map.of()).replacingForeignLocations(true));
        CatalogReply made = lenient.post(VIEWS, Samples.createView("v", "select 1", ",\"location\":\"file:/tmp/x\""));
        assertThat(Room.json(made).path("metadata").path("location").asText()).startsWith("s3://dev/ns/v-");
        CatalogReply moved = lenient.post(
                VIEWS + "/v", "{\"updates\":[{\"action\":\"set-location\",\"location\":\"file:/tmp/y\"}]}");
        assertThat(moved.status()).isEqualTo(200);
    }

    @Test
    void theFilesOfAViewOutliveIt() {
        String location =
                created("v").path("metadata").path("location").asText().substring("s3://dev/".length());
        commit("v", Samples.replaceView(SPARK));
        room.call("DELETE", VIEWS + "/v", "");
        assertThat(filesOf(location)).hasSize(2);
    }
}
