package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CatalogReply;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What happened in a catalog, and bringing back what was dropped.
class HistoryTest {
    private static final String BASE = "/catalogs/dev";
    private static final String SPACES = BASE + "/v1/namespaces";
    private static final String TABLES = SPACES + "/ns/tables";
    private final Room room = Room.dev();

    HistoryTest() {
        room.post(SPACES, "{\"namespace\":[\"ns\"]}");
    }

    private JsonNode history(String query) {
        CatalogReply reply = room.get(BASE + "/history" + query);
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(200);
        return Room.json(reply);
    }

    private static List<String> told(JsonNode history) {
        List<String> told = new ArrayList<>();
        for (JsonNode entry : history.path("entries"))
            for (JsonNode change : entry.path("changes"))
                told.add(entry.path("entry").asLong() + " "
                        + change.path("operation").asText() + " "
                        + change.path("identifier").path("name").asText());
        return told;
    }

    private CatalogReply restore(String name) {
        return room.post(BASE + "/restore", "{\"namespace\":[\"ns\"],\"name\":\"" + name + "\"}");
    }

    private void rename(String from, String to) {
        String body = "{\"source\":{\"namespace\":[\"ns\"],\"name\":\"" + from + "\"},"
                + "\"destination\":{\"namespace\":[\"ns\"],\"name\":\"" + to + "\"}}";
        assertThat(room.post(BASE + "/v1/tables/rename", body).status()).isEqualTo(204);
    }

    @Test
    void everyChangeIsToldNewestFirstOrFromAnEntryOn() {
        JsonNode table = Room.json(room.post(TABLES, Samples.createTable("t")));
        JsonNode committed = Room.json(room.post(TABLES + "/t", Samples.setProperty("k", "v")));
        rename("t", "u");
        room.post(SPACES + "/ns/views", Samples.createView("v", "SELECT 1"));
        room.call("DELETE", SPACES + "/ns/views/v", "");
        room.call("DELETE", TABLES + "/u", "");
        JsonNode all = history("?from=1");
        assertThat(told(all))
                .containsExactly(
                        "1 create-namespace ",
                        "2 create-table t",
                        "3 update-table u",
                        "4 rename-table u",
                        "5 create-view v",
                        "6 drop-view v",
                        "7 drop-table u");
        assertThat(told(history(""))).containsExactlyElementsOf(told(all).reversed());
        JsonNode change = all.path("entries").get(2).path("changes").get(0);
        assertThat(change.path("uuid").asText())
                .isEqualTo(table.path("metadata").path("table-uuid").asText());
        assertThat(change.path("metadata-location")).isEqualTo(committed.path("metadata-location"));
        assertThat(change.has("principal")).as("nobody was asked").isFalse();
        assertThat(all.path("first-entry").asLong()).isEqualTo(1);
        assertThat(all.path("last-entry").asLong()).isEqualTo(7);
    }

    @Test
    void whoDidItIsTold() {
        ByteBuffer body = ByteBuffer.wrap("{\"namespace\":[\"of ann\"]}".getBytes(StandardCharsets.UTF_8));
        Map<String, String> json = Map.of("content-type", "application/json");
        for (Map<String, String> headers :
                List.of(json, Map.of("idempotency-key", "01890a5d-ac96-774b-bcce-b302099a8057"))) {
            room.service.answer(new CallCatalog("POST", SPACES, "", headers, body.duplicate(), "ann"));
            room.service.answer(new CallCatalog("DELETE", SPACES + "/of%20ann", "", headers, body.duplicate(), "bob"));
        }
        List<String> who = new ArrayList<>();
        for (JsonNode entry : history("?from=2").path("entries"))
            who.add(entry.path("changes").path(0).path("principal").asText());
        assertThat(who).startsWith("ann", "bob", "ann");
        assertThat(Room.json(room.restarted().get(BASE + "/history?from=2"))).isEqualTo(history("?from=2"));
    }

    @Test
    void pagesMeetWithoutGapsInBothDirections() {
        for (int i = 0; i < 24; i++) room.post(SPACES, "{\"namespace\":[\"n" + i + "\"]}");
        for (String start : List.of("?pageSize=7", "?from=1&pageSize=7")) {
            List<Long> seen = new ArrayList<>();
            String token = "";
            do {
                JsonNode page = history(start + "&pageToken=" + token);
                page.path("entries")
                        .forEach(entry -> seen.add(entry.path("entry").asLong()));
                // What comes while somebody pages back is not seen twice.
                room.post(SPACES + "/ns/properties", "{\"updates\":{\"at\":\"" + seen.size() + "\"}}");
                token = page.path("next-page-token").asText();
            } while (!token.isEmpty() && seen.size() < 28);
            assertThat(seen).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(25);
            assertThat(Math.abs(seen.getLast() - seen.getFirst())).isEqualTo(seen.size() - 1);
        }
        String token = history("?pageSize=3").path("next-page-token").asText();
        assertThat(room.get(BASE + "/history?from=1&pageToken=" + token).status())
                .as("a token of another listing")
                .isEqualTo(400);
    }

