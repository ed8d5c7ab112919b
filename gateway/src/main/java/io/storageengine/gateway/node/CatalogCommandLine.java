package io.storageengine.gateway.node;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Reads `se catalog export|import|recover …`.
final class CatalogCommandLine {
    static final String NAME = "catalog";

    private static final Set<String> VERBS = Set.of("export", "import", "recover");
    private static final String CATALOG = "--catalog";
    private static final String TO = "--to";
    private static final String FROM = "--from";
    private static final String WAREHOUSE = "--warehouse";
    private static final String DRY_RUN = "--dry-run";
    private static final String PARK_ROWS = "--park-rows";
    private static final List<Key> KEYS =
            List.of(Key.STORAGE, Key.OPENDAL_SERVICE, Key.S3_ENDPOINT, Key.S3_REGION, Key.S3_PATH_STYLE, Key.LOG_LEVEL);

    private CatalogCommandLine() {}

    static CommandSpec spec() {
        CommandSpec export = verb(
                        "export",
                        "Writes a native catalog, as of one entry of its log, to one file: namespaces, tables, views,"
                                + " properties. Not the tables' files: copy those too.")
                .addOption(CommandLineReader.valued(CATALOG, "<id>", "the catalog")
                        .required(true)
                        .build())
                .addOption(CommandLineReader.valued(
                                TO, "<file>", "a file, or s3://bucket/key in the same storage; never overwritten")
                        .required(true)
                        .build());
        CommandSpec imported = verb(
                        "import",
                        "Makes a new catalog from such a file. Its tables are where they were: their files must be in"
                                + " buckets of the same names.")
                .addOption(CommandLineReader.valued(FROM, "<file>", "a file, or s3://bucket/key in the same storage")
                        .required(true)
                        .build())
                .addOption(CommandLineReader.valued(CATALOG, "<id>", "id of the new catalog; else as it was exported")
                        .build())
                .addOption(CommandLineReader.valued(
                                WAREHOUSE, "<s3://...>", "where its log and new tables go; else as it was exported")
                        .build());
        CommandSpec recover = verb(
                        "recover",
                        "Rebuilds a catalog whose log is lost from the metadata files in its warehouse. Stop every node"
                                + " first.")
                .addOption(CommandLineReader.valued(CATALOG, "<id>", "the catalog")
                        .required(true)
                        .build())
                .addOption(flag(DRY_RUN, "only tell what would be done"))
                .addOption(flag(PARK_ROWS, "put rows in write-ahead logs aside: nobody can tell which are in tables"));
        CommandSpec catalog = CommandSpec.create().name(NAME).addOption(CommandLineReader.help());
        catalog.usageMessage().description("Exports, imports and rebuilds native catalogs.");
        return catalog.addSubcommand("export", export)
                .addSubcommand("import", imported)
                .addSubcommand("recover", recover);
    }

    private static CommandSpec verb(String name, String description) {
        CommandSpec spec = CommandSpec.create().name(name).addOption(CommandLineReader.help());
        spec.usageMessage().description(description).width(120).sortOptions(false);
        KEYS.forEach(key -> spec.addOption(CommandLineReader.option(key, Mode.SERVE)));
        return spec;
    }

    private static OptionSpec flag(String name, String description) {
        return OptionSpec.builder(name)
                .type(boolean.class)
                .arity("0")
                .description(description)
                .build();
    }

    static boolean isOne(CommandLine.ParseResult command) {
        return VERBS.contains(command.commandSpec().name());
    }

    /// @throws StartRefused when something is wrong
    static CatalogOrder read(CommandLine.ParseResult command, Map<Key, String> flags, Map<String, String> environment) {
        String level = flags.getOrDefault(Key.LOG_LEVEL, "error");
        return new CatalogOrder(action(command), SettingsReader.readStorage(flags, environment), level);
    }

    private static CatalogOrder.Action action(CommandLine.ParseResult command) {
        Optional<String> catalog = Optional.ofNullable(command.matchedOptionValue(CATALOG, (String) null));
        return switch (command.commandSpec().name()) {
            case "export" -> new CatalogOrder.Export(catalog.orElse(""), command.matchedOptionValue(TO, ""));
            case "import" ->
                new CatalogOrder.Import(
                        command.matchedOptionValue(FROM, ""),
                        catalog,
                        Optional.ofNullable(command.matchedOptionValue(WAREHOUSE, (String) null)));
            default ->
                new CatalogOrder.Recover(
                        catalog.orElse(""),
                        command.matchedOptionValue(DRY_RUN, false),
                        command.matchedOptionValue(PARK_ROWS, false));
        };
    }
}
