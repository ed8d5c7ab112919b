package io.storageengine.gateway.auth;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Optional;

/// Reads which catalog a `POST /catalogs` is about. As strict as the catalog room's own reading (no field
/// twice, nothing after the end), so that both see the same id or the room refuses the body.
final class RegistrationBody {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .build();

    private RegistrationBody() {}

    /// The id of the catalog that is to be at its default place of this storage, or at another REST server.
    /// Empty when it is to be at a `warehouse` of the client's choice, and when the body is no JSON or names no
    /// catalog.
    static Optional<String> ownPlace(byte[] body) {
        try {
            JsonNode registration = JSON.readTree(body);
            JsonNode id = registration.path("catalog_id");
            JsonNode config = registration.path("config");
            boolean own =
                    !config.has("warehouse") || config.path("type").asText().equals("rest");
            return own && id.isTextual() ? Optional.of(id.asText()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
