package io.storageengine.catalog;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.storageengine.catalog.iceberg.IcebergJson;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CatalogReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.apache.iceberg.rest.BaseHTTPClient;
import org.apache.iceberg.rest.HTTPHeaders;
import org.apache.iceberg.rest.HTTPRequest;
import org.apache.iceberg.rest.HTTPRequest.HTTPMethod;
import org.apache.iceberg.rest.ImmutableHTTPRequest;
import org.apache.iceberg.rest.ParserContext;
import org.apache.iceberg.rest.RESTClient;
import org.apache.iceberg.rest.RESTResponse;
import org.apache.iceberg.rest.RESTSerializers;
import org.apache.iceberg.rest.auth.AuthSession;
import org.apache.iceberg.rest.responses.ErrorResponse;
import org.apache.iceberg.rest.responses.ErrorResponseParser;
import org.jspecify.annotations.NullUnmarked;

/// Lets Iceberg's Java client talk to a [CatalogService] without HTTP.
@NullUnmarked
public final class DirectClient extends BaseHTTPClient {
    private static final ObjectMapper MAPPER = mapper();

    private final Function<CallCatalog, CatalogReply> service;
    private final String base;
    private final IntConsumer statuses;
    private final Runnable beforeCommits;

    DirectClient(CatalogService service, String base) {
        this(service, base, status -> {}, () -> {});
    }

    /// @param statuses is told the status of each reply
    DirectClient(CatalogService service, String base, IntConsumer statuses) {
        this(service, base, statuses, () -> {});
    }

    /// @param beforeCommits runs when this client is about to commit to a table: others may be faster there
    DirectClient(CatalogService service, String base, Runnable beforeCommits) {
        this(service, base, status -> {}, beforeCommits);
    }

    private DirectClient(CatalogService service, String base, IntConsumer statuses, Runnable beforeCommits) {
        this.service = call -> (CatalogReply) service.answer(call).orThrow();
        this.base = base;
        this.statuses = statuses;
        this.beforeCommits = beforeCommits;
    }

    /// @param service answers a call, or throws what the client's transport would
    public DirectClient(Function<CallCatalog, CatalogReply> service, String base) {
        this.service = service;
        this.base = base;
        this.statuses = status -> {};
        this.beforeCommits = () -> {};
    }

    private static ObjectMapper mapper() {
        ObjectMapper mapper = new ObjectMapper();
        RESTSerializers.registerAll(mapper);
        return mapper;
    }

    @Override
    public RESTClient withAuthSession(AuthSession session) {
        return this;
    }

    @Override
    protected HTTPRequest buildRequest(
            HTTPMethod method, String path, Map<String, String> queryParams, Map<String, String> headers, Object body) {
        return ImmutableHTTPRequest.builder()
                .baseUri(URI.create("http://none.invalid" + base))
                .method(method)
                .path(path)
                .body(body)
                .queryParameters(queryParams == null ? Map.of() : queryParams)
                .headers(HTTPHeaders.of(headers == null ? Map.of() : headers))
                .build();
    }

    @Override
    protected <T extends RESTResponse> T execute(
            HTTPRequest request,
            Class<T> responseType,
            Consumer<ErrorResponse> errorHandler,
            Consumer<Map<String, String>> responseHeaders,
            ParserContext parserContext) {
        CatalogReply reply = reply(request, errorHandler, responseHeaders);
        if (isEmpty(responseType, reply)) return null;
        if (parserContext == null || parserContext.isEmpty()) return IcebergJson.read(reply.body(), responseType);
        try {
            return MAPPER.readerFor(responseType)
                    .with(parserContext.toInjectableValues())
                    .readValue(Room.text(reply));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected <T extends RESTResponse> T execute(
            HTTPRequest request,
            Class<T> responseType,
            Consumer<ErrorResponse> errorHandler,
            Consumer<Map<String, String>> responseHeaders) {
        CatalogReply reply = reply(request, errorHandler, responseHeaders);
        return isEmpty(responseType, reply) ? null : IcebergJson.read(reply.body(), responseType);
    }

    private static boolean isEmpty(Class<?> responseType, CatalogReply reply) {
        return responseType == null || reply.status() == 204 || reply.status() == 304;
    }

    private CatalogReply reply(
            HTTPRequest request, Consumer<ErrorResponse> errorHandler, Consumer<Map<String, String>> responseHeaders) {
        URI uri = request.requestUri();
        if (request.method() == HTTPMethod.POST && uri.getRawPath().contains("/tables/")) beforeCommits.run();
        String body = request.encodedBody() == null ? "" : request.encodedBody();
        CatalogReply reply = service.apply(new CallCatalog(
                request.method().name(),
                uri.getRawPath(),
                uri.getRawQuery() == null ? "" : uri.getRawQuery(),
                headers(request),
                ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8))));
        statuses.accept(reply.status());
        if (reply.status() >= 400) errorHandler.accept(error(request, reply));
        responseHeaders.accept(reply.headers());
        return reply;
    }

    private static Map<String, String> headers(HTTPRequest request) {
        Map<String, String> headers = new HashMap<>(Map.of("content-type", "application/json"));
        request.headers()
                .entries()
                .forEach(header -> headers.put(header.name().toLowerCase(Locale.ROOT), header.value()));
        return headers;
    }

    private static ErrorResponse error(HTTPRequest request, CatalogReply reply) {
        if (request.method() == HTTPMethod.HEAD) {
            return ErrorResponse.builder()
                    .responseCode(reply.status())
                    .withMessage("")
                    .withType("")
                    .build();
        }
        return ErrorResponseParser.fromJson(Room.text(reply));
    }

    @Override
    public void close() {}
}
