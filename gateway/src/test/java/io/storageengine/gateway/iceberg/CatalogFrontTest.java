package io.storageengine.gateway.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.Answer;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.message.Question;
import io.storageengine.gateway.TestServer;
import io.storageengine.gateway.s3.Hidden;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class CatalogFrontTest {
    private static final String COMMIT = "/catalogs/dev/v1/namespaces/ns/tables/t";
    private static final String NAMESPACES = "/catalogs/dev/v1/namespaces";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<CallCatalog> calls = new CopyOnWriteArrayList<>();
    private volatile Outcome<CatalogReply> reply = reply(200, "{}");
    private TestServer server;

    private static Outcome<CatalogReply> reply(int status, String body) {
        return Outcome.ok(new CatalogReply(
                status,
                Map.of("content-type", "application/json"),
                ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8))));
    }

    private Outcome<? extends Answer> answer(Question<?> question) {
        calls.add((CallCatalog) question);
        return reply;
    }

    @BeforeEach
    void start() throws Exception {
        server = new TestServer().room(Question.Room.CATALOG, this::answer);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        server.close();
    }

    private HttpResponse<String> send(HttpClient with, String method, String target, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.uri(target)))
                .header("content-type", "application/json")
                .header("authorization", "Bearer of-another")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        return with.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aCallReachesTheRoomAsItCame() throws Exception {
        HttpResponse<String> response = send(client, "POST", "/catalogs/dev/v1/namespaces/a%1Fb/tables?x=%20y", "{}");
        assertThat(response.statusCode()).isEqualTo(200);
        CallCatalog call = calls.getFirst();
        assertThat(call.method()).isEqualTo("POST");
        assertThat(call.path()).isEqualTo("/catalogs/dev/v1/namespaces/a%1Fb/tables");
        assertThat(call.query()).isEqualTo("x=%20y");
        assertThat(call.headers())
                .containsEntry("content-type", "application/json")
                .doesNotContainKey("authorization");
        assertThat(StandardCharsets.UTF_8.decode(call.body()).toString()).isEqualTo("{}");
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void bothVersionsOfHttpAreSpoken(HttpClient.Version version) throws Exception {
        try (HttpClient other = HttpClient.newBuilder().version(version).build()) {
            HttpResponse<String> first = send(other, "POST", NAMESPACES, "{\"a\":\"" + "x".repeat(300_000) + "\"}");
            HttpResponse<String> second = send(other, "GET", NAMESPACES, "");
            assertThat(first.statusCode()).isEqualTo(200);
            assertThat(second.version()).isEqualTo(version);
            assertThat(calls.getFirst().body().remaining()).isEqualTo(300_008);
        }
    }

    @Test
    void headIsAnsweredWithoutABody() throws Exception {
        reply = reply(204, "");
        assertThat(send(client, "HEAD", COMMIT, "").statusCode()).isEqualTo(204);
        reply = reply(404, "{\"error\":{}}");
        HttpResponse<String> absent = send(client, "HEAD", COMMIT, "");
        assertThat(absent.statusCode()).isEqualTo(404);
        assertThat(absent.body()).isEmpty();
        assertThat(send(client, "HEAD", COMMIT, "").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID,400,400,BadRequestException",
        "UNAUTHENTICATED,401,401,NotAuthorizedException",
        "FORBIDDEN,403,403,ForbiddenException",
        "NOT_FOUND,404,404,NotFoundException",
        "EXISTS,409,409,AlreadyExistsException",
        "CONFLICT,409,409,CommitFailedException",
        "THROTTLED,429,429,SlowDownException",
        "UNAVAILABLE,503,429,SlowDownException",
        "UNKNOWN,500,500,CommitStateUnknownException",
        "CORRUPT,500,500,InternalServerError",
        "BUG,500,500,InternalServerError"
    })
    void failuresHaveIcebergsForm(Failure.Kind kind, int elsewhere, int onCommit, String typeOnCommit)
            throws Exception {
        reply = Outcome.failed(kind, "secret-backend says no");
        assertThat(send(client, "POST", NAMESPACES, "{}").statusCode()).isEqualTo(elsewhere);
        HttpResponse<String> commit = send(client, "POST", COMMIT, "{}");
        assertThat(commit.statusCode()).isEqualTo(onCommit);
        JsonObject error = new JsonObject(commit.body()).getJsonObject("error");
        assertThat(error.getString("type")).isEqualTo(typeOnCommit);
        assertThat(error.getInteger("code")).isEqualTo(onCommit);
        if (onCommit >= 500) assertThat(error.getString("message")).doesNotContain("secret-backend");
        assertThat(commit.headers().firstValue("retry-after").isPresent()).isEqualTo(onCommit == 429);
    }

    @Test
    void aRoomThatIsNotThereIsBusyForACommitAndUnavailableElsewhere() throws Exception {
        try (TestServer empty = new TestServer()) {
            HttpRequest commit = HttpRequest.newBuilder(URI.create(empty.uri(COMMIT)))
                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                    .build();
            assertThat(client.send(commit, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(429);
            HttpRequest get =
                    HttpRequest.newBuilder(URI.create(empty.uri(COMMIT))).build();
            assertThat(client.send(get, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(503);
        }
    }

    @Test
    void aBodyOverTheLimitIs413() throws Exception {
        String most = " ".repeat(TestServer.BODY_BYTES_MAX);
        assertThat(send(client, "POST", NAMESPACES, most).statusCode()).isEqualTo(200);
        assertThat(send(client, "POST", NAMESPACES, most + " ").statusCode()).isEqualTo(413);
    }

    @Test
    void reservedPathsWithNothingThereAre404InIcebergsForm() throws Exception {
        HttpResponse<String> response = send(client, "GET", "/iceberg/v1/config", "");
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(new JsonObject(response.body()).getJsonObject("error").getInteger("code"))
                .isEqualTo(404);
    }

    @Test
    void aFullOrStoppingNodeLetsNobodyIn() throws Exception {
        try (TestServer full = new TestServer("", Hidden.NOTHING, 0).room(Question.Room.CATALOG, this::answer)) {
            HttpRequest get =
                    HttpRequest.newBuilder(URI.create(full.uri(NAMESPACES))).build();
            assertThat(client.send(get, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(429);
            full.admission().close();
            HttpResponse<String> stopping = client.send(get, HttpResponse.BodyHandlers.ofString());
            assertThat(stopping.statusCode()).isEqualTo(503);
            HttpRequest health =
                    HttpRequest.newBuilder(URI.create(full.uri("/health"))).build();
            HttpResponse<String> alive = client.send(health, HttpResponse.BodyHandlers.ofString());
            assertThat(alive.statusCode()).isEqualTo(200);
            assertThat(alive.body()).isEmpty();
        }
        assertThat(calls).isEmpty();
    }

    @Test
    void theRequestIdIsInTheAnswerAndNobodyStaysInside() throws Exception {
        HttpResponse<String> response = send(client, "GET", NAMESPACES, "");
        assertThat(response.headers().firstValue("x-request-id").orElse("")).hasSize(16);
        while (server.admission().inside() > 0) Thread.onSpinWait();
        assertThat(server.admission().inside()).isZero();
    }
}
