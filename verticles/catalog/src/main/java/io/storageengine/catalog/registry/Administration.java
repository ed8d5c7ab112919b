package io.storageengine.catalog.registry;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.storageengine.catalog.iceberg.IcebergJson;
import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.catalog.rest.Call;
import io.storageengine.catalog.rest.Replies;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.message.CatalogReply;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `/catalogs` and `/catalogs/{id}`: register, show, forget. There is no listing, on purpose.
public final class Administration {
    private static final Logger LOG = LoggerFactory.getLogger(Administration.class);
    private static final int BODY_BYTES_MAX = 1 << 20;
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .build();

    private final Registry registry;
    private final ConfigParser parser;
    private final ClusterPlace reserved;

    /// @param reserved where no warehouse may lie
    public Administration(Registry registry, ConfigParser parser, ClusterPlace reserved) {
        this.registry = registry;
        this.parser = parser;
        this.reserved = reserved;
    }

    /// Answers a call of a path with no or one segment. A failure of the storage is 500 without detail.
    public CatalogReply answer(Call call) {
        try {
            return call.path().isEmpty() ? all(call) : one(call, call.path().getFirst());
        } catch (FailureException e) {
            return switch (e.failure().kind()) {
                case INVALID, EXISTS, NOT_FOUND -> Replies.failure(e.failure(), call.writes());
                case UNAUTHENTICATED, FORBIDDEN, CONFLICT, THROTTLED, UNAVAILABLE, UNKNOWN, CORRUPT, BUG -> {
                    LOG.atWarn().addKeyValue("failure", e.failure()).log("catalog administration failed");
                    yield Replies.internal();
                }
            };
        }
    }

    /// Registers a native catalog at its default place, unless the id is taken.
    public void ensureNative(String id) {
        CatalogId.checked(id);
        if (registry.find(id).isPresent()) return;
        try {
            registry.create(id, parser.parse(id, JSON.createObjectNode().put("type", "native")));
        } catch (FailureException e) {
            if (e.failure().kind() != Failure.Kind.EXISTS) throw e;
        }
    }

    private CatalogReply all(Call call) {
        return call.method().equals("POST")
                ? create(call)
                : Replies.methodNotAllowed(call.method(), "/catalogs", List.of("POST"));
    }

    private CatalogReply one(Call call, String segment) {
        String id = CatalogId.checked(segment);
        return switch (call.method()) {
            case "GET", "HEAD" -> Replies.of(found(id).shown());
            case "DELETE" -> {
                registry.delete(id);
                yield Replies.noContent();
            }
            default -> Replies.methodNotAllowed(call.method(), "/catalogs/" + id, List.of("GET", "HEAD", "DELETE"));
        };
    }

    private Registration found(String id) {
        return registry.find(id)
                .orElseThrow(() -> new FailureException(new Failure(
                        Failure.Kind.NOT_FOUND, "NoSuchCatalogException", "Catalog does not exist: " + id)));
    }

    private CatalogReply create(Call call) {
        if (!call.mediaType().equals("application/json") || !call.isUtf8()) {
            return Replies.error(
                    415,
                    "UnsupportedMediaTypeException",
                    "Send the catalog with Content-Type: application/json, in UTF-8");
        }
        if (call.body().remaining() > BODY_BYTES_MAX) {
            return Replies.error(413, "PayloadTooLargeException", "A catalog's JSON has at most 1 MiB");
        }
        JsonNode body = json(call);
        JsonNode id = body.path("catalog_id");
        if (!id.isTextual()) throw ConfigParser.wrong("catalog_id is missing or not a string");
        if (!body.has("config")) throw ConfigParser.wrong("config is missing");
        CatalogId.checked(id.asText());
        ConfigParser.checkKnown(body, "", Set.of("catalog_id", "config"));
        CatalogConfig config = parser.parseNew(id.asText(), body.path("config"));
        if (config instanceof CatalogConfig.Native ours) refuseOverlap(ours);
        Registration created = registry.create(id.asText(), config);
        return Replies.json(201, Map.of("location", "/catalogs/" + created.id()), IcebergJson.write(created.shown()));
    }

    /// Two that think a prefix their own would write into each other's files.
    private void refuseOverlap(CatalogConfig.Native ours) {
        if (!reserved.overlaps(ours.bucket(), ours.prefix())) return;
        throw ConfigParser.wrong("config.warehouse: this place holds the storage of the cluster itself, or lies in it:"
                + " name another bucket, or a prefix beside it");
    }

    private static JsonNode json(Call call) {
        byte[] bytes = new byte[call.body().remaining()];
        call.body().duplicate().get(bytes);
        JsonNode body;
        try {
            body = JSON.readTree(bytes);
        } catch (JacksonException e) {
            // The parser's message may quote the body: not shown.
            JsonLocation at = e.getLocation();
            throw Refusals.malformed(
                    at == null
                            ? "the body is not JSON that can be read: it may be nested too deep"
                            : "the body is not JSON, at line " + at.getLineNr() + ", column " + at.getColumnNr());
        } catch (IOException e) {
            throw Refusals.malformed("the body is not JSON");
        }
        if (body.isMissingNode()) throw Refusals.malformed("the body is empty");
        if (!body.isObject()) throw ConfigParser.wrong("the body must be an object with catalog_id and config");
        return body;
    }
}
