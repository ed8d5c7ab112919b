import com.fasterxml.jackson.databind.ObjectMapper;
import io.trino.plugin.iceberg.IcebergPlugin;
import io.trino.testing.MaterializedResult;
import io.trino.testing.StandaloneQueryRunner;
import io.trino.testing.TestingSession;
import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.FileDescriptor;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Trino in this process with one Iceberg catalog, `dev`: reads a statement a line, as a JSON string, and answers a
/// line of JSON each, `{"rows":[[…]]}` or `{"error":"…"}`. Values are told as text. Arguments: the catalog's
/// properties, `name=value`.
public final class TrinoShell {
    public static void main(String[] properties) throws Exception {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        ObjectMapper json = new ObjectMapper();
        Map<String, String> catalog = new HashMap<>();
        for (String property : properties) catalog.put(property.split("=", 2)[0], property.split("=", 2)[1]);
        var session = TestingSession.testSessionBuilder().setCatalog("dev").setSchema("default").build();
        try (StandaloneQueryRunner trino = new StandaloneQueryRunner(session);
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            trino.installPlugin(new IcebergPlugin());
            trino.createCatalog("dev", "iceberg", catalog);
            answers.println("{\"rows\":[]}");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Map<String, Object> answer;
                try {
                    answer = Map.of("rows", rows(trino.execute(json.readValue(line, String.class))));
                } catch (RuntimeException refused) {
                    answer = Map.of("error", String.valueOf(refused.getMessage()));
                }
                answers.println(json.writeValueAsString(answer));
            }
        }
    }

    private static List<List<String>> rows(MaterializedResult result) {
        return result.getMaterializedRows().stream()
                .map(row -> row.getFields().stream().map(String::valueOf).collect(Collectors.toCollection(ArrayList<String>::new)))
                .collect(Collectors.<List<String>>toList());
    }
}
