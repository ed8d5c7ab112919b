package io.storageengine.gateway.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.AbortRows;
import io.storageengine.core.message.AbortedRows;
import io.storageengine.core.message.Answer;
import io.storageengine.core.message.BeginRows;
import io.storageengine.core.message.BegunRows;
import io.storageengine.core.message.EndRows;
import io.storageengine.core.message.EndedRows;
import io.storageengine.core.message.Question;
import io.storageengine.core.message.RowOptions;
import io.storageengine.core.message.SendRows;
import io.storageengine.core.message.TableRef;
import io.storageengine.core.message.TakenRows;
import io.storageengine.gateway.TestServer;
import io.storageengine.gateway.s3.Hidden;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RowsFrontTest {
    private static final String ROWS = "/catalogs/dev/v1/namespaces/a%1Fb/tables/t/rows";
    private static final String ANSWER = "{\"accepted\":2,\"rejected-count\":0,\"rejected\":[],\"token\":\"log.1\"}";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final FakeIngest ingest = new FakeIngest();
    private TestServer server;

    /// An ingest room that keeps what it gets.
    private static final class FakeIngest implements Function<Question<?>, Outcome<? extends Answer>> {
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private final AtomicInteger under = new AtomicInteger();
        private volatile CompletableFuture<BeginRows> begun = new CompletableFuture<>();
        private final CompletableFuture<AbortRows> aborted = new CompletableFuture<>();
        private volatile Outcome<BegunRows> begin = Outcome.ok(new BegunRows("s1"));
        private volatile Outcome<TakenRows> send = Outcome.ok(new TakenRows());
        private volatile Outcome<EndedRows> end = Outcome.ok(new EndedRows(true, ANSWER, -1));

        @Override
        public Outcome<? extends Answer> apply(Question<?> question) {
            if (question instanceof BeginRows begin) {
                begun.complete(begin);
                return this.begin;
            }
            if (question instanceof SendRows sent) return sent(sent);
            if (question instanceof EndRows) return end;
            if (question instanceof AbortRows abort) {
                aborted.complete(abort);
                return Outcome.ok(new AbortedRows());
            }
            throw new IllegalStateException("not for this room");
        }

        private Outcome<TakenRows> sent(SendRows sent) {
            if (under.incrementAndGet() > 1) throw new IllegalStateException("two chunks at once");
            byte[] bytes = new byte[sent.bytes().remaining()];
            sent.bytes().duplicate().get(bytes);
            body.writeBytes(bytes);
            under.decrementAndGet();
            return send;
        }
    }

    @BeforeEach
    void start() throws Exception {
        server = new TestServer().room(Question.Room.INGEST, ingest);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        server.close();
    }

    private HttpResponse<String> post(String target, Map<String, String> headers, byte[] body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.uri(target)))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        headers.forEach(request::header);
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> postRows(String query) throws Exception {
        return post(
                ROWS + query,
                Map.of("content-type", "application/x-ndjson"),
                "{\"a\":1}\n".getBytes(StandardCharsets.UTF_8));
    }

    private static JsonObject error(HttpResponse<String> response) {
        return new JsonObject(response.body()).getJsonObject("error");
    }

    @Test
    void rowsReachTheRoomWithWhatTheHeadAsksFor() throws Exception {
        HttpResponse<String> response = post(
                ROWS + "?create=true&ack=committed&on-error=skip",
                Map.of(
                        "content-type", "application/x-ndjson; charset=utf-8",
                        "content-encoding", "gzip",
                        "idempotency-key", "k-1"),
                new byte[] {1, 2, 3});
        assertThat(response.statusCode()).isEqualTo(200);
        BeginRows begun = ingest.begun.get(5, TimeUnit.SECONDS);
        assertThat(begun.table()).isEqualTo(new TableRef("dev", List.of("a", "b"), "t"));
        assertThat(begun.options())
                .isEqualTo(new RowOptions(
                        RowOptions.Format.NDJSON,
                        RowOptions.Encoding.GZIP,
                        true,
                        RowOptions.Ack.COMMITTED,
                        RowOptions.OnError.SKIP,
                        "k-1",
                        3));
        assertThat(ingest.body.toByteArray()).containsExactly(1, 2, 3);
    }

    @Test
    void theAnswerHasASnapshotIdOrNull() throws Exception {
        assertThat(postRows("").body()).contains("\"token\":\"log.1\"").contains("\"snapshot-id\":null");
        ingest.end = Outcome.ok(new EndedRows(true, ANSWER, 8_000_000_000_000_000_001L));
        assertThat(postRows("?ack=committed").body()).contains("\"snapshot-id\":8000000000000000001");
    }

    @Test
    void aLongBodyArrivesWholeAndInOrder() throws Exception {
        byte[] body = new byte[20_000_000];
        for (int i = 0; i < body.length; i++) body[i] = (byte) ((i * 31) >> 7);
        HttpResponse<String> response = post(ROWS, Map.of("content-type", "application/json"), body);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(ingest.body.toByteArray()).isEqualTo(body);
    }

    @Test
    void anEmptyKeyIsRefused() throws Exception {
        HttpResponse<String> response =
                post(ROWS, Map.of("content-type", "application/json", "idempotency-key", ""), new byte[] {'{', '}'});
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(error(response).getString("message")).contains("Idempotency-Key");
    }

    @Test
    void otherMethodsAreToldWhichOneIsPossible() throws Exception {
        for (String method : List.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH")) {
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(URI.create(server.uri(ROWS)))
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).as(method).isEqualTo(405);
            assertThat(response.headers().firstValue("allow")).hasValue("POST");
            if (!method.equals("HEAD"))
                assertThat(error(response).getString("type")).isEqualTo("MethodNotAllowedException");
        }
    }

    @Test
    void anEmptyBodyIsARequestToo() throws Exception {
        assertThat(post(ROWS, Map.of("content-type", "application/json"), new byte[0])
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void badRowsAreAnsweredInIcebergsFormWithThem() throws Exception {
        ingest.end = Outcome.ok(new EndedRows(
                false,
                "{\"rejected-count\":1,\"rejected\":[{\"row\":0,\"field\":\"a\",\"code\":\"c\",\"reason\":\"r\"}]}",
                -1));
        HttpResponse<String> response = postRows("");
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(error(response).getString("type")).isEqualTo("BadRequestException");
        JsonObject body = new JsonObject(response.body());
        assertThat(body.getInteger("rejected-count")).isEqualTo(1);
        assertThat(body.getJsonArray("rejected").getJsonObject(0).getString("field"))
                .isEqualTo("a");
    }

    @Test
    void whatTheHeadSaysWrongIsRefusedByName() throws Exception {
        assertThat(error(postRows("?creat=true")).getString("message")).contains("'creat'");
        assertThat(error(postRows("?create=yes")).getString("message")).contains("true or false");
        assertThat(error(postRows("?ack=now")).getString("message")).contains("durable or committed");
        assertThat(error(postRows("?on-error=fail")).getString("message")).contains("refuse or skip");
        assertThat(error(postRows("?ack=durable&ack=durable")).getString("message"))
                .contains("twice");
    }

    @Test
    void eachFormatIsKnownByItsContentType() throws Exception {
        Map<String, RowOptions.Format> formats = Map.of(
                "application/json", RowOptions.Format.JSON,
                "application/x-ndjson", RowOptions.Format.NDJSON,
                "Text/CSV; header=present; charset=\"UTF-8\"", RowOptions.Format.CSV,
                "application/vnd.apache.arrow.stream", RowOptions.Format.ARROW);
        for (Map.Entry<String, RowOptions.Format> format : formats.entrySet()) {
            ingest.begun = new CompletableFuture<>();
            post(ROWS, Map.of("content-type", format.getKey()), new byte[1]);
            assertThat(ingest.begun.get(5, TimeUnit.SECONDS).options().format()).isEqualTo(format.getValue());
        }
        for (String other : List.of("text/csv; header=absent", "text/csv; charset=iso-8859-1")) {
            assertThat(post(ROWS, Map.of("content-type", other), new byte[1]).statusCode())
                    .as(other)
                    .isEqualTo(415);
        }
    }

    @Test
    void otherContentTypesAndEncodingsAre415() throws Exception {
        HttpResponse<String> avro = post(ROWS, Map.of("content-type", "avro/binary"), new byte[1]);
        assertThat(avro.statusCode()).isEqualTo(415);
        assertThat(error(avro).getString("message"))
                .contains(
                        "application/json", "application/x-ndjson", "text/csv", "application/vnd.apache.arrow.stream");
        HttpResponse<String> brotli =
                post(ROWS, Map.of("content-type", "application/json", "content-encoding", "br"), new byte[1]);
        assertThat(brotli.statusCode()).isEqualTo(415);
        assertThat(error(brotli).getString("message")).contains("gzip, zstd or identity");
    }

    @Test
    void failuresOfTheRoomHaveTheirStatus() throws Exception {
        Map<Failure, Integer> statuses = Map.of(
                new Failure(Failure.Kind.NOT_FOUND, "NoSuchTableException", "Table does not exist: a.t"), 404,
                new Failure(Failure.Kind.THROTTLED, "memory is full"), 429,
                new Failure(Failure.Kind.UNAVAILABLE, "store"), 503,
                new Failure(Failure.Kind.UNKNOWN, "store"), 500,
                new Failure(Failure.Kind.INVALID, "RequestTooLarge", "use on-error=skip"), 413,
                new Failure(Failure.Kind.INVALID, "IdempotencyKeyReused", "another body"), 422);
        for (Map.Entry<Failure, Integer> one : statuses.entrySet()) {
            ingest.begin = Outcome.failed(one.getKey());
            HttpResponse<String> response = postRows("");
            assertThat(response.statusCode()).as("%s", one.getKey()).isEqualTo(one.getValue());
            assertThat(error(response).getInteger("code")).isEqualTo(one.getValue());
            boolean later = one.getValue() == 429 || one.getValue() == 503;
            assertThat(response.headers().firstValue("retry-after").isPresent()).isEqualTo(later);
        }
    }

    @Test
    void aFailureInTheMiddleIsSeenByAClientThatSendsAllFirst() throws Exception {
        ingest.send = Outcome.failed(Failure.Kind.INVALID, "RequestTooLarge", "use on-error=skip");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            byte[] part = new byte[1 << 20];
            OutputStream out = socket.getOutputStream();
            String head = "POST " + ROWS + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                    + 30L * part.length + "\r\n\r\n";
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < 30; i++) out.write(part);
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 413").contains("on-error=skip");
        }
    }

    @Test
    void aClientThatGoesAwayAbortsItsRequest() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            String head = "POST " + ROWS
                    + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n[";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            ingest.begun.get(5, TimeUnit.SECONDS);
        }
        assertThat(ingest.aborted.get(5, TimeUnit.SECONDS).session()).isEqualTo("s1");
    }

    @Test
    void aSlowRoomPausesTheClient() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger received = new AtomicInteger();
        try (TestServer slow = new TestServer()) {
            slow.room(Question.Room.INGEST, question -> {
                if (!(question instanceof SendRows sent)) return ingest.apply(question);
                received.addAndGet(sent.bytes().remaining());
                first.countDown();
                await(release);
                return Outcome.ok(new TakenRows());
            });
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), slow.port())) {
                int total = 64 << 20;
                Thread sender = Thread.ofVirtual().start(() -> send(socket, total));
                assertThat(first.await(10, TimeUnit.SECONDS)).isTrue();
                sender.join(1_000);
                assertThat(sender.isAlive()).as("the client is held back").isTrue();
                release.countDown();
                sender.join();
                byte[] answer = new byte[12];
                assertThat(socket.getInputStream().readNBytes(answer, 0, 12)).isEqualTo(12);
                assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
                assertThat(received.get()).isEqualTo(total);
            }
        }
    }

    private static void send(Socket socket, int total) {
        try {
            OutputStream out = socket.getOutputStream();
            out.write(("POST " + ROWS + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                            + total + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            byte[] part = new byte[1 << 20];
            for (int sent = 0; sent < total; sent += part.length) out.write(part);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aTokenIsAskedForWhenOneIsSet() throws Exception {
        try (TestServer guarded = new TestServer("t0ken", Hidden.NOTHING, 10).room(Question.Room.INGEST, ingest)) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(guarded.uri(ROWS)))
                    .header("content-type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("[]"));
            HttpResponse<String> without = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(without.statusCode()).isEqualTo(401);
            assertThat(error(without).getString("type")).isEqualTo("NotAuthorizedException");
            request.header("authorization", "Bearer t0ken");
            assertThat(client.send(request.build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        }
    }
}
