package io.storageengine.gateway.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.Answer;
import io.storageengine.core.message.AwaitRows;
import io.storageengine.core.message.BeginRows;
import io.storageengine.core.message.CallChannel;
import io.storageengine.core.message.ChannelStatus;
import io.storageengine.core.message.CommittedRows;
import io.storageengine.core.message.OffsetGap;
import io.storageengine.core.message.Question;
import io.storageengine.core.message.RowOptions;
import io.storageengine.core.message.TableRef;
import io.storageengine.gateway.TestServer;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ChannelsFrontTest {
    private static final String TABLE_PATH = "/catalogs/dev/v1/namespaces/a%1Fb/tables/t";
    private static final TableRef TABLE = new TableRef("dev", List.of("a", "b"), "t");
    private static final ChannelStatus STATUS = new ChannelStatus("c 1", 3, 42, 41, -1, 2);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Question<?>> asked = new ArrayList<>();
    private volatile Outcome<? extends Answer> answer = Outcome.ok(STATUS);
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

    private HttpResponse<String> send(String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.uri(TABLE_PATH + path)))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("content-type", "application/x-ndjson")
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static JsonObject error(HttpResponse<String> response) {
        return new JsonObject(response.body()).getJsonObject("error");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "POST,/channels/c%201,``,OPEN,0,0",
                "GET,/channels/c%201,``,STATUS,0,0",
                "DELETE,/channels/c%201,``,RETIRE,0,0",
                "POST,/channels/c%201/advance,`{\"epoch\":3,\"offset\":50}`,ADVANCE,3,50",
                "POST,/channels/c%201/close,``,CLOSE,0,0",
                "POST,/channels/c%201/close,`{\"epoch\":3}`,CLOSE,3,0"
            })
    void callsReachTheRoomAndAreAnsweredWithWhereTheChannelStands(
            String method, String path, String body, CallChannel.Act act, long epoch, long offset) throws Exception {
        HttpResponse<String> response = send(method, path, body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(new JsonObject(response.body()))
                .isEqualTo(new JsonObject("{\"channel\":\"c 1\",\"epoch\":3,\"durable\":42,\"committed\":41,"
                        + "\"snapshot-id\":null,\"rejected\":2}"));
        assertThat(asked).containsExactly(new CallChannel(TABLE, "c 1", act, epoch, offset));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "POST,/channels/c/advance,`{\"epoch\":3}`,400",
                "POST,/channels/c/advance,`{\"epoch\":3,\"offset\":-1}`,400",
                "POST,/channels/c/advance,`{\"epoch\":\"3\",\"offset\":1}`,400",
                "POST,/channels/c/advance,`[1]`,400",
                "POST,/channels/c/advance,`{`,400",
                "POST,/channels/c/close,`{\"epoch\":1.5}`,400",
                "POST,/channels/c/twist,``,404",
                "PUT,/channels/c,``,405",
                "GET,/channels/c/close,``,405",
                "POST,/committed?token=l.1,``,405",
                "GET,/committed,``,400",
                "GET,/committed?token=l.1&timeout-ms=x,``,400",
                "GET,/committed?token=l.1&timeout-ms=300001,``,400",
                "POST,/rows?channel=c,`{}`,400",
                "POST,/rows?channel=c&epoch=1,`{}`,400",
                "POST,/rows?offset=1,`{}`,400",
                "POST,/rows?channel=c&epoch=1&offset=-1,`{}`,400"
            })
    void whatCannotBeIsRefusedInIcebergsForm(String method, String path, String body, int status) throws Exception {
        HttpResponse<String> response = send(method, path, body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(error(response).getInteger("code")).isEqualTo(status);
        assertThat(error(response).getString("message")).isNotBlank();
        assertThat(response.headers().firstValue("allow").isPresent()).isEqualTo(status == 405);
        assertThat(asked).isEmpty();
    }

    @Test
    void rowsSayWhereTheyStandInTheirChannel() throws Exception {
        answer = Outcome.failed(OffsetGap.failure("c 1", 50, 42));
        HttpResponse<String> response = send("POST", "/rows?channel=c%201&epoch=3&offset=50", "{}\n");
        assertThat(((BeginRows) asked.getFirst()).options().channel())
                .isEqualTo(Optional.of(new RowOptions.InChannel("c 1", 3, 50)));
        assertThat(response.statusCode()).isEqualTo(409);
        assertThat(error(response).getString("type")).isEqualTo("OffsetGapException");
        assertThat(error(response).getLong("expected-offset")).isEqualTo(42);
    }

    @Test
    void aFencedCallerIsToldSo() throws Exception {
        answer = Outcome.failed(Failure.Kind.CONFLICT, "ChannelFencedException", "at epoch 4");
        HttpResponse<String> response = send("POST", "/channels/c%201/advance", "{\"epoch\":3,\"offset\":1}");
        assertThat(response.statusCode()).isEqualTo(409);
        assertThat(error(response).getString("type")).isEqualTo("ChannelFencedException");
        assertThat(error(response).containsKey("expected-offset")).isFalse();
    }

    @Test
    void aTokenIsAnsweredWithItsSnapshotOrWithNotYet() throws Exception {
        answer = Outcome.ok(new CommittedRows(true, 7));
        HttpResponse<String> done = send("GET", "/committed?token=node-1.5&timeout-ms=10", "");
        assertThat(done.statusCode()).isEqualTo(200);
        assertThat(done.body()).isEqualTo("{\"committed\":true,\"snapshot-id\":7}");
        assertThat(asked).containsExactly(new AwaitRows(TABLE, "node-1.5", 10));
        answer = Outcome.ok(new CommittedRows(false, -1));
        HttpResponse<String> later = send("GET", "/committed?token=node-1.5", "");
        assertThat(later.statusCode()).isEqualTo(202);
        assertThat(later.body()).isEqualTo("{\"committed\":false}");
        assertThat(asked.getLast()).isEqualTo(new AwaitRows(TABLE, "node-1.5", 30_000));
    }
}
