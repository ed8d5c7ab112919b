package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.Answer;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.message.Claim;
import io.storageengine.core.message.CommitTable;
import io.storageengine.core.message.CommittedTable;
import io.storageengine.core.message.FindClaim;
import io.storageengine.core.message.FoundClaim;
import io.storageengine.core.message.LoadTable;
import io.storageengine.core.message.LoadedTable;
import io.storageengine.core.message.TableRef;
import io.storageengine.core.message.Watermark;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.rest.RESTCatalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A `rest` catalog against an upstream over HTTP.
final class UpstreamTest {
    private static final TableRef TABLE = new TableRef("up", List.of("a b", "c"), "t/1");
    private static final String TABLE_PATH = "/catalogs/up/v1/namespaces/a%20b%1Fc/tables/t%2F1";

    private final FakeUpstream upstream = new FakeUpstream();
    private final Room room = Room.dev();

    @BeforeEach
    void register() {
        register("up", upstream.uri(), FakeUpstream.CREDENTIAL);
        room.post("/catalogs/up/v1/namespaces", "{\"namespace\":[\"a b\",\"c\"]}");
        CatalogReply made = room.post("/catalogs/up/v1/namespaces/a%20b%1Fc/tables", Samples.createTable("t/1"));
        assertThat(made.status()).as(Room.text(made)).isEqualTo(200);
        upstream.requests.clear();
    }

    private void register(String id, String uri, String credential) {
        String body = "{\"catalog_id\":\"" + id + "\",\"config\":{\"type\":\"rest\",\"uri\":\"" + uri
                + "\",\"warehouse\":\"w h\",\"properties\":{\"credential\":\"" + credential
                + "\",\"s3.region\":\"eu\"}}}";
        assertThat(room.post("/catalogs", body).status()).isEqualTo(201);
    }

    @AfterEach
    void stop() {
        upstream.close();
    }

    private LoadedTable load() {
        return (LoadedTable) room.service.answer(new LoadTable(TABLE)).orThrow();
    }

    private String uuid() {
        return Samples.uuid(load().metadata());
    }

