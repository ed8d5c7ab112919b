import static io.trino.testing.TestingSession.testSessionBuilder;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.trino.plugin.iceberg.IcebergPlugin;
import io.trino.spi.type.TimeZoneKey;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import io.trino.testing.StandaloneQueryRunner;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Trino in one process, with catalogs of its Iceberg connector. Arguments are the catalogs' properties, catalog.name=value. Each line of
 * standard input is a statement; each line of standard output is its answer in JSON, and the first says that Trino is up.
 */
class Engine {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final StandaloneQueryRunner runner;

    private Engine(StandaloneQueryRunner runner) {
        this.runner = runner;
    }

    public static void main(String[] arguments) throws IOException {
        // Answers go out alone: what else prints to standard output goes to the log.
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        Map<String, Map<String, String>> catalogs = new LinkedHashMap<>();
        for (String argument : arguments) {
            int dot = argument.indexOf('.');
            int sign = argument.indexOf('=');
            catalogs.computeIfAbsent(argument.substring(0, dot), name -> new LinkedHashMap<>())
                    .put(argument.substring(dot + 1, sign), argument.substring(sign + 1));
        }
        StandaloneQueryRunner runner = new StandaloneQueryRunner(
                testSessionBuilder().setCatalog("dev").setTimeZoneKey(TimeZoneKey.UTC_KEY).build());
        runner.installPlugin(new IcebergPlugin());
        catalogs.forEach((name, properties) -> runner.createCatalog(name, "iceberg", properties));
        Engine engine = new Engine(runner);
        answers.println(JSON.writeValueAsString(Map.of("ready", true)));
        BufferedReader statements = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String statement = statements.readLine(); statement != null; statement = statements.readLine()) {
            answers.println(JSON.writeValueAsString(engine.answer(statement)));
        }
        // Nothing is left to save, and a clean shutdown takes seconds.
        Runtime.getRuntime().halt(0);
    }

    private Map<String, Object> answer(String statement) {
        try {
            MaterializedResult result = runner.execute(runner.getDefaultSession(), statement);
            List<List<Object>> rows = new ArrayList<>();
            for (MaterializedRow row : result.getMaterializedRows()) {
                rows.add(row.getFields().stream().map(Engine::plain).toList());
            }
            return Map.of("rows", rows);
        } catch (RuntimeException fault) {
            return Map.of("error", told(fault));
        }
    }

    /** What was said, with all its causes. */
    private static String told(Throwable fault) {
        Set<String> words = new LinkedHashSet<>();
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            words.add(String.valueOf(cause.getMessage()));
        }
        return String.join("; ", words);
    }

    /** What JSON has no form for is told as text. */
    private static Object plain(Object value) {
        return switch (value) {
            case null -> null;
            case BigDecimal number -> number.toPlainString();
            case Number number -> number;
            case Boolean flag -> flag;
            case List<?> list -> list.stream().map(Engine::plain).toList();
            default -> value.toString();
        };
    }
}
