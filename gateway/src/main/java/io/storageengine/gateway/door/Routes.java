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
        if (parts.length == 4 && parts[3].equals("events")) return new Route.Events();
        if (parts.length == 4 && parts[3].equals("parked")) return new Route.Parked(parts[2], "");
        if (parts.length == 6 && parts[3].equals("parked") && parts[5].equals("replay"))
            return Percent.decode(parts[4])
                    .<Route>map(id -> new Route.Parked(parts[2], id))
                    .orElse(new Route.Malformed(false));
        boolean ofTable = parts.length >= 9
                && parts[3].equals("v1")
                && parts[4].equals("namespaces")
                && parts[6].equals("tables");
        return ofTable ? ofTable(parts) : new Route.Catalog();
    }

    /// What ingestion serves below a table; all else is the catalog's.
    private static Route ofTable(String[] parts) {
        Optional<String> levels = Percent.decode(parts[5]);
        Optional<String> name = Percent.decode(parts[7]);
        boolean isChannel = parts[8].equals("channels") && (parts.length == 10 || parts.length == 11);
        boolean isOther = parts.length == 9 && (parts[8].equals("rows") || parts[8].equals("committed"));
        if (!isChannel && !isOther) return new Route.Catalog();
        if (levels.isEmpty() || name.isEmpty()) return new Route.Malformed(false);
        List<String> namespace = List.of(levels.get().split(LEVELS, -1));
        if (!isChannel)
            return parts[8].equals("rows")
                    ? new Route.Rows(parts[2], namespace, name.get())
                    : new Route.Committed(parts[2], namespace, name.get());
        String action = parts.length == 11 ? parts[10] : "";
        return Percent.decode(parts[9])
                .<Route>map(channel -> new Route.Channel(parts[2], namespace, name.get(), channel, action))
                .orElse(new Route.Malformed(false));
    }

    private static Route storage(String rawPath) {
        int end = rawPath.indexOf('/', 1);
        Optional<String> bucket = Percent.decode(end < 0 ? rawPath.substring(1) : rawPath.substring(1, end));
        Optional<String> key = Percent.decode(end < 0 ? "" : rawPath.substring(end + 1));
        if (bucket.isEmpty() || key.isEmpty()) return new Route.Malformed(true);
        return new Route.Storage(bucket.get(), key.get());
    }
}
