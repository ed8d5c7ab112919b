package io.storageengine.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Outcome;
import io.storageengine.core.message.Answer;
import io.storageengine.core.message.BeginRows;
import io.storageengine.core.message.BegunRows;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.message.EndedRows;
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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The whole door, with tokens asked for.
@Timeout(120)
class AccessTest {
    private static final String ADMINISTRATORS = "the-administrators-own";
    private static final String NAMESPACES = "/catalogs/dev/v1/namespaces";
    private static final String TABLE = NAMESPACES + "/ns/tables/t";
    private static final String ROWS = TABLE + "/rows";
    private static final String LOADED = "{\"metadata-location\":\"s3://b/m.json\",\"metadata\":{\"format-version\":2},"
            + "\"config\":{\"s3.endpoint\":\"http://h\",\"s3.secret-access-key\":\"hidden\",\"s3.access-key-id\":\"hidden\"},"
            + "\"storage-credentials\":[{\"prefix\":\"s3://b\",\"config\":{\"k\":\"hidden\"}}]}";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Queue<Question<?>> asked = new ConcurrentLinkedQueue<>();
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(ADMINISTRATORS, Hidden.NOTHING, 1_000)
                .room(Question.Room.CATALOG, this::answer)
                .room(Question.Room.INGEST, this::answer);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        server.close();
    }

    private Outcome<? extends Answer> answer(Question<?> question) {
        asked.add(question);
        if (question instanceof BeginRows) return Outcome.ok(new BegunRows("s1"));
        if (!(question instanceof CallCatalog)) {
            return Outcome.ok(new EndedRows(true, "{\"accepted\":0,\"rejected-count\":0}", -1));
        }
        ByteBuffer body = ByteBuffer.wrap(LOADED.getBytes(StandardCharsets.UTF_8));
        Map<String, String> headers = Map.of("content-type", "application/json", "etag", "\"tag\"");
        return Outcome.ok(new CatalogReply(200, headers, body));
    }

    private TokenStore.Made made(long lifeMillis, String... rights) {
        List<Right> list =
                Stream.of(rights).map(text -> Right.parse(text).orElseThrow()).toList();
        return server.tokens()
                .create(new TokenStore.Wish("ann", list, lifeMillis))
                .orThrow();
    }

    private String token(String... rights) {
        return made(0, rights).text().text();
    }

    private HttpResponse<String> send(String authorization, String method, String target, String body)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.uri(target)))
                .header("content-type", target.endsWith("/rows") ? "application/x-ndjson" : "application/json")
                .header("accept-encoding", "gzip")
                .header("if-none-match", "\"tag\"")
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (!authorization.isEmpty()) request.header("authorization", authorization);
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private int status(String token, String method, String target) throws Exception {
        return send("Bearer " + token, method, target, "").statusCode();
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/catalogs/dev/v1/config,READ",
        "HEAD,/catalogs/dev/v1/namespaces/ns/tables/t,READ",
        "POST,/catalogs/dev/v1/namespaces/ns/tables/t/metrics,READ",
        "POST,/catalogs/dev/v1/namespaces/ns/tables/t/plan,READ",
        "GET,/catalogs/dev/v1/namespaces/ns/tables/t/credentials,WRITE",
        "POST,/catalogs/dev/v1/namespaces,WRITE",
        "DELETE,/catalogs/dev/v1/namespaces/ns,WRITE",
        "POST,/catalogs/dev/v1/namespaces/ns/tables/t,WRITE",
        "DELETE,/catalogs/dev/v1/namespaces/ns/tables/t,WRITE",
        "POST,/catalogs/dev/v1/transactions/commit,WRITE",
        "POST,/catalogs/dev/v1/namespaces/ns/tables/t/rows,WRITE",
        "GET,/catalogs/dev,ADMIN",
        "DELETE,/catalogs/dev,ADMIN"
    })
    void whoMayIsLetInAndNobodyElse(String method, String target, Level needed) throws Exception {
        for (Level level : Level.values()) {
            boolean enough = level.compareTo(needed) >= 0;
            String mine = token("dev:" + level.word());
            assertThat(status(mine, method, target)).as("%s", level).isEqualTo(enough ? 200 : 403);
        }
        assertThat(status(token("*:" + needed.word()), method, target)).isEqualTo(200);
        assertThat(status(token("other:read", "dev:" + needed.word()), method, target))
                .isEqualTo(200);
        assertThat(status(ADMINISTRATORS, method, target)).isEqualTo(200);
        asked.clear();
        for (String right : List.of("other:admin", "devx:admin", "de:admin")) {
            assertThat(status(token(right), method, target)).isEqualTo(403);
        }
        assertThat(send("", method, target, "").statusCode()).isEqualTo(401);
        assertThat(asked).as("nothing of a refused call comes inside").isEmpty();
    }

    @Test
    void oneMayNotTellWhetherAnotherTenantsCatalogIsThere() throws Exception {
        String token = token("mine:admin");
        String there = send("Bearer " + token, "GET", "/catalogs/dev/v1/namespaces", "")
                .body();
        String absent = send("Bearer " + token, "GET", "/catalogs/nope/v1/namespaces", "")
                .body();
        assertThat(there).isEqualTo(absent).doesNotContain("dev");
        JsonObject error = new JsonObject(there).getJsonObject("error");
        assertThat(error.getString("type")).isEqualTo("ForbiddenException");
        assertThat(error.getInteger("code")).isEqualTo(403);
    }

    @Test
    void aCatalogIsRegisteredByItsAdministratorAlone() throws Exception {
        String body = "{\"catalog_id\":\"dev\",\"config\":{\"type\":\"native\"}}";
        for (String right : List.of("dev:admin", "*:admin")) {
            assertThat(send("Bearer " + token(right), "POST", "/catalogs", body).statusCode())
                    .isEqualTo(200);
        }
        for (String right : List.of("dev:write", "*:write", "other:admin")) {
            assertThat(send("Bearer " + token(right), "POST", "/catalogs", body).statusCode())
                    .isEqualTo(403);
        }
        assertThat(asked).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Basic dXNlcjpwYXNz",
                "Bearer",
                "Bearer ",
                "Bearer garbage",
                "Bearer the-administrators-own-",
                "Bearer the-administrators-ow",
                "Bearer se_0123456789abcdef_0000000000000000000000000000000000000000000000000000000000000000",
                "Bearer se_../../catalogs/dev_"
            })
    void whatIsNoTokenIs401AndSaysHowToSendOne(String authorization) throws Exception {
        for (String target : List.of(NAMESPACES, ROWS, "/catalogs", "/cluster/tokens")) {
            HttpResponse<String> response = send(authorization, "POST", target, "{}");
            assertThat(response.statusCode()).isEqualTo(401);
            assertThat(response.headers().firstValue("www-authenticate").orElse(""))
                    .startsWith("Bearer");
            JsonObject error = new JsonObject(response.body()).getJsonObject("error");
            assertThat(error.getString("type")).isEqualTo("NotAuthorizedException");
            assertThat(error.getInteger("code")).isEqualTo(401);
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void theSchemeIsReadInAnyCaseAndHealthIsForEverybody() throws Exception {
        assertThat(send("bEARER  " + token("dev:read"), "GET", NAMESPACES, "").statusCode())
                .isEqualTo(200);
        for (String open : List.of("/health", "/metrics")) {
            assertThat(send("", "GET", open, "").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void anotherSecretOfAKnownTokenAnExpiredAndARevokedOneAreNothing() throws Exception {
        TokenStore.Made good = made(0, "dev:read");
        String other =
                "se_" + good.text().id() + "_" + made(0, "dev:read").text().secret();
        assertThat(status(other, "GET", NAMESPACES)).isEqualTo(401);
        HttpResponse<String> expired =
                send("Bearer " + made(1, "dev:read").text().text(), "GET", NAMESPACES, "");
        assertThat(expired.statusCode()).isEqualTo(401);
        assertThat(expired.body()).contains("expired at");
        assertThat(status(good.text().text(), "GET", NAMESPACES)).isEqualTo(200);
        String one = "/cluster/tokens/" + good.text().id();
        assertThat(status(ADMINISTRATORS, "DELETE", one)).isEqualTo(204);
        assertThat(status(good.text().text(), "GET", NAMESPACES))
                .as("the node that revokes does so at once")
                .isEqualTo(401);
        assertThat(status(ADMINISTRATORS, "DELETE", one)).isEqualTo(404);
    }

    @Test
    void tokensAreMadeAndListedOverHttpByWhoAdministersEverything() throws Exception {
        String wish = "{\"principal\":\"bob\",\"rights\":[{\"catalog\":\"dev\",\"level\":\"write\"}],"
                + "\"expires-in-seconds\":3600}";
        HttpResponse<String> made = send("Bearer " + ADMINISTRATORS, "POST", "/cluster/tokens", wish);
        assertThat(made.statusCode()).isEqualTo(201);
        String text = new JsonObject(made.body()).getString("token");
        assertThat(status(text, "POST", ROWS)).isEqualTo(200);
        HttpResponse<String> list = send("Bearer " + token("*:admin"), "GET", "/cluster/tokens", "");
        assertThat(list.body()).contains("bob", "expires").doesNotContain("sha256", text.substring(20));
        for (String weak : List.of("dev:admin", "*:write")) {
            assertThat(status(token(weak), "GET", "/cluster/tokens")).isEqualTo(403);
        }
        assertThat(status(ADMINISTRATORS, "DELETE", "/cluster/tokens")).isEqualTo(405);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"principal\":\"bob\"}",
                "{\"principal\":\"bob\",\"rights\":[]}",
                "{\"principal\":\"bob\",\"rights\":{}}",
                "{\"principal\":\"bob\",\"rights\":[1]}",
                "{\"principal\":\"bob\",\"rights\":[{\"catalog\":\"dev\",\"level\":\"own\"}]}",
                "{\"principal\":\"bob\",\"rights\":[{\"catalog\":\"DEV\",\"level\":\"read\"}]}",
                "{\"principal\":\"administrator\",\"rights\":[{\"catalog\":\"dev\",\"level\":\"read\"}]}",
                "{\"principal\":\"bob\",\"rights\":[{\"catalog\":\"dev\",\"level\":\"read\"}],\"expires\":1}",
                "{\"principal\":\"bob\",\"rights\":[{\"catalog\":\"dev\",\"level\":\"read\"}],\"expires-in-seconds\":-1}",
                "{\"principal\":\"bob\",\"rights\":[{\"catalog\":\"dev\",\"level\":\"read\"}],\"expires-in-seconds\":\"x\"}"
            })
    void aTokenThatCannotBeIsRefused(String wish) throws Exception {
        HttpResponse<String> refused = send("Bearer " + ADMINISTRATORS, "POST", "/cluster/tokens", wish);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("BadRequestException");
        assertThat(server.tokens().list().orThrow()).isEmpty();
    }

    @Test
    void thePrincipalReachesTheCatalogRoomAndTheTokenDoesNot() throws Exception {
        status(token("dev:read"), "GET", NAMESPACES);
        status(ADMINISTRATORS, "GET", NAMESPACES);
        assertThat(asked)
                .allSatisfy(question ->
                        assertThat(((CallCatalog) question).headers()).doesNotContainKey("authorization"));
        assertThat(asked.stream().map(question -> ((CallCatalog) question).principal()))
                .containsExactly("ann", "administrator");
    }

    @Test
    void whoMayOnlyReadGetsNoKeysOfTheStorage() throws Exception {
        for (String target : List.of(TABLE, NAMESPACES + "/ns/views/v", TABLE + "/plan/p1")) {
            HttpResponse<String> response = send("Bearer " + token("dev:read"), "GET", target, "");
            assertThat(response.headers().firstValue("etag")).isEmpty();
            String read = response.body();
            assertThat(read).doesNotContain("hidden").contains("\"format-version\":2", "s3://b/m.json");
            assertThat(new JsonObject(read).getJsonObject("config").getMap()).containsOnlyKeys("s3.endpoint");
        }
        CallCatalog call = (CallCatalog) asked.element();
        assertThat(call.headers()).doesNotContainKeys("accept-encoding", "if-none-match");
        assertThat(send("Bearer " + token("dev:write"), "GET", TABLE, "").body())
                .isEqualTo(LOADED);
    }

    @Test
    void noTokenIsEverLogged() throws Exception {
        Logged logged = new Logged();
        try {
            String good = token("dev:read");
            String revoked = token("dev:read");
            server.tokens().revoke(revoked.split("_", -1)[1]).orThrow();
            for (String text : List.of(good, revoked, good + "0", ADMINISTRATORS, ADMINISTRATORS + "x")) {
                status(text, "GET", NAMESPACES);
                status(text, "POST", ROWS);
                status(text, "GET", "/cluster/tokens");
            }
            send("Bearer " + ADMINISTRATORS, "POST", "/cluster/tokens", "{\"principal\":\"" + good + "\"");
            assertThat(logged.lines).anyMatch(line -> line.contains(NAMESPACES));
            for (String text : List.of(good, revoked, ADMINISTRATORS)) {
                String secret = text.substring(text.lastIndexOf('_') + 1);
                assertThat(logged.lines).noneMatch(line -> line.contains(secret));
            }
        } finally {
            logged.stop();
        }
    }

    /// Everything that is logged meanwhile.
    private static final class Logged extends AbstractAppender {
        private final Queue<String> lines = new ConcurrentLinkedQueue<>();

        Logged() {
            super("test", null, null, true, Property.EMPTY_ARRAY);
            start();
            ((Logger) LogManager.getRootLogger()).addAppender(this);
        }

        @Override
        public void append(LogEvent event) {
            lines.add(event.getMessage().getFormattedMessage() + event.getThrown());
        }

        @Override
        public void stop() {
            ((Logger) LogManager.getRootLogger()).removeAppender(this);
            super.stop();
        }
    }
}
