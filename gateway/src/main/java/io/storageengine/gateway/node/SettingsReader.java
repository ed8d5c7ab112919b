package io.storageengine.gateway.node;

import io.storageengine.store.BucketNames;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Makes the settings from flags and environment; refuses what it does not know.
final class SettingsReader {
    private static final Set<String> LEVELS = Set.of("error", "warn", "info", "debug");

    private final Mode mode;
    private final Map<Key, String> flags;
    private final Map<String, String> environment;

    /// @param flags those given on the command line
    private SettingsReader(Mode mode, Map<Key, String> flags, Map<String, String> environment) {
        this.mode = mode;
        this.flags = flags;
        this.environment = environment;
    }

    /// @throws StartRefused when something is unknown, malformed or unsafe
    static Settings read(Mode mode, Map<Key, String> flags, Map<String, String> environment) {
        refuseUnknown(environment);
        Settings settings = new SettingsReader(mode, flags, environment).settings();
        refuseUnsafe(settings);
        return settings;
    }

    /// The storage alone, for what works on it without a node.
    ///
    /// @throws StartRefused as [#read]
    static Settings.Storage readStorage(Map<Key, String> flags, Map<String, String> environment) {
        refuseUnknown(environment);
        SettingsReader reader = new SettingsReader(Mode.SERVE, flags, environment);
        boolean local = reader.given(Key.STORAGE).orElse("").startsWith("local:");
        return local ? new SettingsReader(Mode.DEV, flags, environment).storage() : reader.storage();
    }

    private static void refuseUnknown(Map<String, String> environment) {
        Set<String> known = Arrays.stream(Key.values()).map(Key::env).collect(Collectors.toSet());
        for (String name : environment.keySet()) {
            if (name.startsWith("SE_") && !known.contains(name)) {
                throw new StartRefused(
                        "The environment variable " + name
                                + " is no key of Storage Engine: unset it or correct its name ('se serve --help' has them all)");
            }
        }
    }

    private static void refuseUnsafe(Settings settings) {
        Settings.Server server = settings.server();
        if (server.insecure()) return;
        if (settings.mode() == Mode.DEV && !isLoopback(server.host())) {
            throw new StartRefused("'se dev' is for one person and so listens on loopback only, not on " + server.host()
                    + ":" + server.port() + ": use 127.0.0.1, or say --insecure to let everybody in");
        }
        if (settings.mode() == Mode.SERVE && !settings.auth().asks()) {
            throw new StartRefused("'se serve' does not start without asking for tokens: drop --auth.tokens=false,"
                    + " or say --insecure to let everybody in");
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new StartRefused("The host of --server.address is not known: " + host);
        }
    }

    private Settings settings() {
        return new Settings(
                mode,
                nodeName(),
                server(),
                storage(),
                ingest(),
                new Settings.Catalog(truth(Key.CATALOG_REPLACE_FOREIGN_LOCATIONS)),
                secrets(),
                auth(),
                level());
    }

    /// The administrator's token alone switches asking on, and `--insecure` off unless it is said again.
    private Settings.Auth auth() {
        String token = text(Key.AUTH_TOKEN);
        boolean said = given(Key.AUTH_TOKENS).isPresent();
        boolean asks = truth(Key.AUTH_TOKENS) && (said || !truth(Key.INSECURE));
        if (said && !asks && !token.isEmpty()) {
            throw new StartRefused("--auth.tokens=false asks nobody for a token, and --auth.token is one: drop one");
        }
        return new Settings.Auth(asks || !token.isEmpty(), token);
    }

    private String text(Key key) {
        return given(key).orElse(key.standard(mode));
    }

    /// The flag, else the variable when it is not empty.
    private Optional<String> given(Key key) {
        String flag = flags.get(key);
        return flag != null ? Optional.of(flag) : variable(key.env());
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
    }

    private long number(Key key, long min, long max) {
        String text = text(key);
        try {
            long value = Long.parseLong(text);
            if (value >= min && value <= max) return value;
        } catch (NumberFormatException e) {
            throw notANumber(key, text, min, max);
        }
        throw notANumber(key, text, min, max);
    }

    private static StartRefused notANumber(Key key, String text, long min, long max) {
        return new StartRefused("--" + key.flag() + " is a number from " + min + " to " + max + ", not '" + text + "'");
    }

