package io.storageengine.gateway.node;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Reads `se dev …`, `se serve …`, `se tokens …` and `se catalog …`.
final class CommandLineReader {
    private static final String TRAIN = "--train";

    private CommandLineReader() {}

    /// What was asked for.
    sealed interface Asked {}

    /// Print this and stop.
    record Print(String text) implements Asked {}

    /// Run a node.
    ///
    /// @param trainFolder where a training run of the AOT cache may put its data; such a run stops by itself
    record Run(Settings settings, Optional<String> trainFolder) implements Asked {}

    /// Work on the tokens.
    record Tokens(TokensOrder order) implements Asked {}

    /// Work on a catalog as a whole.
    record Catalog(CatalogOrder order) implements Asked {}

    /// @throws StartRefused when flags or environment are wrong
    static Asked read(String[] args, Map<String, String> environment) {
        CommandLine se = new CommandLine(spec());
        try {
            CommandLine.ParseResult parsed = se.parseArgs(args);
            if (parsed.isVersionHelpRequested()) return new Print(version());
            if (!parsed.hasSubcommand()) return new Print(se.getUsageMessage());
            CommandLine.ParseResult command = parsed.subcommand();
            while (command.hasSubcommand()) command = command.subcommand();
            if (command.isUsageHelpRequested() || isGroup(command))
                return new Print(command.commandSpec().commandLine().getUsageMessage());
            if (TokensCommandLine.isOne(command))
                return new Tokens(TokensCommandLine.read(command, flags(command), environment));
            if (CatalogCommandLine.isOne(command))
                return new Catalog(CatalogCommandLine.read(command, flags(command), environment));
            return run(command, environment);
        } catch (CommandLine.ParameterException e) {
            throw new StartRefused(e.getMessage() + " ('se --help' tells what there is)");
        }
    }

    /// Whether it has commands of its own and none was named.
    private static boolean isGroup(CommandLine.ParseResult command) {
        return !command.commandSpec().subcommands().isEmpty();
    }

    private static String version() {
        return "se "
                + Optional.ofNullable(CommandLineReader.class.getPackage().getImplementationVersion())
                        .orElse("(unpackaged)");
    }

    private static Run run(CommandLine.ParseResult command, Map<String, String> environment) {
        Mode mode = command.commandSpec().name().equals("dev") ? Mode.DEV : Mode.SERVE;
        Map<Key, String> flags = flags(command);
        Optional<String> train = Optional.ofNullable(command.matchedOptionValue(TRAIN, (String) null));
        train.ifPresent(folder -> {
            flags.put(Key.STORAGE, "local:" + folder);
            flags.put(Key.SERVER_ADDRESS, "127.0.0.1:0");
        });
        return new Run(SettingsReader.read(mode, flags, environment), train);
    }

    private static Map<Key, String> flags(CommandLine.ParseResult command) {
        Map<Key, String> flags = new EnumMap<>(Key.class);
        for (Key key : Key.values()) {
            String value = command.matchedOptionValue("--" + key.flag(), (String) null);
            if (value != null) flags.put(key, value);
        }
        return flags;
    }

    private static CommandSpec spec() {
        return CommandSpec.create()
                .name("se")
                .addOption(help())
                .addOption(OptionSpec.builder("--version")
                        .versionHelp(true)
                        .description("print the version")
                        .build())
                .addSubcommand("dev", command("dev", Mode.DEV, "Runs one node on a local disk."))
                .addSubcommand("serve", command("serve", Mode.SERVE, "Runs a node on object storage."))
                .addSubcommand(TokensCommandLine.NAME, TokensCommandLine.spec())
                .addSubcommand(CatalogCommandLine.NAME, CatalogCommandLine.spec());
    }

    /// An option with one value.
    static OptionSpec.Builder valued(String name, String label, String description) {
        return OptionSpec.builder(name)
                .type(String.class)
                .arity("1")
                .paramLabel(label)
                .description(description);
    }

    static OptionSpec help() {
        return OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("print this")
                .build();
    }

    private static CommandSpec command(String name, Mode mode, String description) {
        CommandSpec spec = CommandSpec.create().name(name).addOption(help());
        spec.usageMessage()
                .description(
                        description, "Each flag is an environment variable too: --server.address is SE_SERVER_ADDRESS.")
                .customSynopsis("se " + name + " [--key=value ...]")
                .width(120)
                .sortOptions(false);
        for (Key key : Key.values()) spec.addOption(option(key, mode));
        return spec.addOption(OptionSpec.builder(TRAIN)
                .hidden(true)
                .type(String.class)
                .arity("1")
                .build());
    }

    static OptionSpec option(Key key, Mode mode) {
        String standard = key.standard(mode);
        OptionSpec.Builder option = OptionSpec.builder("--" + key.flag())
                .type(String.class)
                .paramLabel("<value>")
                .description((key.meaning() + (standard.isEmpty() ? "" : " [" + standard + "]")).replace("%", "%%"));
        return key == Key.INSECURE
                ? option.arity("0..1").fallbackValue("true").build()
                : option.arity("1").build();
    }
}
