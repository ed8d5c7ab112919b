package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Requests about views with an `Idempotency-Key`: done once, answered alike every time.
final class ViewKeysTest {
    private static final String BASE = "/catalogs/dev/v1";
    private static final String NS = BASE + "/namespaces/ns";
    private static final String VIEWS = NS + "/views";

    private final Room room = Room.dev(options -> CatalogOptions.serve("node-1", Map.of()));

    private record Request(String method, String path, String body) {
        CatalogReply send(Room room, int key) {
            String text = String.format(Locale.ROOT, "017f22e2-79b0-7cc3-98c4-%012x", key);
            return room.call(method, path, Map.of("idempotency-key", text), body);
        }
    }

    private static Request post(String path, String body) {
        return new Request("POST", path, body);
    }

    private static void assertSame(CatalogReply again, CatalogReply first, Request request) {
        assertThat(again.status()).as("%s", request).isEqualTo(first.status());
        assertThat(Room.text(again)).as("%s", request).isEqualTo(Room.text(first));
    }

    @BeforeEach
    void makeNamespace() {
        room.post(BASE + "/namespaces", "{\"namespace\":[\"ns\"]}");
    }

    private List<String> files() {
        return room.buckets.bucket("dev").list(ListRequest.of("ns/")).orThrow().objects().stream()
                .map(object -> object.key())
                .toList();
    }

    @Test
    void whatIsDoneIsAnsweredAlikeAndDoneOnceAlsoByTheNextOwner() {
        List<Request> requests = new ArrayList<>(List.of(
                post(VIEWS, Samples.createView("v", "select 1")),
                post(VIEWS + "/v", Samples.setProperty("k", "v")),
                post(VIEWS + "/v", Samples.replaceView(Samples.sqlFor("spark", "select 2"))),
                post(VIEWS + "/v", "{\"updates\":[]}"),
                post(BASE + "/views/rename", Samples.rename("v", "w")),
                new Request("DELETE", VIEWS + "/w", "")));
        List<CatalogReply> first = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            first.add(requests.get(i).send(room, i));
            assertThat(first.get(i).status())
                    .as("%s %s", requests.get(i), Room.text(first.get(i)))
                    .isIn(200, 204);
            room.buckets.drain();
            assertSame(requests.get(i).send(room, i), first.get(i), requests.get(i));
            assertThat(room.buckets.drain()).as("%s", requests.get(i)).isEmpty();
        }
        String location = Room.json(first.get(2)).path("metadata-location").asText();
        for (Request more : List.of(
                post(NS + "/register-view", Samples.register("r", location)),
                new Request("DELETE", VIEWS + "/r", ""))) {
            requests.add(more);
            first.add(more.send(room, requests.size() - 1));
            assertThat(first.getLast().status())
                    .as("%s %s", more, Room.text(first.getLast()))
                    .isIn(200, 204);
        }
        for (Room next : List.of(room, room.restarted())) {
            for (int i = 0; i < requests.size(); i++) {
                assertSame(requests.get(i).send(next, i), first.get(i), requests.get(i));
            }
        }
        assertThat(Room.json(room.get(VIEWS)).path("identifiers"))
                .as("nothing was done again")
                .isEmpty();
        assertThat(files()).hasSize(3);
    }

    @Test
    void aRefusalIsAnsweredAgainWhenItsReasonIsGoneAndWritesNoMetadata() {
        room.post(VIEWS, Samples.createView("v", "select 1"));
        List<Request> refused = List.of(
                post(VIEWS, Samples.createView("v", "select 1")),
                post(VIEWS, "{"),
                post(VIEWS + "/none", Samples.setProperty("k", "v")),
                post(
                        VIEWS + "/v",
                        "{\"requirements\":[{\"type\":\"assert-view-uuid\",\"uuid\":\"x\"}],\"updates\":[]}"),
                post(BASE + "/views/rename", Samples.rename("none", "u")),
                new Request("DELETE", VIEWS + "/none", ""));
        room.buckets.drain();
        List<CatalogReply> first = new ArrayList<>();
        for (int i = 0; i < refused.size(); i++) {
            first.add(refused.get(i).send(room, i));
            assertThat(first.get(i).status()).as("%s", refused.get(i)).isIn(400, 404, 409);
            assertThat(room.buckets.drain())
                    .as("%s", refused.get(i))
                    .filteredOn(one -> one.startsWith("PUT"))
                    .hasSize(1)
                    .allMatch(one -> one.startsWith("PUT dev/_se/catalog/log/"));
        }
        room.post(VIEWS, Samples.createView("none", "select 1"));
        room.call("DELETE", VIEWS + "/v", "");
        for (Room next : List.of(room, room.restarted())) {
            for (int i = 0; i < refused.size(); i++) {
                assertSame(refused.get(i).send(next, i), first.get(i), refused.get(i));
            }
        }
    }

    @Test
    void repeatsAtTheSameTimeGetOneAnswerFromAnyOwner() throws Exception {
        Room other = room.restarted(CatalogOptions.serve("node-2", Map.of()));
        List<Request> requests = List.of(
                post(VIEWS, Samples.createView("v", "select 1")),
                post(VIEWS + "/v", Samples.setProperty("k", "v")),
                post(VIEWS + "/v", Samples.replaceView(Samples.sqlFor("spark", "select 2"))));
        for (int i = 0; i < requests.size(); i++) {
            Request request = requests.get(i);
            int key = i;
            List<Callable<CatalogReply>> work = new ArrayList<>();
            for (int one = 0; one < 20; one++) {
                Room owner = one % 2 == 0 ? room : other;
                work.add(() -> request.send(owner, key));
            }
            List<CatalogReply> replies = together(work);
            for (CatalogReply reply : replies) assertSame(reply, replies.getFirst(), request);
            assertThat(replies.getFirst().status()).isEqualTo(200);
        }
        assertThat(files()).as("one metadata file for each request").hasSize(requests.size());
    }

    private static <T> List<T> together(List<Callable<T>> work) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<T> results = new ArrayList<>();
            for (Future<T> one : threads.invokeAll(work)) results.add(one.get());
            return results;
        }
    }

    @Test
    void anAnswerWhoseMetadataFileWentIsThatOfTheViewNow() {
        Request create = post(VIEWS, Samples.createView("v", "select 1"));
        assertThat(create.send(room, 1).status()).isEqualTo(200);
        String first = files().getFirst();
        room.post(VIEWS + "/v", Samples.setProperty("k", "v"));
        room.post(BASE + "/views/rename", Samples.rename("v", "w"));
        room.buckets.bucket("dev").delete(first).orThrow();
        CatalogReply again = create.send(room.restarted(), 1);
        assertThat(again.status()).as(Room.text(again)).isEqualTo(200);
        assertThat(Room.text(again)).contains("\"k\":\"v\"");
        room.call("DELETE", VIEWS + "/w", "");
        CatalogReply gone = create.send(room.restarted(), 1);
        assertThat(gone.status()).isEqualTo(404);
        assertThat(Room.text(gone)).contains("NoSuchViewException");
    }
}