    @Test
    void whatWasDroppedComesBackWithItsHistory() {
        room.post(TABLES, Samples.createTable("t"));
        JsonNode before = Room.json(room.post(TABLES + "/t", Samples.append(1, null)));
        room.call("DELETE", TABLES + "/t", "");
        assertThat(restore("t").status()).isEqualTo(204);
        assertThat(Room.json(room.get(TABLES + "/t"))).isEqualTo(before);
        assertThat(restore("t").status()).as("it is there").isEqualTo(404);
        room.call("DELETE", TABLES + "/t", "");
        room.post(TABLES, Samples.createTable("t"));
        assertThat(restore("t").status()).as("the name is taken").isEqualTo(409);
        rename("t", "other");
        assertThat(restore("t").status()).isEqualTo(204);
        assertThat(Room.json(room.get(TABLES + "/t"))).isEqualTo(before);
        room.post(SPACES + "/ns/views", Samples.createView("v", "SELECT 1"));
        JsonNode view = Room.json(room.get(SPACES + "/ns/views/v"));
        room.call("DELETE", SPACES + "/ns/views/v", "");
        assertThat(restore("v").status()).isEqualTo(204);
        assertThat(Room.json(room.get(SPACES + "/ns/views/v"))).isEqualTo(view);
    }

    @Test
    void whatIsPurgedOrHandedOverOrWithoutFilesDoesNotComeBack() {
        for (String way : List.of("purge", "unregister", "never", "lost")) {
            if (!way.equals("never")) room.post(TABLES, Samples.createTable(way));
            JsonNode table = Room.json(room.get(TABLES + "/" + way));
            switch (way) {
                case "purge" -> room.call("DELETE", TABLES + "/purge?purgeRequested=true", "");
                case "unregister" -> room.post(TABLES + "/unregister/unregister", "");
                case "lost" -> {
                    room.call("DELETE", TABLES + "/lost", "");
                    String location = table.path("metadata-location").asText();
                    room.buckets
                            .bucket("dev")
                            .delete(location.substring("s3://dev/".length()))
                            .orThrow();
                }
                default -> {}
            }
            CatalogReply refused = way.equals("lost")
                    ? room.restarted().post(BASE + "/restore", "{\"namespace\":[\"ns\"],\"name\":\"lost\"}")
                    : restore(way);
            assertThat(refused.status()).as(way + ": " + Room.text(refused)).isEqualTo(404);
        }
    }

    @Test
    void aDroppedNamespaceComesBackWithItsProperties() {
        String restore = "{\"namespace\":[\"of\",\"old\"]}";
        assertThat(room.post(BASE + "/restore", restore).status())
                .as("never there")
                .isEqualTo(404);
        room.post(SPACES, "{\"namespace\":[\"of\",\"old\"],\"properties\":{\"k\":\"first\"}}");
        assertThat(room.post(BASE + "/restore", restore).status())
                .as("never dropped")
                .isEqualTo(404);
        room.post(SPACES + "/of%1Fold/properties", "{\"updates\":{\"k\":\"last\"}}");
        room.call("DELETE", SPACES + "/of%1Fold", "");
        for (int i = 0; i < 40; i++) room.post(SPACES, "{\"namespace\":[\"n" + i + "\"]}");
        room.call("DELETE", SPACES + "/of", "");
        assertThat(room.post(BASE + "/restore", restore).status()).isEqualTo(204);
        assertThat(Room.json(room.get(SPACES + "/of%1Fold"))
                        .path("properties")
                        .path("k")
                        .asText())
                .isEqualTo("last");
        assertThat(room.post(BASE + "/restore", restore).status())
                .as("it is there")
                .isEqualTo(409);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "nonsense",
                "{\"namespace\":[],\"name\":\"t\"}",
                "{\"namespace\":[]}",
                "{\"namespace\":[\"a\",1]}",
                "{\"namespace\":\"ns\",\"name\":\"t\"}",
                "{\"namespace\":[1],\"name\":\"t\"}",
                "{\"namespace\":[\"ns\"],\"name\":1}",
                "{\"namespace\":[\"ns\"],\"name\":\"\"}",
                "{\"namespace\":[\"ns\"],\"name\":\"t\",\"x\":1}"
            })
    void whatNamesNothingIsRefused(String body) {
        assertThat(room.post(BASE + "/restore", body).status()).isEqualTo(400);
    }

    @Test
    void otherMethodsAndQueriesAreRefused() {
        assertThat(room.post(BASE + "/history", "").status()).isEqualTo(405);
        assertThat(room.get(BASE + "/restore").status()).isEqualTo(405);
        assertThat(room.get(BASE + "/history?from=x").status()).isEqualTo(400);
        assertThat(room.get(BASE + "/history?pageSize=0").status()).isEqualTo(400);
        assertThat(room.get(BASE + "/history?pageToken=x").status()).isEqualTo(400);
        assertThat(room.get(BASE + "/futures").status()).isEqualTo(404);
        assertThat(room.get("/catalogs/none/history").status()).isEqualTo(404);
        assertThat(history("?from=99").path("entries")).isEmpty();
    }
}