    private boolean truth(Key key) {
        String text = text(key);
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new StartRefused("--" + key.flag() + " is true or false, not '" + text + "'");
        };
    }

    private String nodeName() {
        String name = text(Key.NODE_NAME);
        if (name.matches("[A-Za-z0-9-]{1,100}")) return name;
        throw new StartRefused("--node.name has 1 to 100 letters, digits and '-', not '" + name + "'");
    }

    private String level() {
        String level = text(Key.LOG_LEVEL);
        if (LEVELS.contains(level)) return level;
        throw new StartRefused("--log.level is error, warn, info or debug, not '" + level + "'");
    }

    private Settings.Server server() {
        String address = text(Key.SERVER_ADDRESS);
        int colon = address.lastIndexOf(':');
        if (colon <= 0) throw new StartRefused("--server.address is host:port, not '" + address + "'");
        String host = address.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) host = host.substring(1, host.length() - 1);
        return new Settings.Server(
                host,
                port(address, address.substring(colon + 1)),
                url(),
                (int) number(Key.SERVER_REQUESTS_MAX, 1, 1_000_000),
                (int) number(Key.SERVER_REST_BODY_BYTES_MAX, 1 << 10, 1 << 30),
                number(Key.SERVER_STOP_MS, 0, 3_600_000),
                truth(Key.INSECURE));
    }

    private String url() {
        String url = text(Key.SERVER_URL);
        if (url.isEmpty() || url.matches("https?://[^/?#]+")) return url;
        throw new StartRefused("--server.url is http://host:port or https://host:port, not '" + url + "'");
    }

    private static int port(String address, String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= 65_535) return port;
        } catch (NumberFormatException e) {
            throw new StartRefused("--server.address ends with a port, not '" + address + "'");
        }
        throw new StartRefused("A port is 0 to 65535, not that of '" + address + "'");
    }

    private Settings.Ingest ingest() {
        return new Settings.Ingest(
                number(Key.INGEST_MEMORY_BYTES_MAX, 1 << 24, Long.MAX_VALUE),
                number(Key.INGEST_ATOMIC_BYTES_MAX, 1, Long.MAX_VALUE),
                number(Key.INGEST_INLINE_BYTES_MAX, 1, 1 << 27),
                number(Key.INGEST_COMMIT_INTERVAL_MS, 1, 86_400_000),
                number(Key.INGEST_COMMIT_BYTES, 1, Long.MAX_VALUE));
    }

    private Settings.Secrets secrets() {
        return new Settings.Secrets(given(Key.SECRETS_KEY_FILE).map(Path::of), text(Key.SECRETS_KEY));
    }

    /// `--storage` wins, else the seed engine's variables select S3, else `dev` takes the local disk.
    private Settings.Storage storage() {
        Optional<String> storage = given(Key.STORAGE);
        if (storage.isPresent()) return storage(storage.get());
        String service = text(Key.OPENDAL_SERVICE);
        Optional<String> bucket = variable("OPENDAL_S3_BUCKET");
        if (!service.isEmpty() && !service.equals("s3")) {
            throw new StartRefused(
                    "--opendal-service is s3, not '" + service + "'; for a local disk: --storage local:DIR");
        }
        if (service.equals("s3") && bucket.isEmpty()) {
            throw new StartRefused("--opendal-service s3 needs OPENDAL_S3_BUCKET; or use --storage s3://bucket/prefix");
        }
        if (bucket.isPresent()) return seedStorage(bucket.get());
        if (mode == Mode.DEV) return storage(Key.STORAGE.standard(mode));
        throw new StartRefused("It is not said where to store: --storage s3://bucket/prefix"
                + " (with --s3.endpoint for other services than AWS)");
    }

    private Settings.Storage storage(String text) {
        if (text.startsWith("local:") && text.length() > 6) {
            if (mode == Mode.DEV) return new Settings.LocalStorage(Path.of(text.substring(6)));
            throw new StartRefused("'se serve' stores in object storage: --storage s3://bucket/prefix,"
                    + " or 'se dev' for a local disk");
        }
        if (text.startsWith("s3://") && text.length() > 5) {
            String rest = text.substring(5);
            int slash = rest.indexOf('/');
            String bucket = slash < 0 ? rest : rest.substring(0, slash);
            return s3(bucket, slash < 0 ? "" : rest.substring(slash + 1), text(Key.S3_ENDPOINT), Optional.empty());
        }
        throw new StartRefused("--storage is local:DIR or s3://bucket/prefix, not '" + text + "'");
    }

    private Settings.Storage seedStorage(String bucket) {
        Optional<String> id = variable("OPENDAL_S3_ACCESS_KEY_ID");
        Optional<String> secret = variable("OPENDAL_S3_SECRET_ACCESS_KEY");
        String endpoint =
                given(Key.S3_ENDPOINT).or(() -> variable("OPENDAL_S3_ENDPOINT")).orElse("");
        return s3(
                bucket,
                variable("OPENDAL_S3_ROOT").orElse(""),
                endpoint,
                id.flatMap(known -> secret.map(also -> new Settings.Keys(known, also))));
    }

    private Settings.Storage s3(String bucket, String root, String endpoint, Optional<Settings.Keys> keys) {
        if (!BucketNames.isValid(bucket)) {
            throw new StartRefused(
                    "'" + bucket + "' is not the name of a bucket (--storage s3://bucket/prefix): it has"
                            + " 3 to 63 of a-z, 0-9, '.' and '-', begins and ends with a letter or digit, and is no IP address");
        }
        String prefix = root.replaceAll("^/+|/+$", "");
        String region = given(Key.S3_REGION)
                .or(() -> variable("OPENDAL_S3_REGION"))
                .or(() -> variable("AWS_REGION"))
                .or(() -> variable("AWS_DEFAULT_REGION"))
                .orElse("us-east-1");
        return new Settings.S3Storage(
                bucket, prefix.isEmpty() ? "" : prefix + "/", endpoint, region, truth(Key.S3_PATH_STYLE), keys);
    }
}
