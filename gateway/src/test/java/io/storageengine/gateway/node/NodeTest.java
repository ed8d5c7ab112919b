package io.storageengine.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A whole node with its real rooms, in this process.
@Timeout(120)
class NodeTest {
    @TempDir
    private Path folder;

    private Settings settings() {
        return settings(folder, 0);
    }

    private static Settings settings(Path folder, int port) {
        String[] args = {"dev", "--storage=local:" + folder, "--server.address=127.0.0.1:" + port};
        return ((CommandLineReader.Run) CommandLineReader.read(args, Map.of())).settings();
    }

    private static Node start(Settings settings) {
        return Node.start(settings, new EngineRooms(), new NodeClock(), new SecureRandom());
    }

    private static HttpResponse<String> send(Node node, String method, String target, String body) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.port() + target))
                    .header("content-type", "application/x-ndjson")
                    .method(method, HttpRequest.BodyPublishers.ofString(body))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void devServesAndKeepsItsKeysAndRowsOverARestart() throws Exception {
        String rows = "/catalogs/dev/v1/namespaces/demo/tables/t/rows?create=true";
        Node first = start(settings());
        assertThat(send(first, "GET", "/health", "").statusCode()).isEqualTo(200);
        assertThat(send(first, "GET", "/health/ready", "").statusCode()).isEqualTo(200);
        assertThat(send(first, "GET", "/metrics", "").body())
                .contains("se_requests_inside")
                .contains("jvm_memory");
        assertThat(send(first, "GET", "/catalogs/dev", "").statusCode()).isEqualTo(200);
        assertThat(send(first, "POST", rows, "{\"a\":1}\n").statusCode()).isEqualTo(200);
        first.stop();
        Node second = start(settings());
        assertThat(second.accessKey()).isEqualTo(first.accessKey());
        assertThat(send(second, "GET", "/catalogs/dev/v1/namespaces/demo/tables/t", "")
                        .body())
                .as("a stop commits what was accepted")
                .contains("\"total-records\":\"1\"");
        second.stop();
    }

    @Test
    void oneProcessHasTheFolder() {
        Node first = start(settings());
        assertThatThrownBy(() -> start(settings())).isInstanceOf(StartRefused.class);
        first.stop();
    }

    @Test
    void aPortInUseStopsTheStartAndLeavesNothingBehind(@TempDir Path other) {
        Node first = start(settings());
        Settings same = settings(other, first.port());
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> start(same))
                    .isInstanceOf(StartRefused.class)
                    .hasMessageContaining("port in use");
        }
        first.stop();
        start(same).stop();
    }

    @Test
    void theSecretsKeyIsForTheOwnerAndAnotherOneDoesNotOpenTheStorage() throws Exception {
        start(settings()).stop();
        Path key = folder.resolve("secrets.key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
        Files.writeString(key, "00".repeat(32));
        assertThatThrownBy(() -> start(settings()))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("secrets key");
    }

    @Test
    void theGreetingTellsWhatToPaste() {
        Node node = start(settings());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Greeting.print(settings(), node, new PrintStream(out, true, StandardCharsets.UTF_8));
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("curl -f http://127.0.0.1:" + node.port() + "/health")
                .contains("http://127.0.0.1:" + node.port() + "/catalogs/dev")
                .contains("AWS_ACCESS_KEY_ID=" + node.accessKey().id())
                .contains("AWS_SECRET_ACCESS_KEY=" + node.accessKey().secret());
        node.stop();
    }
}
