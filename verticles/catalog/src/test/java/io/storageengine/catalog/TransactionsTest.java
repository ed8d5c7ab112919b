package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.storageengine.core.Failure;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.store.ListRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Commits to several tables at once.
final class TransactionsTest {
    private static final String BASE = "/catalogs/dev/v1";
    private static final String TABLES = BASE + "/namespaces/ns/tables";
    private static final String COMMIT = BASE + "/transactions/commit";

    private static Room made(Room room) {
        room.post(BASE + "/namespaces", "{\"namespace\":[\"ns\"]}");
        for (String name : List.of("a", "b")) {
            assertThat(room.post(TABLES, Samples.createTable(name)).status()).isEqualTo(200);
        }
        room.buckets.drain();
        return room;
    }

    private static int metadataFiles(Room room) {
        return room.buckets
                .bucket("dev")
                .list(ListRequest.of("ns/"))
                .orThrow()
                .objects()
                .size();
    }

    private static JsonNode metadata(Room room, String table) {
        return Room.json(room.get(TABLES + "/" + table)).path("metadata");
    }

    @Test
    void allTablesMoveInOneEntry() {
        Room room = made(Room.dev());
        String both = Transactions.of(Transactions.setProperty("a", "k", "v"), Transactions.append("b", 7, null, 1));
        CatalogReply reply = room.post(COMMIT, both);
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(204);
        assertThat(reply.body().remaining()).isZero();
        List<String> requests = room.buckets.drain();
        assertThat(requests).hasSize(3);
        assertThat(requests.getLast()).startsWith("PUT dev/_se/catalog/log/");
        Room next = room.restarted();
        assertThat(metadata(next, "a").path("properties").path("k").asText()).isEqualTo("v");
        assertThat(metadata(next, "b").path("current-snapshot-id").asLong()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({
        "409,CommitFailedException,b,'{\"requirements\":[{\"type\":\"assert-ref-snapshot-id\",\"ref\":\"main\","
                + "\"snapshot-id\":9}],\"updates\":[]}'",
        "409,CommitFailedException,b,'{\"requirements\":[{\"type\":\"assert-create\"}],\"updates\":[]}'",
        "409,CommitFailedException,b,'{\"requirements\":[{\"type\":\"assert-table-uuid\","
                + "\"uuid\":\"00000000-0000-4000-8000-000000000000\"}],\"updates\":[]}'",
        "404,NoSuchTableException,none,'{\"updates\":[]}'",
        "400,BadRequestException,b,'{\"updates\":[{\"action\":\"do-magic\"}]}'",
        "400,BadRequestException,b,'{\"requirements\":[{\"type\":\"assert-magic\"}],\"updates\":[]}'",
        "400,BadRequestException,b,'{\"updates\":[{\"action\":\"set-current-schema\",\"schema-id\":9}]}'",
        "400,BadRequestException,a,'{\"updates\":[]}'"
    })
    void aRefusalOfOneRefusesAllAndWritesNothing(int status, String type, String table, String commit) {
        Room room = made(Room.dev());
        String both = Transactions.of(Transactions.setProperty("a", "k", "v"), Transactions.change(table, commit));
        CatalogReply reply = room.post(COMMIT, both);
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(status);
        assertThat(Room.json(reply).path("error").path("type").asText()).isEqualTo(type);
        assertThat(room.buckets.drain()).isEmpty();
        assertThat(metadata(room, "a").path("properties").has("k")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "{\"table-changes\":[]}", "{\"table-changes\":[{\"updates\":[]}]}", "[]"})
    void aBodyThatNamesNoTableIs400(String body) {
        assertThat(made(Room.dev()).post(COMMIT, body).status()).isEqualTo(400);
    }

    private static String staged(Room room, String name) {
        String created = Samples.createTable(name, 2, ",\"stage-create\":true");
        String uuid = Room.json(room.post(TABLES, created))
                .path("metadata")
                .path("table-uuid")
                .asText();
        return Transactions.change(
                name,
                "{\"requirements\":[{\"type\":\"assert-create\"}],\"updates\":["
                        + "{\"action\":\"assign-uuid\",\"uuid\":\"" + uuid + "\"},"
                        + "{\"action\":\"upgrade-format-version\",\"format-version\":2},"
                        + "{\"action\":\"add-schema\",\"schema\":{\"type\":\"struct\",\"fields\":["
                        + "{\"id\":1,\"name\":\"id\",\"required\":true,\"type\":\"long\"}]}},"
                        + "{\"action\":\"set-current-schema\",\"schema-id\":-1},"
                        + "{\"action\":\"add-spec\",\"spec\":{\"spec-id\":0,\"fields\":[]}},"
                        + "{\"action\":\"set-default-spec\",\"spec-id\":-1},"
                        + "{\"action\":\"add-sort-order\",\"sort-order\":{\"order-id\":0,\"fields\":[]}},"
                        + "{\"action\":\"set-default-sort-order\",\"sort-order-id\":-1}]}");
    }

    @Test
    void stagedTablesAreMadeInTheSameEntry() {
        Room room = made(Room.dev());
        String create = staged(room, "new");
        String together = Transactions.of(create, Transactions.setProperty("a", "k", "v"), staged(room, "second"));
        room.buckets.drain();
        CatalogReply reply = room.post(COMMIT, together);
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(204);
        assertThat(room.buckets.drain()).hasSize(4);
        assertThat(room.get(TABLES + "/new").status()).isEqualTo(200);
        assertThat(room.get(TABLES + "/second").status()).isEqualTo(200);
        CatalogReply again = room.post(COMMIT, together);
        assertThat(again.status()).isEqualTo(409);
        assertThat(Room.text(again)).contains("Requirement failed: table already exists");
        assertThat(room.buckets.drain()).isEmpty();
    }

    @Test
    void aTransactionThatChangesNothingHoldsAndWritesNothing() {
        Room room = made(Room.dev());
        String nothing = Transactions.of(
                Transactions.change("a", "{\"updates\":[]}"), Transactions.change("b", "{\"updates\":[]}"));
        assertThat(room.post(COMMIT, nothing).status()).isEqualTo(204);
        assertThat(room.buckets.drain()).isEmpty();
    }

    @Test
    void aMetadataFileThatCannotBeWrittenLeavesNoneOfTheOthers() {
        Room room = made(Room.dev());
        room.clock.skipSleeps();
        room.buckets.fail((request, after) ->
                !after && request.matches("PUT dev/ns/b-.*") ? new Failure(Failure.Kind.THROTTLED, "busy") : null);
        CatalogReply reply = room.post(
                COMMIT,
                Transactions.of(Transactions.setProperty("a", "k", "v"), Transactions.setProperty("b", "k", "v")));
        assertThat(reply.status()).isEqualTo(429);
        assertThat(metadataFiles(room)).isEqualTo(2);
    }

    @Test
    void anUnknownOutcomeIs500AndItsFilesStay() {
        Room room = made(Room.dev());
        room.clock.skipSleeps();
        room.buckets.fail((request, after) ->
                request.contains("_se/catalog/log/") ? new Failure(Failure.Kind.UNKNOWN, "lost") : null);
        CatalogReply reply = room.post(
                COMMIT,
                Transactions.of(Transactions.setProperty("a", "k", "v"), Transactions.setProperty("b", "k", "v")));
        assertThat(reply.status()).isEqualTo(500);
        assertThat(Room.text(reply)).contains("CommitStateUnknownException");
        assertThat(metadataFiles(room)).isEqualTo(4);
    }

    /// Two owners, transactions over both tables in either order, single commits between: all are done, both
    /// tables have each transaction or neither has.
    @Test
    void ownersThatRaceLoseNoTransactionAndHalveNone() throws Exception {
        Room one = made(Room.dev(options -> CatalogOptions.serve("node-1", Map.of())));
        Room two = one.restarted(CatalogOptions.serve("node-2", Map.of()));
        List<Callable<CatalogReply>> work = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            Room room = i % 2 == 0 ? one : two;
            String a = Transactions.setProperty("a", "k" + i, "v");
            String b = Transactions.setProperty("b", "k" + i, "v");
            String body = i % 3 == 0 ? Transactions.of(b, a) : Transactions.of(a, b);
            work.add(() -> room.post(COMMIT, body));
            String single = Samples.setProperty("s" + i, "v");
            work.add(() -> room.post(TABLES + "/a", single));
        }
        List<Integer> statuses;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Integer> seen = new ArrayList<>();
            for (Future<CatalogReply> reply : threads.invokeAll(work))
                seen.add(reply.get().status());
            statuses = seen;
        }
        assertThat(statuses).containsOnly(200, 204);
        Room next = one.restarted();
        JsonNode a = metadata(next, "a").path("properties");
        JsonNode b = metadata(next, "b").path("properties");
        for (int i = 0; i < 30; i++) {
            assertThat(a.has("k" + i)).isTrue();
            assertThat(b.has("k" + i)).isTrue();
            assertThat(a.has("s" + i)).isTrue();
        }
        assertThat(metadataFiles(one)).as("files of lost attempts are removed").isEqualTo(2 + 30 * 3);
    }
}
