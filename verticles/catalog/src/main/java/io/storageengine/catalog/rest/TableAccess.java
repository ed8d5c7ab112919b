package io.storageengine.catalog.rest;

import io.storageengine.catalog.state.Space;
import io.storageengine.catalog.state.TableName;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// How clients reach the files of tables: with this node's S3 keys, or, when they ask for `remote-signing`
/// alone (`X-Iceberg-Access-Delegation`), by having each request signed here.
final class TableAccess {
    static final String KEY_ID = "s3.access-key-id";
    static final String SECRET = "s3.secret-access-key";
    private static final List<String> SECRETS = List.of(KEY_ID, SECRET, "s3.session-token");

    private final Map<String, String> keys;

    /// @param keys what engines need to reach the S3 API; holds secrets
    TableAccess(Map<String, String> keys) {
        this.keys = new TreeMap<>(keys);
    }

    /// What the answer to this call says in its `config`.
    Map<String, String> config(Call call, TableName name) {
        String wanted =
                call.headers().getOrDefault("x-iceberg-access-delegation", "").toLowerCase(Locale.ROOT);
        boolean signs = wanted.contains("remote-signing") && !wanted.contains("vended-credentials");
        return signs && hasKeys() ? signing(name) : keys;
    }

    private Map<String, String> signing(TableName name) {
        Map<String, String> config = new TreeMap<>(keys);
        SECRETS.forEach(config::remove);
        config.put("s3.remote-signing-enabled", "true");
        // For clients that do not know the path of the specification.
        config.put("s3.signer.endpoint", path(name));
        return config;
    }

    private static String path(TableName name) {
        String space =
                Space.levels(name.space()).stream().map(TableAccess::encoded).collect(Collectors.joining("%1F"));
        return "v1/namespaces/" + space + "/tables/" + encoded(name.name()) + "/sign";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /// Whether there are keys to give and to sign with.
    boolean hasKeys() {
        return keys.containsKey(KEY_ID) && keys.containsKey(SECRET);
    }

    /// The keys, for a `storage-credentials` entry.
    Map<String, String> credentials() {
        return new HashMap<>(keys);
    }

    /// One setting; empty when there is none.
    String setting(String name) {
        return keys.getOrDefault(name, "");
    }
}
