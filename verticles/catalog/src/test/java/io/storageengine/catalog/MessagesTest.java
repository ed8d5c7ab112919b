package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.PutOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What clients are told is about their request, and not about the Java that reads it.
final class MessagesTest {
    private static final String BASE = "/catalogs/dev/v1";
    private static final Pattern INTERNALS = Pattern.compile(
            "\\b[a-z]\\w*\\.[a-z]\\w*\\.[A-Za-z]|reference chain|REDACTED"
                    + "|\\bjava\\b|For input string|Exception|cannot be cast|because \"|\\(class |`[A-Z]|Cannot invoke|\\[B@|[A-Z]\\w+\\$[A-Z]");
    private static final List<String> WRONG =
            List.of("7", "-1.5", "\"x\"", "true", "null", "[]", "[7]", "{}", "{\"a\":{}}");

    private final Room room = Room.dev();

    @BeforeEach
    void makeTable() {
        room.post(BASE + "/namespaces", "{\"namespace\":[\"ns\"]}");
        assertThat(room.post(BASE + "/namespaces/ns/tables", Samples.createTable("t"))
                        .status())
                .isEqualTo(200);
    }

    private Map<String, String> viewRequests() {
        CatalogReply made = room.post(BASE + "/namespaces/ns/views", Samples.createView("v", "select 1"));
        String uuid = Room.json(made).path("metadata").path("view-uuid").asText();
        return Map.of(
                "/namespaces/ns/views",
                Samples.createView("w", "select 1", ",\"location\":\"s3://dev/w\",\"properties\":{\"k\":\"v\"}"),
                "/namespaces/ns/register-view",
                Samples.register("r", Room.json(made).path("metadata-location").asText()),
                "/views/rename",
                Samples.rename("none", "y"),
                "/namespaces/ns/views/v",
                "{\"identifier\":{\"namespace\":[\"ns\"],\"name\":\"v\"},\"requirements\":[{\"type\":\"assert-view-uuid\","
                        + "\"uuid\":\"" + uuid + "\"}],\"updates\":[{\"action\":\"assign-uuid\",\"uuid\":\"" + uuid
                        + "\"},"
                        + "{\"action\":\"upgrade-format-version\",\"format-version\":1},{\"action\":\"add-schema\",\"schema\":"
                        + "{\"type\":\"struct\",\"schema-id\":1,\"fields\":[{\"id\":1,\"name\":\"a\",\"required\":false,"
                        + "\"type\":\"long\"}]}},{\"action\":\"set-location\",\"location\":\"s3://dev/x\"},"
                        + "{\"action\":\"set-properties\",\"updates\":{\"k\":\"v\"}},"
                        + "{\"action\":\"remove-properties\",\"removals\":[\"x\"]},{\"action\":\"add-view-version\","
                        + "\"view-version\":" + Samples.viewVersion(2, Samples.sqlFor("spark", "select 2")) + "},"
                        + "{\"action\":\"set-current-view-version\",\"view-version-id\":-1}]}");
    }

    private Map<String, String> requests() {
        String metadata = Room.json(room.get(BASE + "/namespaces/ns/tables/t"))
                .path("metadata-location")
                .asText();
        return Map.of(
                "/namespaces",
                "{\"namespace\":[\"a\",\"b\"],\"properties\":{\"k\":\"v\"}}",
                "/namespaces/ns/properties",
                "{\"removals\":[\"x\"],\"updates\":{\"k\":\"v\"}}",
                "/namespaces/ns/tables",
                "{\"name\":\"n\",\"location\":\"s3://dev/n\",\"schema\":{\"type\":\"struct\",\"schema-id\":0,\"fields\":[{\"id\":1,"
                        + "\"name\":\"a\",\"required\":false,\"type\":\"long\"},{\"id\":2,\"name\":\"l\",\"required\":false,"
                        + "\"type\":{\"type\":\"list\",\"element-id\":3,\"element\":\"string\",\"element-required\":false}}]},"
                        + "\"partition-spec\":{\"spec-id\":0,\"fields\":[{\"source-id\":1,\"field-id\":1000,\"name\":\"p\","
                        + "\"transform\":\"bucket[4]\"}]},\"write-order\":{\"order-id\":1,\"fields\":[{\"source-id\":1,"
                        + "\"transform\":\"identity\",\"direction\":\"asc\",\"null-order\":\"nulls-first\"}]},"
                        + "\"stage-create\":true,\"properties\":{\"k\":\"v\"}}",
                "/namespaces/ns/register",
                "{\"name\":\"r\",\"metadata-location\":\"" + metadata + "\",\"overwrite\":false}",
                "/tables/rename",
                "{\"source\":{\"namespace\":[\"ns\"],\"name\":\"none\"},\"destination\":{\"namespace\":[\"ns\"],\"name\":\"y\"}}",
                "/namespaces/ns/tables/t",
                "{\"identifier\":{\"namespace\":[\"ns\"],\"name\":\"t\"},\"requirements\":[{\"type\":\"assert-ref-snapshot-id\","
                        + "\"ref\":\"main\",\"snapshot-id\":1}],\"updates\":[{\"action\":\"add-schema\",\"schema\":{\"type\":"
                        + "\"struct\",\"fields\":[{\"id\":1,\"name\":\"a\",\"required\":false,\"type\":\"long\"}]},"
                        + "\"last-column-id\":1},{\"action\":\"set-current-schema\",\"schema-id\":-1},{\"action\":\"add-snapshot\","
                        + "\"snapshot\":{\"snapshot-id\":5,\"timestamp-ms\":1,\"sequence-number\":1,\"manifest-list\":\"s3://dev/m\","
                        + "\"summary\":{\"operation\":\"append\"},\"schema-id\":0}},{\"action\":\"set-snapshot-ref\",\"ref-name\":"
                        + "\"main\",\"type\":\"branch\",\"snapshot-id\":5},{\"action\":\"set-properties\",\"updates\":{\"a\":\"b\"}},"
                        + "{\"action\":\"remove-properties\",\"removals\":[\"x\"]},{\"action\":\"set-location\",\"location\":\"s3://dev/x\"},"
                        + "{\"action\":\"upgrade-format-version\",\"format-version\":2},{\"action\":\"add-spec\",\"spec\":{\"fields\":[]}},"
                        + "{\"action\":\"add-sort-order\",\"sort-order\":{\"order-id\":0,\"fields\":[]}}]}");
    }

