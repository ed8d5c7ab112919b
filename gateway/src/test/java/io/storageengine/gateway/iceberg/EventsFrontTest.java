package io.storageengine.gateway.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Outcome;
import io.storageengine.core.message.Answer;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.message.Question;
import io.storageengine.gateway.TestServer;
import io.storageengine.gateway.auth.Right;
import io.storageengine.gateway.auth.TokenStore;
import io.storageengine.gateway.s3.Hidden;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A catalog's events, over a made-up log of which the entries from `first` to `last` are kept.
@Timeout(60)
class EventsFrontTest {
    private static final String EVENTS = "/catalogs/dev/events";
    private final AtomicLong first = new AtomicLong(1);
    private final AtomicLong last = new AtomicLong(120);
    private volatile int status = 200;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer().room(Question.Room.CATALOG, this::history);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Outcome<? extends Answer> history(Question<?> question) {
        CallCatalog call = (CallCatalog) question;
        assertThat(call.path()).isEqualTo("/catalogs/dev/history");
        Map<String, String> query = Map.of(
                "from", call.query().replaceAll("from=([0-9]+)&.*", "$1"),
                "size", call.query().replaceAll(".*pageSize=", ""));
        long from = Math.max(Long.parseLong(query.getOrDefault("from", "")), first.get());
        JsonArray entries = new JsonArray();
        for (long n = from; n <= last.get() && entries.size() < Long.parseLong(query.getOrDefault("size", "")); n++)
            entries.add(new JsonObject().put("entry", n));
        JsonObject body = new JsonObject()
                .put("first-entry", first.get())
                .put("last-entry", last.get())
                .put("entries", entries);
        byte[] bytes = (status == 200 ? body.encode() : "{\"error\":{}}").getBytes(StandardCharsets.UTF_8);
        return Outcome.ok(new CatalogReply(status, Map.of("content-type", "application/json"), ByteBuffer.wrap(bytes)));
    }

    private HttpResponse<InputStream> open(HttpClient client, String target, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.uri(target)));
        if (headers.length > 0) request.headers(headers);
        return client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    private static HttpClient client(HttpClient.Version version) {
        return HttpClient.newBuilder().version(version).build();
    }

    private static BufferedReader reader(HttpResponse<InputStream> response) {
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type")).contains("text/event-stream");
        return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    private static List<Long> ids(BufferedReader events, int count) throws IOException {
        List<Long> ids = new ArrayList<>();
        while (ids.size() < count) {
            String line = events.readLine();
            if (line == null) break;
            if (line.startsWith("id: ")) ids.add(Long.parseLong(line.substring(4)));
        }
        return ids;
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void allEntriesAreToldAndThenThoseThatCome(HttpClient.Version version) throws Exception {
        try (HttpClient client = client(version)) {
            BufferedReader events = reader(open(client, EVENTS + "?from=1"));
            List<Long> ids = ids(events, 120);
            assertThat(ids).hasSize(120).isSorted().startsWith(1L).endsWith(120L);
            last.addAndGet(3);
            assertThat(ids(events, 3)).containsExactly(121L, 122L, 123L);
            events.close();
            client.shutdownNow();
        }
    }

    @Test
    void aStreamGoesOnAfterTheLastEventOrWithWhatComesNext() throws Exception {
        try (HttpClient client = client(HttpClient.Version.HTTP_1_1)) {
            assertThat(ids(reader(open(client, EVENTS, "Last-Event-ID", "117")), 3))
                    .containsExactly(118L, 119L, 120L);
            BufferedReader next = reader(open(client, EVENTS));
            last.incrementAndGet();
            assertThat(ids(next, 1)).containsExactly(121L);
            client.shutdownNow();
        }
    }

    @Test
    void whatIsNotKeptAnyMoreIsSaidAndNotSkipped() throws Exception {
        first.set(50);
        try (HttpClient client = client(HttpClient.Version.HTTP_1_1)) {
            HttpResponse<InputStream> response = open(client, EVENTS + "?from=10");
            assertThat(response.statusCode()).isEqualTo(404);
            assertThat(new String(response.body().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("Entries before 50 are not kept any more");
            BufferedReader events = reader(open(client, EVENTS + "?from=120"));
            assertThat(ids(events, 1)).containsExactly(120L);
            first.set(130);
            last.set(140);
            assertThat(ids(events, 1)).as("the stream ends before the gap").isEmpty();
        }
    }

    @Test
    void aCatalogThatIsNotThereAndNonsenseAreRefused() throws Exception {
        try (HttpClient client = client(HttpClient.Version.HTTP_1_1)) {
            assertThat(open(client, EVENTS + "?from=x").statusCode()).isEqualTo(400);
            assertThat(open(client, EVENTS, "Last-Event-ID", "-1").statusCode()).isEqualTo(400);
            HttpRequest post = HttpRequest.newBuilder(URI.create(server.uri(EVENTS)))
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            assertThat(client.send(post, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(405);
            status = 404;
            assertThat(open(client, EVENTS).statusCode()).isEqualTo(404);
        }
    }

    @Test
    void streamsEndWhenTheNodeStopsOrTheCatalogGoes() throws Exception {
        try (HttpClient client = client(HttpClient.Version.HTTP_1_1)) {
            BufferedReader gone = reader(open(client, EVENTS));
            status = 404;
            assertThat(ids(gone, 1)).isEmpty();
            status = 200;
            BufferedReader stopping = reader(open(client, EVENTS));
            server.admission().close();
            assertThat(ids(stopping, 1)).isEmpty();
            while (server.admission().inside() > 0) TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Test
    void whoGoesAwayLeavesNothingOpen() throws Exception {
        for (HttpClient.Version version : HttpClient.Version.values()) {
            try (HttpClient client = client(version)) {
                for (int i = 0; i < 3; i++)
                    assertThat(ids(reader(open(client, EVENTS + "?from=1")), 1)).hasSize(1);
                assertThat(server.admission().inside()).isEqualTo(3);
                client.shutdownNow();
            }
            while (server.admission().inside() > 0) TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Test
    void aTokenThatIsRevokedFollowsNothingAlsoWhileThereIsNews() throws Exception {
        try (TestServer asking = new TestServer("root", Hidden.NOTHING, 100);
                HttpClient client = client(HttpClient.Version.HTTP_1_1)) {
            asking.room(Question.Room.CATALOG, question -> {
                last.incrementAndGet();
                return history(question);
            });
            var rights = List.of(Right.parse("dev:read").orElseThrow());
            var made = asking.tokens()
                    .create(new TokenStore.Wish("ann", rights, 0))
                    .orThrow();
            HttpRequest request = HttpRequest.newBuilder(URI.create(asking.uri(EVENTS)))
                    .header("authorization", "Bearer " + made.told().getString("token"))
                    .build();
            BufferedReader events = reader(client.send(request, HttpResponse.BodyHandlers.ofInputStream()));
            assertThat(ids(events, 2)).hasSize(2);
            asking.tokens().revoke(made.told().getString("id")).orThrow();
            assertThat(ids(events, Integer.MAX_VALUE)).as("the stream ends").hasSizeLessThan(60);
        }
    }

    @Test
    void thereAreOnlySoManyStreams() throws Exception {
        try (HttpClient client = client(HttpClient.Version.HTTP_1_1)) {
            List<BufferedReader> open = new ArrayList<>();
            for (int i = 0; i < 100; i++) open.add(reader(open(client, EVENTS)));
            assertThat(open(client, EVENTS).statusCode()).isEqualTo(429);
            assertThat(open).hasSize(100);
            client.shutdownNow();
        }
    }
}
