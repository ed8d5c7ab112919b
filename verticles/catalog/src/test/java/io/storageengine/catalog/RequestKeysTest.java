package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.store.ListRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// Requests with an `Idempotency-Key`: done once, answered alike every time.
final class RequestKeysTest {
    private static final String BASE = "/catalogs/dev/v1";
    private static final String NS = BASE + "/namespaces/ns";
    private static final String TABLES = NS + "/tables";

    private final Room room = Room.dev();

    /// A request, as often as it is wanted.
    private record Request(String method, String path, String body) {
        CatalogReply send(Room room, int key) {
            return room.call(method, path, Map.of("idempotency-key", key(key)), body);
        }
    }

    private static String key(int number) {
        return String.format(Locale.ROOT, "017f22e2-79b0-7cc3-98c4-%012x", number);
    }

    private static Request post(String path, String body) {
        return new Request("POST", path, body);
    }

    private static Request delete(String path) {
        return new Request("DELETE", path, "");
    }

    private static Request rename(String from, String to) {
        String name = "{\"namespace\":[\"ns\"],\"name\":\"%\"}";
        return post(
                BASE + "/tables/rename",
                "{\"source\":" + name.replace("%", from) + ",\"destination\":" + name.replace("%", to) + "}");
    }

    private static void assertSame(CatalogReply again, CatalogReply first, Request request) {
        assertThat(again.status()).as("%s", request).isEqualTo(first.status());
        assertThat(Room.text(again)).as("%s", request).isEqualTo(Room.text(first));
        assertThat(again.headers()).as("%s", request).isEqualTo(first.headers());
    }

