package io.storageengine.catalog.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// How this server proves itself to one upstream: `header.X` properties as headers; `token` as a bearer
/// token; or `credential` (`id:secret`) exchanged for a token by OAuth 2 client credentials (RFC 6749,
/// section 4.4) at `oauth2-server-uri`, by default the upstream's `v1/oauth/tokens`.
final class UpstreamAuth {
    private static final String HEADER = "header.";
    private static final long LIFETIME_SECONDS_DEFAULT = 3_600;

    private final UpstreamHttp http;
    private final URI base;
    private final Map<String, String> properties;
    private final Clock clock;
    private final ReentrantLock fetching = new ReentrantLock();
    private volatile @Nullable Token token;

    private record Token(String value, long untilNanos) {
        @Override
        public String toString() {
            return "Token";
        }
    }

    UpstreamAuth(UpstreamHttp http, URI base, Map<String, String> properties, Clock clock) {
        this.http = http;
        this.base = base;
        this.properties = properties;
        this.clock = clock;
    }

    /// The headers of a request. May cost a request for a token.
    Map<String, String> headers() {
        Map<String, String> headers = new HashMap<>();
        properties.forEach((name, value) -> {
            if (name.startsWith(HEADER)) headers.put(name.substring(HEADER.length()), value);
        });
        String fixed = properties.get("token");
        String credential = properties.get("credential");
        if (fixed != null) headers.put("Authorization", "Bearer " + fixed);
        else if (credential != null) headers.put("Authorization", "Bearer " + current(credential));
        return headers;
    }

    /// Forgets the token that was refused, when another can be had.
    boolean renew() {
        token = null;
        return properties.containsKey("credential") && !properties.containsKey("token");
    }

    private String current(String credential) {
        Token now = token;
        if (now != null && now.untilNanos() - clock.nanos() > 0) return now.value();
        fetching.lock();
        try {
            Token again = token;
            if (again != null && again.untilNanos() - clock.nanos() > 0) return again.value();
            Token fetched = fetch(credential);
            token = fetched;
            return fetched.value();
        } finally {
            fetching.unlock();
        }
    }

    private Token fetch(String credential) {
        long began = clock.nanos();
        ByteBuffer body = ByteBuffer.wrap(form(credential).getBytes(StandardCharsets.US_ASCII));
        UpstreamHttp.Answer answer;
        try {
            answer = http.send("POST", tokenUri(), Map.of("Content-Type", "application/x-www-form-urlencoded"), body);
        } catch (FailureException e) {
            // Whether a token was made does not matter: the request that needs it was not sent.
            throw e.failure().kind() == Failure.Kind.UNKNOWN ? Upstreams.unavailable("the upstream gave no token") : e;
        }
        if (!answer.isOk()) throw Upstream.credentialsRefused();
        JsonNode json = UpstreamJson.tree(answer.body());
        String value = json.path("access_token").asText();
        if (value.isEmpty()) throw Upstream.credentialsRefused();
        long seconds = json.path("expires_in").asLong(LIFETIME_SECONDS_DEFAULT);
        return new Token(value, began + Math.max(1, seconds * 9 / 10) * 1_000_000_000L);
    }

    private URI tokenUri() {
        String uri = properties.getOrDefault("oauth2-server-uri", "v1/oauth/tokens");
        return uri.contains("://") ? URI.create(uri) : Upstream.resolve(base, uri);
    }

    private String form(String credential) {
        int colon = credential.indexOf(':');
        Map<String, String> form = new TreeMap<>();
        form.put("grant_type", "client_credentials");
        if (colon >= 0) form.put("client_id", credential.substring(0, colon));
        form.put("client_secret", credential.substring(colon + 1));
        form.put("scope", properties.getOrDefault("scope", "catalog"));
        return form.entrySet().stream()
                .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
