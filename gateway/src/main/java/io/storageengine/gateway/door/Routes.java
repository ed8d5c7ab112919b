package io.storageengine.gateway.door;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Tells the protocols of the one port apart. Pure.
public final class Routes {
    /// First segments that are never buckets.
    public static final Set<String> RESERVED =
            Set.of("health", "metrics", "ui", "cluster", "catalogs", "iceberg", "_iceberg");

    private static final String TOKENS = "/cluster/tokens";
    private static final String LEVELS = "\u001f";

    private Routes() {}

    /// What a request is about.
    ///
    /// @param method in upper case
    /// @param rawPath as sent, percent-encoded, without the query
    public static Route classify(String method, String rawPath) {
        if (!rawPath.startsWith("/")) return new Route.Malformed(false);
        String first = firstSegment(rawPath);
        if (!RESERVED.contains(first) || createsBucket(method, rawPath)) return storage(rawPath);
        return switch (rawPath) {
            case "/health" -> new Route.Health();
            case "/health/ready" -> new Route.Ready();
            case "/metrics" -> new Route.Metrics();
            default -> first.equals("catalogs") ? catalog(rawPath) : tokens(rawPath);
        };
    }

    private static Route tokens(String rawPath) {
        if (rawPath.equals(TOKENS)) return new Route.Tokens("");
        boolean one = rawPath.startsWith(TOKENS + "/") && rawPath.indexOf('/', TOKENS.length() + 1) < 0;
        return one ? new Route.Tokens(rawPath.substring(TOKENS.length() + 1)) : new Route.Absent();
    }

    /// No reserved path is PUT to: it is S3's business to refuse the name.
    private static boolean createsBucket(String method, String rawPath) {
        return method.equals("PUT") && rawPath.indexOf('/', 1) < 0;
    }

    private static String firstSegment(String rawPath) {
        int end = rawPath.indexOf('/', 1);
        String raw = end < 0 ? rawPath.substring(1) : rawPath.substring(1, end);
        return Percent.decode(raw).orElse(raw);
    }

    private static Route catalog(String rawPath) {
        String[] parts = rawPath.split("/", -1);
        boolean rows = parts.length == 9
                && parts[3].equals("v1")
                && parts[4].equals("namespaces")
                && parts[6].equals("tables")
                && parts[8].equals("rows");
        if (parts.length == 4 && parts[3].equals("events")) return new Route.Events();
        return rows ? rows(parts[2], parts[5], parts[7]) : new Route.Catalog();
    }

    private static Route rows(String catalog, String namespace, String table) {
        Optional<String> levels = Percent.decode(namespace);
        Optional<String> name = Percent.decode(table);
        if (levels.isEmpty() || name.isEmpty()) return new Route.Malformed(false);
        return new Route.Rows(catalog, List.of(levels.get().split(LEVELS, -1)), name.get());
    }

    private static Route storage(String rawPath) {
        int end = rawPath.indexOf('/', 1);
        Optional<String> bucket = Percent.decode(end < 0 ? rawPath.substring(1) : rawPath.substring(1, end));
        Optional<String> key = Percent.decode(end < 0 ? "" : rawPath.substring(end + 1));
        if (bucket.isEmpty() || key.isEmpty()) return new Route.Malformed(true);
        return new Route.Storage(bucket.get(), key.get());
    }
}