    private Outcome<? extends Answer> commit(String request, List<Watermark> marks, List<Claim> claims) {
        ByteBuffer json = ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8));
        return room.service.answer(new CommitTable(TABLE, uuid(), json, marks, claims));
    }

    @Test
    void anAnswerThatIsPackedUnaskedIsReadHere() {
        String plain = Room.text(room.get(TABLE_PATH));
        upstream.coding = "gzip";
        CatalogReply reply = room.get(TABLE_PATH);
        assertThat(reply.headers()).doesNotContainKey("content-encoding");
        assertThat(Room.text(reply)).isEqualTo(plain).doesNotContain("for-the-upstream");
        upstream.coding = "br";
        assertThat(room.get(TABLE_PATH).status()).isEqualTo(503);
    }

    @Test
    void whatIsNoAnswerOfACatalogIsNotPassedOn() {
        for (String odd : List.of("hello", "[1]", "[".repeat(100_000), "{\"a\":1", "{} {}", "<html></html>")) {
            upstream.bodyInstead = odd;
            assertThat(room.get(TABLE_PATH).status())
                    .as(odd.substring(0, Math.min(9, odd.length())))
                    .isEqualTo(503);
            CatalogReply commit = room.post(TABLE_PATH, Samples.setProperty("k", "v"));
            assertThat(commit.status()).as("nobody knows whether it is done").isEqualTo(500);
            assertThat(Room.json(commit).path("error").path("type").asText()).isEqualTo("CommitStateUnknownException");
        }
    }

    @Test
    void anUpstreamThatLeadsBackHereIsFoundOut() throws Exception {
        HttpServer here = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        here.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        AtomicInteger calls = new AtomicInteger();
        here.createContext("/", exchange -> {
            calls.incrementAndGet();
            Map<String, String> headers = new HashMap<>();
            exchange.getRequestHeaders()
                    .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
            CatalogReply reply = room.call(
                    exchange.getRequestMethod(), exchange.getRequestURI().getRawPath(), headers, "");
            byte[] body = Room.text(reply).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(reply.status(), body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        here.start();
        try {
            String uri = "http://127.0.0.1:" + here.getAddress().getPort() + "/catalogs/";
            registerPlain("self", uri + "self");
            registerPlain("ping", uri + "pong");
            registerPlain("pong", uri + "ping");
            for (String path : List.of("self/v1/config", "self/v1/namespaces", "ping/v1/namespaces/a/tables/t")) {
                CatalogReply reply = room.get("/catalogs/" + path);
                assertThat(reply.status()).as(Room.text(reply)).isEqualTo(508);
                assertThat(Room.json(reply).path("error").path("type").asText()).isEqualTo("UpstreamLoopException");
                assertThat(Room.text(reply))
                        .contains("leads back to this server")
                        .doesNotContain("127.0.0.1");
            }
            assertThat(room.post("/catalogs/ping/v1/namespaces", "{\"namespace\":[\"x\"]}")
                            .status())
                    .isEqualTo(508);
            assertThat(room.service
                            .answer(new LoadTable(new TableRef("ping", List.of("a"), "t")))
                            .isOk())
                    .isFalse();
            assertThat(calls.get()).isLessThanOrEqualTo(5 * 4);
        } finally {
            here.stop(0);
        }
    }

    private void registerPlain(String id, String uri) {
        String body = "{\"catalog_id\":\"" + id + "\",\"config\":{\"type\":\"rest\",\"uri\":\"" + uri + "\"}}";
        assertThat(room.post("/catalogs", body).status()).isEqualTo(201);
    }

    @Test
    void anUpstreamThatIsDownIsNotTheStorage() {
        registerPlain("down", "http://127.0.0.1:1/secret-path");
        for (CatalogReply reply : List.of(
                room.get("/catalogs/down/v1/config"),
                room.get("/catalogs/down/v1/namespaces"),
                room.post("/catalogs/down/v1/namespaces", "{\"namespace\":[\"x\"]}"))) {
            assertThat(reply.status()).isIn(429, 503);
            assertThat(Room.text(reply))
                    .contains("The upstream catalog cannot be reached")
                    .doesNotContain("storage", "127.0.0.1", "secret-path");
        }
    }

    @Test
    void callsArePassedOnUnderTheUpstreamsPrefix() {
        assertThat(room.call("HEAD", TABLE_PATH, "").status()).isEqualTo(204);
        assertThat(upstream.requests).containsExactly("HEAD namespaces/a%20b%1Fc/tables/t%2F1");
        CatalogReply list = room.get("/catalogs/up/v1/namespaces?parent=a%20b&pageSize=5&pageToken=");
        assertThat(Room.json(list).path("namespaces").toString()).isEqualTo("[[\"a b\",\"c\"]]");
        CatalogReply missing = room.get(TABLE_PATH + "x");
        assertThat(missing.status()).isEqualTo(404);
        assertThat(Room.json(missing).path("error").path("type").asText()).isEqualTo("NoSuchTableException");
        CatalogReply loaded = room.get(TABLE_PATH);
        assertThat(Room.text(loaded)).contains("vended").doesNotContain("for-the-upstream");
    }

    @Test
    void viewsArePassedOn() {
        String views = "/catalogs/up/v1/namespaces/a%20b%1Fc/views";
        CatalogReply made = room.post(views, Samples.createView("v/1", "select 1"));
        assertThat(made.status()).as(Room.text(made)).isEqualTo(200);
        String location = Room.json(made).path("metadata-location").asText();
        assertThat(Room.json(room.get(views + "/v%2F1"))).isEqualTo(Room.json(made));
        assertThat(room.call("HEAD", views + "/v%2F1", "").status()).isEqualTo(204);
        assertThat(room.post(views + "/v%2F1", Samples.setProperty("k", "v")).status())
                .isEqualTo(200);
        assertThat(Room.text(room.get(views + "?pageSize=1&pageToken="))).contains("v/1");
        String rename = Samples.rename("v/1", "w").replace("[\"ns\"]", "[\"a b\",\"c\"]");
        assertThat(room.post("/catalogs/up/v1/views/rename", rename).status()).isEqualTo(204);
        assertThat(room.call("DELETE", views + "/w", "").status()).isEqualTo(204);
        CatalogReply back =
                room.post("/catalogs/up/v1/namespaces/a%20b%1Fc/register-view", Samples.register("w", location));
        assertThat(back.status()).as(Room.text(back)).isEqualTo(200);
        assertThat(upstream.requests)
                .containsExactly(
                        "POST namespaces/a%20b%1Fc/views",
                        "GET namespaces/a%20b%1Fc/views/v%2F1",
                        "HEAD namespaces/a%20b%1Fc/views/v%2F1",
                        "POST namespaces/a%20b%1Fc/views/v%2F1",
                        "GET namespaces/a%20b%1Fc/views",
                        "POST views/rename",
                        "DELETE namespaces/a%20b%1Fc/views/w",
                        "POST namespaces/a%20b%1Fc/register-view");
    }

    @Test
    void theConfigurationLeadsNobodyPastThisServer() {
        JsonNode config = Room.json(room.get("/catalogs/up/v1/config?warehouse=ignored"));
        assertThat(config.path("defaults").toString()).isEqualTo("{\"clients\":\"4\"}");
        assertThat(config.path("overrides").toString()).isEqualTo("{}");
        assertThat(config.path("endpoints").toString()).isEqualTo(FakeUpstream.ENDPOINTS);
        assertThat(upstream.requests).containsExactly("CONFIG warehouse=w+h");
        assertThat(room.post("/catalogs/up/v1/oauth/tokens", "").status()).isEqualTo(404);
        assertThat(room.get("/catalogs/up/v1/../admin").status()).isEqualTo(400);
        assertThat(room.get("/catalogs/up/v1/namespaces/%2e%2e/tables").status())
                .isEqualTo(400);
    }

    @Test
    void anExpiredTokenIsRenewedOnce() {
        upstream.token = "tok-2";
        assertThat(room.get(TABLE_PATH).status()).isEqualTo(200);
        assertThat(upstream.requests.stream().filter("TOKEN"::equals)).hasSize(1);
    }

    @Test
    void wrongCredentialsAreOursNotTheClients() {
        register("wrong", upstream.uri(), "cl13nt:nope1234");
        CatalogReply reply = room.get("/catalogs/wrong/v1/namespaces");
        assertThat(reply.status()).isEqualTo(403);
        assertThat(Room.text(reply)).contains("refuses the credentials").doesNotContain("nope1234");
    }

    @Test
    void anUnreachableUpstreamIs503AndOnACommit429() {
        upstream.close();
        CatalogReply read = room.get(TABLE_PATH);
        assertThat(read.status()).isEqualTo(503);
        assertThat(read.headers()).containsKey("retry-after");
        CatalogReply write = room.post(TABLE_PATH, "{\"requirements\":[],\"updates\":[]}");
        assertThat(write.status()).isEqualTo(429);
        assertThat(room.service.answer(new LoadTable(TABLE)).failedWith(Failure.Kind.UNAVAILABLE))
                .isTrue();
    }

    @Test
    void anAnswerLostAfterACommitIsUnknownToTheClient() {
        upstream.fault = (request, done) -> request.startsWith("POST");
        CatalogReply reply = room.post(TABLE_PATH, Samples.setProperty("k", "v"));
        assertThat(reply.status()).isEqualTo(500);
        assertThat(Room.json(reply).path("error").path("type").asText()).isEqualTo("CommitStateUnknownException");
        RESTCatalog client =
                new RESTCatalog(Room.anybody(), properties -> new DirectClient(room.service, "/catalogs/up"));
        client.initialize("it", Map.of("uri", "http://none.invalid/", "io-impl", MemoryIo.class.getName()));
        var table = client.loadTable(TableIdentifier.of(Namespace.of("a b", "c"), "t/1"));
        assertThatThrownBy(() -> table.updateProperties().set("x", "y").commit())
                .isInstanceOf(CommitStateUnknownException.class);
    }

    @Test
    void theUpstreamsFailuresAreCleaned() {
        for (int status : List.of(500, 502, 503, 504)) {
            upstream.answerInstead = status;
            assertThat(room.get(TABLE_PATH).status()).isEqualTo(503);
            assertThat(room.post(TABLE_PATH, "{}").status()).isEqualTo(500);
        }
        for (int status : List.of(400, 404, 418, 301, 429)) {
            upstream.answerInstead = status;
            CatalogReply reply = room.get(TABLE_PATH);
            assertThat(reply.status()).isEqualTo(status == 301 ? 502 : status);
            assertThat(Room.text(reply)).doesNotContain("10.0.0.7").doesNotContain("tok-1");
            assertThat(Room.json(reply).path("error").path("code").asInt()).isEqualTo(reply.status());
        }
    }

    @Test
    void aLoadCarriesMarksAndVendedProperties() {
        room.post(TABLE_PATH, Samples.setProperty("se.watermark.log-1", "17"));
        LoadedTable loaded = load();
        assertThat(loaded.watermarks()).isEqualTo(Map.of("log-1", 17L));
        assertThat(loaded.ioProperties()).containsEntry("s3.access-key-id", "vended");
        assertThat(loaded.metadataLocation()).startsWith("s3://dev/");
        var unknown = room.service.answer(new LoadTable(new TableRef("up", List.of("no"), "t")));
        assertThat(unknown.failedWith(Failure.Kind.NOT_FOUND)).isTrue();
    }

    @Test
    void aCommitMovesMarksAndClaimsOnceInOneLoadAndOnePost() {
        Claim claim = new Claim("key-1", "h", "log-1", 5, "{}", room.clock.wallMillis()).in(101);
        String uuid = uuid();
        upstream.requests.clear();
        ByteBuffer json = ByteBuffer.wrap(Samples.append(101, null).getBytes(StandardCharsets.UTF_8));
        CommitTable question =
                new CommitTable(TABLE, uuid, json, List.of(new Watermark("log-1", 0, 5)), List.of(claim));
        CommittedTable done = (CommittedTable) room.service.answer(question).orThrow();
        assertThat(StandardCharsets.UTF_8.decode(done.metadata()).toString()).contains("\"se.watermark.log-1\":\"5\"");
        assertThat(upstream.requests).hasSize(2);

        assertThat(((Outcome.Failed<?>) room.service.answer(question)).failure().code())
                .isEqualTo("WatermarkMismatch");
        CommitTable again = new CommitTable(TABLE, uuid, json, List.of(new Watermark("log-1", 5, 6)), List.of(claim));
        assertThat(((Outcome.Failed<?>) room.service.answer(again)).failure().code())
                .isEqualTo("ClaimExists");
        Room other = room.restarted();
        FoundClaim found = (FoundClaim)
                other.service.answer(new FindClaim(TABLE, uuid, "key-1")).orThrow();
        assertThat(found.claim()).contains(claim);
        assertThat(found.snapshotId()).isEqualTo(101);
        assertThat(((FoundClaim) other.service
                                .answer(new FindClaim(TABLE, uuid, "key-2"))
                                .orThrow())
                        .claim())
                .isEmpty();
        var gone = room.service.answer(
                new CommitTable(TABLE, "00000000-0000-4000-8000-000000000000", json, List.of(), List.of()));
        assertThat(gone.failedWith(Failure.Kind.NOT_FOUND)).isTrue();
    }

    @Test
    void aCommitWhoseAnswerWasLostIsFoundToBeIn() {
        upstream.fault = (request, done) -> done && request.startsWith("POST");
        var done = commit(Samples.append(102, null), List.of(new Watermark("log-1", 0, 3)), List.of());
        assertThat(done.isOk()).as("%s", done).isTrue();
    }

    @Test
    void aCommitWhoseRequestWasLostStaysUnknownAndItsClaimDoesNotCount() {
        upstream.fault = (request, done) -> !done && request.startsWith("POST");
        Claim claim = new Claim("key-1", "h", "log-1", 3, "{}", room.clock.wallMillis());
        var lost = commit(Samples.append(103, null), List.of(new Watermark("log-1", 0, 3)), List.of(claim));
        assertThat(lost.failedWith(Failure.Kind.UNKNOWN)).as("%s", lost).isTrue();
        FoundClaim found = (FoundClaim)
                room.service.answer(new FindClaim(TABLE, uuid(), "key-1")).orThrow();
        assertThat(found.claim()).isEmpty();
        upstream.fault = (request, done) -> false;
        assertThat(commit(Samples.append(103, null), List.of(new Watermark("log-1", 0, 3)), List.of(claim))
                        .isOk())
                .isTrue();
    }

    @Test
    void aCommitThatLostToAnotherIsAConflict() {
        assertThat(commit(Samples.append(104, null), List.of(), List.of()).isOk())
                .isTrue();
        String stale =
                "{\"requirements\":[{\"type\":\"assert-ref-snapshot-id\",\"ref\":\"main\",\"snapshot-id\":null}],"
                        + Samples.append(105, null).substring(1);
        var lost = commit(stale, List.of(), List.of());
        assertThat(lost.failedWith(Failure.Kind.CONFLICT)).as("%s", lost).isTrue();
    }

    @Test
    void marksAloneMoveWithoutASnapshot() {
        assertThat(commit("{\"updates\":[]}", List.of(new Watermark("log-1", 0, 3)), List.of())
                        .isOk())
                .isTrue();
        assertThat(load().watermarks()).isEqualTo(Map.of("log-1", 3L));
    }
}
