package io.storageengine.gateway.node;

import io.storageengine.gateway.auth.Right;
import io.storageengine.gateway.auth.TokenStore;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// Reads `se tokens create|list|revoke …`.
final class TokensCommandLine {
    static final String NAME = "tokens";

    private static final Set<String> VERBS = Set.of("create", "list", "revoke");
    private static final String PRINCIPAL = "--principal";
    private static final String RIGHT = "--right";
    private static final String EXPIRES_IN = "--expires-in";
    private static final String SERVER = "--server";
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,6})([smhd])");
    private static final List<Key> KEYS = List.of(
            Key.STORAGE,
            Key.OPENDAL_SERVICE,
            Key.S3_ENDPOINT,
            Key.S3_REGION,
            Key.S3_PATH_STYLE,
            Key.AUTH_TOKEN,
            Key.LOG_LEVEL);

    private TokensCommandLine() {}

    static CommandSpec spec() {
        CommandSpec create = verb("create", "Makes a token and prints it, this once.")
                .addOption(CommandLineReader.valued(PRINCIPAL, "<name>", "whom it is for: the history names them")
                        .required(true)
                        .build())
                .addOption(CommandLineReader.valued(
                                RIGHT, "<catalog:level>", "read, write or admin on a catalog or on '*'; repeatable")
                        .required(true)
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .build())
                .addOption(
                        CommandLineReader.valued(EXPIRES_IN, "<time>", "as 90s, 15m, 12h or 30d; else it is for ever")
                                .build());
        CommandSpec revoke = verb("revoke", "Makes a token nothing, on every node within ten seconds.")
                .addPositional(PositionalParamSpec.builder()
                        .paramLabel("<id>")
                        .type(String.class)
                        .arity("1")
                        .required(true)
                        .description("as 'se tokens list' shows it")
                        .build());
        CommandSpec tokens = CommandSpec.create().name(NAME).addOption(CommandLineReader.help());
        tokens.usageMessage().description("Makes, lists and revokes bearer tokens.");
        return tokens.addSubcommand("create", create)
                .addSubcommand("list", verb("list", "Prints id, principal, rights and times of every token."))
                .addSubcommand("revoke", revoke);
    }

    private static CommandSpec verb(String name, String description) {
        CommandSpec spec = CommandSpec.create().name(name).addOption(CommandLineReader.help());
        spec.usageMessage()
                .description(
                        description,
                        "The tokens are those of a storage (--storage) or of a running node (--server, with the"
                                + " administrator's SE_AUTH_TOKEN when it asks for tokens).")
                .width(120)
                .sortOptions(false);
        spec.addOption(CommandLineReader.valued(SERVER, "<url>", "a running node, as http://host:port")
                .build());
        KEYS.forEach(key -> spec.addOption(CommandLineReader.option(key, Mode.SERVE)));
        return spec;
    }

    static boolean isOne(CommandLine.ParseResult command) {
        return VERBS.contains(command.commandSpec().name());
    }

    /// @throws StartRefused when something is wrong
    static TokensOrder read(CommandLine.ParseResult command, Map<Key, String> flags, Map<String, String> environment) {
        String level = flags.getOrDefault(Key.LOG_LEVEL, "error");
        return new TokensOrder(action(command), place(command, flags, environment), level);
    }

    private static TokensOrder.Action action(CommandLine.ParseResult command) {
        return switch (command.commandSpec().name()) {
            case "create" -> create(command);
            case "list" -> new TokensOrder.Show();
            default -> new TokensOrder.Revoke(command.matchedPositionalValue(0, ""));
        };
    }

    private static TokensOrder.Action create(CommandLine.ParseResult command) {
        List<String> texts = command.matchedOptionValue(RIGHT, List.of());
        List<Right> rights = texts.stream().map(TokensCommandLine::right).toList();
        String life = command.matchedOptionValue(EXPIRES_IN, "");
        String principal = command.matchedOptionValue(PRINCIPAL, "");
        return new TokensOrder.Create(new TokenStore.Wish(principal, rights, life.isEmpty() ? 0 : millis(life)));
    }

    private static Right right(String text) {
        return Right.parse(text)
                .orElseThrow(() -> new StartRefused(
                        RIGHT + " is a catalog's id or '*', ':' and read, write or admin, not '" + text + "'"));
    }

    private static long millis(String text) {
        Matcher matcher = DURATION.matcher(text);
        long count = matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
        if (count == 0) throw new StartRefused(EXPIRES_IN + " is a time like 90s, 15m, 12h or 30d, not '" + text + "'");
        TimeUnit unit = switch (matcher.group(2)) {
            case "s" -> TimeUnit.SECONDS;
            case "m" -> TimeUnit.MINUTES;
            case "h" -> TimeUnit.HOURS;
            default -> TimeUnit.DAYS;
        };
        return unit.toMillis(count);
    }

    private static TokensOrder.Place place(
            CommandLine.ParseResult command, Map<Key, String> flags, Map<String, String> environment) {
        String server = command.matchedOptionValue(SERVER, "");
        if (server.isEmpty()) return new TokensOrder.Stored(SettingsReader.readStorage(flags, environment));
        if (flags.containsKey(Key.STORAGE)) {
            throw new StartRefused("The tokens are those of a --storage or of a --server: drop one");
        }
        if (!server.matches("https?://[^/?#\\s]+/?")) {
            throw new StartRefused(SERVER + " is http://host:port or https://host:port, not '" + server + "'");
        }
        String token = flags.getOrDefault(Key.AUTH_TOKEN, environment.getOrDefault(Key.AUTH_TOKEN.env(), ""));
        return new TokensOrder.Served(URI.create(server), token);
    }
}
