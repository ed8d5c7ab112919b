package io.storageengine.catalog.iceberg;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.storageengine.core.FailureException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.stream.Collectors;
import org.apache.iceberg.rest.RESTSerializers;

/// The JSON of the Iceberg REST protocol, by Iceberg's own serializers. Unknown fields are ignored: newer
/// clients send them.
public final class IcebergJson {
    private static final ObjectMapper MAPPER = mapper();

    private IcebergJson() {}

    private static ObjectMapper mapper() {
        JsonFactory factory = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(Integer.MAX_VALUE)
                        .build())
                .build();
        ObjectMapper mapper = JsonMapper.builder(factory)
                .visibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
                .build();
        RESTSerializers.registerAll(mapper);
        return mapper;
    }

    /// Reads a request.
    ///
    /// @throws FailureException `INVALID` when it is not JSON of that form
    public static <T> T read(ByteBuffer body, Class<T> type) {
        byte[] bytes = new byte[body.remaining()];
        body.duplicate().get(bytes);
        T read;
        try {
            read = MAPPER.readValue(bytes, type);
        } catch (JsonMappingException e) {
            throw Refusals.malformed(form(e));
        } catch (JacksonException e) {
            throw Refusals.malformed(place(e));
        } catch (IOException | RuntimeException e) {
            throw Refusals.malformed(Refusals.said(e));
        }
        if (read == null) throw Refusals.malformed("the body is empty");
        return read;
    }

    /// Jackson's own words tell of Java and quote the body: here it says where, and Iceberg's parsers what.
    private static String form(JsonMappingException e) {
        if (e.getCause() instanceof IllegalArgumentException known) return Refusals.said(known);
        String path = e.getPath().stream()
                .map(step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : step.getFieldName())
                .collect(Collectors.joining("."));
        return path.isEmpty() ? "the JSON does not have the form of this request" : path + " has a wrong form";
    }

    private static String place(JacksonException e) {
        JsonLocation at = e.getLocation();
        return at == null
                ? "the body is not JSON that can be read: it may be nested too deep"
                : "the body is not JSON, at line " + at.getLineNr() + ", column " + at.getColumnNr();
    }

    public static byte[] write(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
