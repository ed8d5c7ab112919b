package io.storageengine.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `se catalog` on a storage that a node has used.
@Timeout(120)
class CatalogCommandTest {
    @TempDir
    private Path folder;

    private static String run(String... args) {
        String[] all = Stream.concat(Stream.of("catalog"), Stream.of(args)).toArray(String[]::new);
        CommandLineReader.Catalog asked = (CommandLineReader.Catalog) CommandLineReader.read(all, Map.of());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CatalogCommand.run(
                asked.order(), new NodeClock(), new SecureRandom(), new PrintStream(out, true, StandardCharsets.UTF_8));
        return out.toString(StandardCharsets.UTF_8);
    }

    private static void refused(String message, String... args) {
        assertThatThrownBy(() -> run(args)).isInstanceOf(StartRefused.class).hasMessageContaining(message);
    }

    private Node start() {
        String[] args = {"dev", storage(), "--server.address=127.0.0.1:0"};
        Settings settings = ((CommandLineReader.Run) CommandLineReader.read(args, Map.of())).settings();
        return Node.start(settings, new EngineRooms(), new NodeClock(), new SecureRandom());
    }

    private String storage() {
        return "--storage=local:" + folder.resolve("data");
    }

    @BeforeEach
    void aNodeHasServedItsCatalog() throws Exception {
        Node node = start();
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI namespaces = URI.create("http://127.0.0.1:" + node.port() + "/catalogs/dev/v1/namespaces");
            HttpRequest request = HttpRequest.newBuilder(namespaces).build();
            assertThat(client.send(request, HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(200);
        }
        node.stop();
    }

    @Test
    void anExportIsAFileOrAnObjectAndIsNeverOverwritten() {
        for (String to : new String[] {folder.resolve("dev.secatalog").toString(), "s3://dev/exports/dev"}) {
            assertThat(run("export", "--catalog=dev", "--to", to, storage()))
                    .contains("as of entry 0", to)
                    .contains("Not in it", "s3://dev/");
            refused("not overwritten", "export", "--catalog=dev", "--to", to, storage());
            refused("exists", "import", "--from", to, storage());
            String id = to.startsWith("s3") ? "two" : "one";
            assertThat(run("import", "--from", to, "--catalog", id, "--warehouse=s3://copies/" + id, storage()))
                    .contains("Imported catalog " + id);
            assertThat(run("export", "--catalog", id, "--to", to + ".again", storage()))
                    .contains("s3://copies/" + id + "/");
        }
    }

    @Test
    void aNodeHasItsFolderAloneAndItIsSaid() {
        Node node = start();
        refused("stop it first", "export", "--catalog=dev", "--to=x", storage());
        node.stop();
    }

    @Test
    void whatIsMissingOrWrongIsSaid() throws IOException {
        Path file = Files.writeString(folder.resolve("other"), "hello");
        refused("no export", "import", "--from=" + file, storage());
        refused("does not exist", "import", "--from=" + folder.resolve("nope"), storage());
        refused("cannot be read", "import", "--from=s3://dev/nope", storage());
        refused("s3://bucket/key", "import", "--from=s3://dev", storage());
        refused("its folder does not exist", "export", "--catalog=dev", "--to=" + folder.resolve("a/b"), storage());
        refused("'nope'", "export", "--catalog=nope", "--to=" + folder.resolve("x"), storage());
        refused("--to", "export", "--catalog=dev", storage());
        refused("--catalog", "recover", storage());
        refused("--from", "import", storage());
        refused("--storage", "recover", "--catalog=dev");
        refused("'nope'", "recover", "--catalog=nope", storage());
    }

    @Test
    void aDryRunWritesNothingAndARecoveredLogIsThere() {
        for (int i = 0; i < 2; i++) {
            assertThat(run("recover", "--catalog=dev", "--dry-run", storage())).contains("Would rebuild 0 tables");
        }
        assertThat(run("recover", "--catalog=dev", storage())).contains("The new log of catalog dev is written");
        refused("can be read", "recover", "--catalog=dev", storage());
    }

    @Test
    void helpTellsTheVerbs() {
        String[] catalog = {"catalog"};
        assertThat(((CommandLineReader.Print) CommandLineReader.read(catalog, Map.of())).text())
                .contains("export", "import", "recover");
        String[] recover = {"catalog", "recover", "--help"};
        assertThat(((CommandLineReader.Print) CommandLineReader.read(recover, Map.of())).text())
                .contains("--dry-run", "--park-rows", "--storage", "Stop every node");
    }
}
