package io.storageengine.catalog.registry;

import com.fasterxml.jackson.databind.JsonNode;
import io.storageengine.catalog.iceberg.Location;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/// Reads the `config` of a catalog.
public final class ConfigParser {
    private static final int PORT_MAX = 65_535;
    private final Consumer<URI> allowed;

    /// @param allowed throws a [FailureException] for addresses that must not be called
    public ConfigParser(Consumer<URI> allowed) {
        this.allowed = allowed;
    }

    /// Reads what somebody sent: a field that is not known here would be a wish that is not fulfilled.
    ///
    /// @throws FailureException as of [#parse]
    CatalogConfig parseNew(String id, JsonNode config) {
        CatalogConfig parsed = parse(id, config);
        switch (parsed) {
            case CatalogConfig.Native n -> checkKnown(config, "config.", Set.of("type", "warehouse"));
            case CatalogConfig.Rest r ->
                checkKnown(config, "config.", Set.of("type", "uri", "warehouse", "properties"));
        }
        return parsed;
    }

    static void checkKnown(JsonNode object, String path, Set<String> known) {
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            if (known.contains(field.getKey())) continue;
            throw wrong("The field " + path + field.getKey() + " is not known here: known are " + path
                    + String.join(", " + path, new TreeSet<>(known)));
        }
    }

    /// @throws FailureException `INVALID` (`UnprocessableEntityException`) with what is wrong, never the
    ///     value of a property
    CatalogConfig parse(String id, JsonNode config) {
        if (!config.isObject()) throw wrong("config must be an object with a type");
        return switch (text(config, "type").orElseThrow(() -> wrong("config.type is missing: native or rest"))) {
            case "native" -> ours(id, text(config, "warehouse"));
            case "rest" -> rest(config);
            case String other -> throw wrong("config.type must be native or rest, not '" + other + "'");
        };
    }

    private static CatalogConfig ours(String id, Optional<String> warehouse) {
        if (warehouse.isEmpty()) return new CatalogConfig.Native(defaultBucket(id), "");
        try {
            Location location = Location.parse(warehouse.get());
            String prefix = location.key().replaceAll("/+$", "");
            return new CatalogConfig.Native(location.bucket(), prefix.isEmpty() ? "" : prefix + "/");
        } catch (FailureException e) {
            throw wrong("config.warehouse: " + e.failure().message());
        }
    }

    /// The id, where it can be the name of a bucket; else the nearest name that can, made unique by a hash.
    private static String defaultBucket(String id) {
        if (Location.isBucketName(id)) return id;
        String plain = id.replace('_', '-').replaceAll("-+$", "");
        String start = plain.length() > 54 ? plain.substring(0, 54) : plain;
        return start + "-" + hash(id);
    }

    private static String hash(String id) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 4);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private CatalogConfig rest(JsonNode config) {
        String text = text(config, "uri").orElseThrow(() -> wrong("config.uri is missing"));
        return new CatalogConfig.Rest(uri(text), text(config, "warehouse"), properties(config.path("properties")));
    }

    private URI uri(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw wrong("config.uri is not a URI");
        }
        String scheme = String.valueOf(uri.getScheme());
        if (!scheme.equalsIgnoreCase("http") && !scheme.equalsIgnoreCase("https")) {
            throw wrong("config.uri must begin with http:// or https://");
        }
        if (uri.getHost() == null) throw wrong("config.uri has no host");
        if (uri.getPort() > PORT_MAX) throw wrong("config.uri has no such port: " + uri.getPort());
        if (uri.getRawUserInfo() != null) {
            throw wrong("config.uri must not hold a user or password: use the properties token or credential");
        }
        if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw wrong("config.uri must not have a query or fragment");
        }
        allowed.accept(uri);
        return uri;
    }

    private static Map<String, String> properties(JsonNode node) {
        if (node.isMissingNode() || node.isNull()) return Map.of();
        if (!node.isObject()) throw wrong("config.properties must be an object of strings");
        Map<String, String> properties = new HashMap<>();
        for (Map.Entry<String, JsonNode> property : node.properties()) {
            if (!property.getValue().isTextual()) {
                throw wrong("config.properties['" + property.getKey() + "'] must be a string");
            }
            properties.put(property.getKey(), property.getValue().asText());
        }
        return properties;
    }

    private static Optional<String> text(JsonNode node, String name) {
        JsonNode value = node.path(name);
        if (value.isMissingNode() || value.isNull()) return Optional.empty();
        if (!value.isTextual()) throw wrong("config." + name + " must be a string");
        return Optional.of(value.asText());
    }

    static FailureException wrong(String message) {
        return new FailureException(new Failure(Failure.Kind.INVALID, "UnprocessableEntityException", message));
    }
}