    @Test
    void whatIsDoneIsAnsweredAlikeAndDoneOnceAlsoByTheNextOwner() {
        List<Request> requests = new ArrayList<>(List.of(
                post(BASE + "/namespaces", "{\"namespace\":[\"ns\"],\"properties\":{\"a\":\"1\",\"b\":\"2\"}}"),
                post(NS + "/properties", "{\"removals\":[\"a\",\"z\"],\"updates\":{\"c\":\"3\"}}"),
                post(TABLES, Samples.createTable("t")),
                post(TABLES + "/t", Samples.append(1, null)),
                post(TABLES + "/t", "{\"updates\":[]}"),
                post(BASE + "/transactions/commit", Transactions.of(Transactions.setProperty("t", "k", "v"))),
                rename("t", "u"),
                delete(TABLES + "/u")));
        Room owner = room;
        List<CatalogReply> first = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            first.add(requests.get(i).send(owner, i));
            assertThat(first.get(i).status())
                    .as("%s %s", requests.get(i), Room.text(first.get(i)))
                    .isIn(200, 204);
            room.buckets.drain();
            assertSame(requests.get(i).send(owner, i), first.get(i), requests.get(i));
            assertThat(room.buckets.drain()).as("%s", requests.get(i)).isEmpty();
        }
        String location = Room.json(first.get(3)).path("metadata-location").asText();
        Request register = post(NS + "/register", "{\"name\":\"r\",\"metadata-location\":\"" + location + "\"}");
        for (Request more : List.of(register, delete(TABLES + "/r"), delete(NS))) {
            requests.add(more);
            first.add(more.send(owner, requests.size() - 1));
            assertThat(first.getLast().status())
                    .as("%s %s", more, Room.text(first.getLast()))
                    .isIn(200, 204);
        }
        for (Room next : List.of(owner, owner.restarted())) {
            for (int i = 0; i < requests.size(); i++) {
                assertSame(requests.get(i).send(next, i), first.get(i), requests.get(i));
            }
        }
        assertThat(room.get(NS).status()).as("nothing was done again").isEqualTo(404);
    }

    @Test
    void aRefusalIsAnsweredAgainWhenItsReasonIsGoneAndWritesNoMetadata() {
        room.post(BASE + "/namespaces", "{\"namespace\":[\"ns\"]}");
        room.post(TABLES, Samples.createTable("t"));
        List<Request> refused = List.of(
                post(BASE + "/namespaces", "{\"namespace\":[\"ns\"]}"),
                post(TABLES, Samples.createTable("t")),
                post(TABLES, "{"),
                post(TABLES + "/none", Samples.setProperty("k", "v")),
                post(
                        TABLES + "/t",
                        "{\"requirements\":[{\"type\":\"assert-ref-snapshot-id\",\"ref\":\"main\","
                                + "\"snapshot-id\":7}],\"updates\":[]}"),
                post(BASE + "/transactions/commit", Transactions.of(Transactions.setProperty("none", "k", "v"))),
                rename("none", "u"),
                delete(NS));
        room.buckets.drain();
        List<CatalogReply> first = new ArrayList<>();
        for (int i = 0; i < refused.size(); i++) {
            first.add(refused.get(i).send(room, i));
            assertThat(first.get(i).status()).as("%s", refused.get(i)).isIn(400, 404, 409);
            assertThat(room.buckets.drain())
                    .as("%s", refused.get(i))
                    .hasSize(1)
                    .allMatch(one -> one.startsWith("PUT dev/_se/catalog/log/"));
        }
        room.post(TABLES, Samples.createTable("none"));
        room.call("DELETE", TABLES + "/t", "");
        room.call("DELETE", TABLES + "/none", "");
        for (Room next : List.of(room, room.restarted())) {
            for (int i = 0; i < refused.size(); i++) {
                assertSame(refused.get(i).send(next, i), first.get(i), refused.get(i));
            }
        }
        assertThat(room.call("DELETE", NS, "").status()).isEqualTo(204);
    }

    @Test
    void aRefusalWithoutAKeyWritesNothing() {
        room.get(BASE + "/namespaces");
        room.buckets.drain();
        assertThat(room.call("DELETE", NS, "").status()).isEqualTo(404);
        assertThat(room.post(BASE + "/transactions/commit", Transactions.of(Transactions.setProperty("t", "k", "v")))
                        .status())
                .isEqualTo(404);
        assertThat(room.buckets.drain()).isEmpty();
    }

    @Test
    void aKeyIsForOneRequest() {
        Request first = post(BASE + "/namespaces", "{\"namespace\":[\"ns\"]}");
        assertThat(first.send(room, 1).status()).isEqualTo(200);
        for (Request other : List.of(
                post(BASE + "/namespaces", "{\"namespace\":[\"other\"]}"),
                post(BASE + "/namespaces?x=1", first.body()),
                delete(NS))) {
            CatalogReply reply = other.send(room, 1);
            assertThat(reply.status()).isEqualTo(422);
            assertThat(Room.text(reply))
                    .contains("UnprocessableEntityException")
                    .contains("new key");
        }
        assertThat(first.send(room, 1).status()).isEqualTo(200);
        for (String bad :
                List.of("", "x", "017f22e2-79b0-7cc3-98c4-00000000000", "017f22e2-79b0-7cc3-98c4-0000000000zz")) {
            CatalogReply reply = room.call("DELETE", NS, Map.of("idempotency-key", bad), "");
            assertThat(reply.status()).as(bad).isEqualTo(400);
        }
        assertThat(room.get(NS).status()).isEqualTo(200);
    }

    @Test
    void whatMayYetTurnOutOtherwiseIsTriedAnew() {
        room.clock.skipSleeps();
        Request request = post(BASE + "/namespaces", "{\"namespace\":[\"ns\"]}");
        room.buckets.fail((call, after) ->
                call.startsWith("PUT dev/_se/catalog/log/") ? new Failure(Failure.Kind.UNAVAILABLE, "gone") : null);
        assertThat(request.send(room, 1).status()).isEqualTo(429);
        room.buckets.fail((call, after) -> after && call.startsWith("PUT dev/_se/catalog/log/")
                ? new Failure(Failure.Kind.UNKNOWN, "lost")
                : null);
        assertThat(request.send(room, 1).status()).isIn(200, 500);
        room.buckets.heal();
        CatalogReply done = request.send(room, 1);
        assertThat(done.status()).isEqualTo(200);
        assertSame(request.send(room.restarted(), 1), done, request);
    }

    @Test
    void repeatsAtTheSameTimeGetOneAnswerFromAnyOwner() throws Exception {
        Room shared = Room.dev(options -> CatalogOptions.serve("node-1", Map.of()));
        Room other = shared.restarted(CatalogOptions.serve("node-2", Map.of()));
        shared.post(BASE + "/namespaces", "{\"namespace\":[\"ns\"]}");
        List<Request> requests = List.of(
                post(TABLES, Samples.createTable("t")),
                post(TABLES + "/t", Samples.setProperty("k", "v")),
                post(TABLES + "/t", Samples.append(1, null)),
                post(BASE + "/transactions/commit", Transactions.of(Transactions.append("t", 2, 1L, 2))));
        for (int i = 0; i < requests.size(); i++) {
            Request request = requests.get(i);
            int key = i;
            List<Callable<CatalogReply>> work = new ArrayList<>();
            for (int one = 0; one < 20; one++) {
                Room owner = one % 2 == 0 ? shared : other;
                work.add(() -> request.send(owner, key));
            }
            List<CatalogReply> replies = together(work);
            for (CatalogReply reply : replies) assertSame(reply, replies.getFirst(), request);
            assertThat(replies.getFirst().status()).isIn(200, 204);
        }
        assertThat(shared.buckets
                        .bucket("dev")
                        .list(ListRequest.of("ns/"))
                        .orThrow()
                        .objects())
                .as("one metadata file for each request")
                .hasSize(requests.size());
    }

    private static <T> List<T> together(List<Callable<T>> work) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<T> results = new ArrayList<>();
            for (Future<T> one : threads.invokeAll(work)) results.add(one.get());
            return results;
        }
    }

    @Test
    void keysAreInCheckpointsAndAreForgottenInTime() {
        Room often = Room.dev(options ->
                new CatalogOptions(true, "node-1", Map.of(), 64 << 20, 1 << 20, 3, 5_000, true, 5_000, false));
        Request request = post(BASE + "/namespaces", "{\"namespace\":[\"ns\"]}");
        CatalogReply first = request.send(often, 1);
        for (int i = 0; i < 10; i++) often.post(BASE + "/namespaces", "{\"namespace\":[\"n" + i + "\"]}");
        often.clock.forward(29 * 60_000);
        assertSame(request.send(often.restarted(), 1), first, request);
        often.clock.forward(17 * 60_000);
        assertThat(request.send(often.restarted(), 1).status()).as("tried anew").isEqualTo(409);
    }

    @Test
    void anAnswerWhoseMetadataFileWentIsThatOfTheTableNow() {
        room.post(BASE + "/namespaces", "{\"namespace\":[\"ns\"]}");
        Request create = post(
                TABLES,
                "{\"name\":\"t\",\"schema\":{\"type\":\"struct\",\"fields\":[]},\"properties\":{"
                        + "\"write.metadata.delete-after-commit.enabled\":\"true\","
                        + "\"write.metadata.previous-versions-max\":\"1\"}}");
        assertThat(create.send(room, 1).status()).isEqualTo(200);
        for (int i = 0; i < 4; i++) room.post(TABLES + "/t", Samples.setProperty("k", "v" + i));
        Room next = room.restarted();
        CatalogReply again = create.send(next, 1);
        assertThat(again.status()).as(Room.text(again)).isEqualTo(200);
        assertThat(Room.text(again)).contains("\"k\":\"v3\"");
    }
}
