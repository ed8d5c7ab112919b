package io.storageengine.catalog.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import io.storageengine.catalog.registry.CatalogConfig;
import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One catalog elsewhere, with this server's credentials for it. Failures are thrown as [FailureException].
public final class Upstream {
    private static final long CONFIG_KEPT_NANOS = 300_000_000_000L;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final UpstreamHttp http;
    private final UpstreamAuth auth;
    private final CatalogConfig.Rest config;
    private final Clock clock;
    private volatile @Nullable Known known;

    /// What the upstream's `/v1/config` said.
    ///
    /// @param base where its API is, and which prefix goes after `v1/` (empty for none)
    /// @param separator between namespace levels in a path, encoded
    /// @param answer all of it
    record Known(URI base, String prefix, String separator, JsonNode answer, long untilNanos) {}

    public Upstream(UpstreamHttp http, CatalogConfig.Rest config, Clock clock) {
        this.http = http;
        this.config = config;
        this.clock = clock;
        this.auth = new UpstreamAuth(http, config.uri(), config.properties(), clock);
    }

    Map<String, String> properties() {
        return config.properties();
    }

    /// The upstream's configuration, asked for anew.
    Known askConfig() {
        String query = config.warehouse()
                .map(name -> "?warehouse=" + URLEncoder.encode(name, StandardCharsets.UTF_8))
                .orElse("");
        UpstreamHttp.Answer answer = send("GET", resolve(config.uri(), "v1/config" + query), Map.of(), NOTHING);
        if (answer.status() == 508) throw new FailureException(Upstreams.loop());
        if (!answer.isOk()) throw Upstreams.unavailable("the upstream's configuration answers " + answer.status());
        JsonNode json = UpstreamJson.tree(answer.body());
        Map<String, String> all = UpstreamJson.strings(json.path("defaults"));
        all.putAll(config.properties());
        Map<String, String> overrides = UpstreamJson.strings(json.path("overrides"));
        all.putAll(overrides);
        Known fresh = new Known(
                overrides.containsKey("uri") ? uri(overrides.get("uri")) : config.uri(),
                all.getOrDefault("prefix", ""),
                all.getOrDefault("namespace-separator", "%1F"),
                json,
                clock.nanos() + CONFIG_KEPT_NANOS);
        known = fresh;
        return fresh;
    }

    private static URI uri(@Nullable String text) {
        try {
            return new URI(String.valueOf(text));
        } catch (URISyntaxException e) {
            throw Upstreams.unavailable("the upstream names a base that is no URI");
        }
    }

    Known config() {
        Known now = known;
        return now != null && now.untilNanos() - clock.nanos() > 0 ? now : askConfig();
    }

    /// Calls the upstream below its prefix.
    ///
    /// @param rest path and query after `v1/{prefix}/`, encoded
    UpstreamHttp.Answer call(String method, String rest, Map<String, String> headers, ByteBuffer body) {
        Known now = config();
        String path = "v1/" + (now.prefix().isEmpty() ? "" : now.prefix() + "/") + rest;
        return send(method, resolve(now.base(), path), headers, body);
    }

    private UpstreamHttp.Answer send(String method, URI uri, Map<String, String> headers, ByteBuffer body) {
        UpstreamHttp.Answer first = once(method, uri, headers, body);
        boolean again = first.status() == 401 && auth.renew();
        UpstreamHttp.Answer answer = again ? once(method, uri, headers, body) : first;
        if (answer.status() == 401) throw credentialsRefused();
        return answer;
    }

    private UpstreamHttp.Answer once(String method, URI uri, Map<String, String> headers, ByteBuffer body) {
        Map<String, String> all = new HashMap<>(headers);
        all.putAll(auth.headers());
        return http.send(method, uri, all, body);
    }

    static FailureException credentialsRefused() {
        return new FailureException(new Failure(
                Failure.Kind.FORBIDDEN,
                "ForbiddenException",
                "The upstream catalog refuses the credentials that this catalog is registered with"));
    }

    /// @throws FailureException `INVALID` when the path is not one
    static URI resolve(URI base, String path) {
        String start = base.toString().replaceAll("/+$", "");
        try {
            return new URI(start + "/" + path);
        } catch (URISyntaxException e) {
            throw new FailureException(new Failure(
                    Failure.Kind.INVALID, "BadRequestException", "The path or query is not percent-encoded"));
        }
    }
}
