package io.storageengine.gateway.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.Answer;
import io.storageengine.core.message.ListParked;
import io.storageengine.core.message.ParkedRows;
import io.storageengine.core.message.Question;
import io.storageengine.core.message.ReplayParked;
import io.storageengine.core.message.ReplayedRows;
import io.storageengine.core.message.TableRef;
import io.storageengine.gateway.TestServer;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ParkedFrontTest {
    private static final TableRef TABLE = new TableRef("dev", List.of("a", "b"), "t");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Question<?>> asked = new ArrayList<>();
    private volatile Outcome<? extends Answer> answer = Outcome.ok(new ParkedRows(List.of(), ""));
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer().room(Question.Room.INGEST, question -> {
            asked.add(question);
            return answer;
        });
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        server.close();
    }

    private HttpResponse<String> send(String method, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.uri("/catalogs/dev/parked" + path)))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void parkedRowsAreListedPageByPage() throws Exception {
        answer = Outcome.ok(
                new ParkedRows(List.of(new ParkedRows.Parked("u.l-1-0", TABLE, "u", 3, 1_700_000_000_000L, "")), "k"));
        HttpResponse<String> page = send("GET", "?pageSize=1&pageToken=j");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(new JsonObject(page.body()))
                .isEqualTo(
                        new JsonObject("{\"parked\":[{\"id\":\"u.l-1-0\",\"namespace\":[\"a\",\"b\"],\"table\":\"t\","
                                + "\"table-uuid\":\"u\",\"rows\":3,\"accepted-ms\":1700000000000,\"channel\":null}],"
                                + "\"next-page-token\":\"k\"}"));
        answer = Outcome.ok(new ParkedRows(List.of(), ""));
        assertThat(send("GET", "").body()).isEqualTo("{\"parked\":[],\"next-page-token\":null}");
        assertThat(asked).containsExactly(new ListParked("dev", "j", 1), new ListParked("dev", "", 100));
        assertThat(send("GET", "?pageSize=none").statusCode()).isEqualTo(400);
    }

    @Test
    void theyAreReplayedById() throws Exception {
        answer = Outcome.ok(new ReplayedRows(3, "l.7"));
        HttpResponse<String> done = send("POST", "/u.l-1-0/replay");
        assertThat(done.body()).isEqualTo("{\"replayed\":3,\"token\":\"l.7\"}");
        assertThat(asked).containsExactly(new ReplayParked("dev", "u.l-1-0"));
        answer = Outcome.failed(Failure.Kind.CONFLICT, "TableGoneException", "gone");
        HttpResponse<String> gone = send("POST", "/u.l-1-0/replay");
        assertThat(gone.statusCode()).isEqualTo(409);
        assertThat(gone.body()).contains("TableGoneException");
        assertThat(send("GET", "/u.l-1-0/replay").statusCode()).isEqualTo(405);
        assertThat(send("POST", "").statusCode()).isEqualTo(405);
    }
}
