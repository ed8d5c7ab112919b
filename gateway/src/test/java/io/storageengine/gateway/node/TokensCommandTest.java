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
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `se tokens`, on a storage and against a whole node.
@Timeout(120)
class TokensCommandTest {
    private static final Map<String, String> ADMINISTRATOR = Map.of("SE_AUTH_TOKEN", "the-administrators-own");

    @TempDir
    private Path folder;

    /// What was printed, first for scripts, then for people.
    private record Printed(String out, String err) {}

    private static Printed run(Map<String, String> environment, String... args) {
        String[] all = Stream.concat(Stream.of("tokens"), Stream.of(args)).toArray(String[]::new);
        CommandLineReader.Tokens tokens = (CommandLineReader.Tokens) CommandLineReader.read(all, environment);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        TokensCommand.run(tokens.order(), new NodeClock(), new SecureRandom(), print(out), print(err));
        return new Printed(out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static PrintStream print(ByteArrayOutputStream out) {
        return new PrintStream(out, true, StandardCharsets.UTF_8);
    }

    private static void refused(String message, String... args) {
        assertThatThrownBy(() -> run(Map.of(), args))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining(message);
    }

    private String storage() {
        return "--storage=local:" + folder;
    }

    private Node start() {
        String[] args = {"dev", storage(), "--server.address=127.0.0.1:0", "--auth.tokens=true"};
        Settings settings = ((CommandLineReader.Run) CommandLineReader.read(args, ADMINISTRATOR)).settings();
        return Node.start(settings, new EngineRooms(), new NodeClock(), new SecureRandom());
    }

    private static int status(Node node, String token) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + node.port() + "/catalogs/dev/v1/namespaces"))
                    .header("authorization", "Bearer " + token)
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    @Test
    void aTokenOfTheStorageOpensTheNodeThatStartsOnIt() throws Exception {
        Printed made = run(
                Map.of(),
                "create",
                "--principal=ann",
                "--right",
                "dev:read",
                "--right=x:admin",
                "--expires-in=30d",
                storage());
        String token = made.out().strip();
        assertThat(token).matches("se_[0-9a-f]{16}_[0-9a-f]{64}");
        Printed list = run(Map.of(), "list", storage());
        assertThat(list.out()).contains("ann  dev:read,x:admin").doesNotContain(token.substring(20));
        Node node = start();
        assertThat(status(node, token)).isEqualTo(200);
        assertThatThrownBy(() -> run(Map.of(), "list", storage()))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("--server");
        node.stop();
        String id = token.split("_", -1)[1];
        assertThat(run(Map.of(), "revoke", id, storage()).err()).contains(id);
        assertThat(run(Map.of(), "list", storage()).out()).isEmpty();
        refused("no token", "revoke", id, storage());
    }

    @Test
    void aRunningNodeIsAskedByItsAdministrator() throws Exception {
        Node node = start();
        String server = "--server=http://127.0.0.1:" + node.port();
        String token = run(ADMINISTRATOR, "create", "--principal=bob", "--right=dev:read", "--expires-in=12h", server)
                .out()
                .strip();
        assertThat(status(node, token)).isEqualTo(200);
        assertThat(status(node, "the-administrators-own")).isEqualTo(200);
        assertThat(status(node, "other")).isEqualTo(401);
        assertThat(run(ADMINISTRATOR, "list", server).out())
                .contains("bob  dev:read")
                .doesNotContain("never");
        refused("answers 401", "list", server);
        run(ADMINISTRATOR, "revoke", token.split("_", -1)[1], server);
        assertThat(status(node, token)).isEqualTo(401);
        node.stop();
        refused("No answer", "list", server);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "0d", "30", "d", "-1d", "1w", "9999999d"})
    void aTimeIsANumberAndAUnit(String time) {
        refused("--expires-in", "create", "--principal=a", "--right=dev:read", "--expires-in=" + time, storage());
    }

    @Test
    void whatIsMissingOrWrongIsSaid() {
        refused("--principal", "create", "--right=dev:read", storage());
        refused("--right", "create", "--principal=a", storage());
        refused("--right", "create", "--principal=a", "--right=dev:own", storage());
        refused("principal", "create", "--principal=two words", "--right=dev:read", storage());
        refused("--storage", "list");
        refused("drop one", "list", storage(), "--server=http://h:1");
        refused("--server", "list", "--server=h:1");
        refused("16 digits", "revoke", "x", storage());
        refused("<id>", "revoke", storage());
    }

    @Test
    void helpTellsTheVerbs() {
        for (List<String> args : List.of(List.of("tokens"), List.of("tokens", "-h"))) {
            String help =
                    ((CommandLineReader.Print) CommandLineReader.read(args.toArray(String[]::new), Map.of())).text();
            assertThat(help).contains("create", "list", "revoke");
        }
        String[] create = {"tokens", "create", "--help"};
        assertThat(((CommandLineReader.Print) CommandLineReader.read(create, Map.of())).text())
                .contains("--principal", "--right", "--expires-in", "--server", "--storage");
    }

    @Test
    void theAdministratorsTokenIsNotInWhatIsPrintedOfAnOrder() {
        String[] list = {"tokens", "list", "--server=http://h:1"};
        assertThat(CommandLineReader.read(list, ADMINISTRATOR).toString()).doesNotContain("the-administrators-own");
    }
}
