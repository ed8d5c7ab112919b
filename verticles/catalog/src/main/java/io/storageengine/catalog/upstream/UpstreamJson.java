package io.storageengine.catalog.upstream;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.storageengine.core.FailureException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/// JSON of upstreams, as trees: what is passed on stays as it was.
final class UpstreamJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private UpstreamJson() {}

    /// @throws FailureException `UNAVAILABLE` when it is not JSON
    static JsonNode tree(ByteBuffer body) {
        JsonNode tree = treeOrMissing(body);
        if (tree.isObject()) return tree;
        throw Upstreams.unavailable("the upstream catalog's answer is not JSON");
    }

    /// The tree, or a missing node when it is not JSON.
    static JsonNode treeOrMissing(ByteBuffer body) {
        byte[] bytes = new byte[body.remaining()];
        body.duplicate().get(bytes);
        try {
            return MAPPER.readTree(bytes);
        } catch (IOException e) {
            return MissingNode.getInstance();
        }
    }

    /// Whether a body is one JSON object and nothing else; it is read through, not kept.
    static boolean isObject(ByteBuffer body) {
        byte[] bytes = new byte[body.remaining()];
        body.duplicate().get(bytes);
        try (JsonParser parser = MAPPER.createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) return false;
            parser.skipChildren();
            return parser.nextToken() == null;
        } catch (IOException e) {
            return false;
        }
    }

    static byte[] bytes(JsonNode tree) {
        try {
            return MAPPER.writeValueAsBytes(tree);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// An object's fields as text; empty when it is none.
    static Map<String, String> strings(JsonNode object) {
        Map<String, String> strings = new HashMap<>();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            if (field.getValue().isValueNode() && !field.getValue().isNull()) {
                strings.put(field.getKey(), field.getValue().asText());
            }
        }
        return strings;
    }
}