    @Test
    void aWrongValueAnywhereIsAnsweredInWordsOfTheProtocol() throws IOException {
        assertClean(requests(), 300);
    }

    @Test
    void aWrongValueAboutAViewIsAnsweredInWordsOfTheProtocol() throws IOException {
        assertClean(viewRequests(), 200);
    }

    private void assertClean(Map<String, String> requests, int refusedAtLeast) throws IOException {
        List<String> leaks = new ArrayList<>();
        int refused = 0;
        for (Map.Entry<String, String> request : requests.entrySet()) {
            JsonNode whole = Room.JSON.readTree(request.getValue());
            for (String body : broken(whole, request.getValue())) {
                CatalogReply reply = room.post(BASE + request.getKey(), body);
                if (reply.status() < 300) continue;
                refused++;
                String message = Room.json(reply).path("error").path("message").asText();
                if (reply.status() >= 500
                        || message.isBlank()
                        || INTERNALS.matcher(message).find())
                    leaks.add(request.getKey() + " " + body + "\n  -> " + reply.status() + " " + message);
            }
        }
        assertThat(String.join("\n", leaks)).isEmpty();
        assertThat(refused).isGreaterThan(refusedAtLeast);
    }

    /// The request with each of its values replaced by others, and with each of its fields left out.
    private static List<String> broken(JsonNode whole, String text) throws IOException {
        List<String> bodies =
                new ArrayList<>(List.of("", "{", "nul", "[]", "7", "\"x\"", "null", text + "x", "\u0000"));
        replace(whole, whole, bodies);
        return bodies;
    }

    private static void replace(JsonNode whole, JsonNode at, List<String> bodies) throws IOException {
        if (at instanceof ObjectNode object) {
            for (String name : new ArrayList<>(
                    object.properties().stream().map(Map.Entry::getKey).toList())) {
                JsonNode value = object.get(name);
                for (String wrong : WRONG) {
                    object.set(name, Room.JSON.readTree(wrong));
                    bodies.add(whole.toString());
                }
                object.remove(name);
                bodies.add(whole.toString());
                object.set(name, value);
                replace(whole, value, bodies);
            }
        }
        if (at instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                JsonNode value = array.get(i);
                for (String wrong : WRONG) {
                    array.set(i, Room.JSON.readTree(wrong));
                    bodies.add(whole.toString());
                }
                array.set(i, value);
                replace(whole, value, bodies);
            }
        }
    }

    @Test
    void whatIsRegisteredAndIsNoMetadataIsNotEchoed() {
        for (String content :
                List.of("confidential", "{\"confidential\":1}", "{\"format-version\":\"confidential\"}")) {
            for (String name : List.of("secret.metadata.json", "secret.gz.metadata.json")) {
                room.buckets
                        .bucket("dev")
                        .put("x/" + name, Content.of(content.getBytes(StandardCharsets.UTF_8)), PutOptions.PLAIN)
                        .orThrow();
                CatalogReply reply = room.post(
                        BASE + "/namespaces/ns/register",
                        "{\"name\":\"r\",\"metadata-location\":\"s3://dev/x/" + name + "\"}");
                assertThat(reply.status()).isEqualTo(400);
                assertThat(Room.text(reply))
                        .contains("Not an Iceberg metadata file")
                        .doesNotContain("confidential");
            }
        }
    }
}
