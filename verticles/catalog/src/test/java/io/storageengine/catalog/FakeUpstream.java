package io.storageengine.catalog;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CatalogReply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/// An Iceberg REST catalog over real HTTP, with a prefix, bearer tokens by client credentials, and faults: the
/// protocol is done by a native catalog of another room.
final class FakeUpstream implements AutoCloseable {
    static final String ENDPOINTS = "[\"GET /v1/{prefix}/namespaces/{namespace}/tables/{table}\","
            + "\"POST /v1/{prefix}/namespaces/{namespace}/tables/{table}\"]";
    static final String CREDENTIAL = "cl13nt:s3cret99";

    /// What becomes of a request.
    interface Fault {
        /// Called after the request was done (`done`) and before; true to cut the connection without an answer.
        boolean cuts(String request, boolean done);
    }

    final Room room = Room.dev();
    final List<String> requests = new CopyOnWriteArrayList<>();
    volatile Fault fault = (request, done) -> false;
    volatile int answerInstead;
    /// What is answered with 200 in place of everything; empty for nothing special.
    volatile String bodyInstead = "";
    /// How answers are packed, unasked: `gzip`, or a coding that nobody knows; empty for not at all.
    volatile String coding = "";
    volatile String token = "tok-1";
    private final HttpServer server;

    FakeUpstream() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/base/v1/oauth/tokens", this::token);
        server.createContext("/base/v1/config", this::config);
        server.createContext("/base/v1/pre/fix/", this::call);
        server.start();
    }

    String uri() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/base";
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void token(HttpExchange exchange) throws IOException {
        requests.add("TOKEN");
        String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        boolean right = form.contains("client_id=cl13nt") && form.contains("client_secret=s3cret99");
        answer(
                exchange,
                right ? 200 : 401,
                right
                        ? "{\"access_token\":\"" + token + "\",\"token_type\":\"bearer\",\"expires_in\":3600}"
                        : "{\"error\":\"invalid_client s3cret99\"}");
    }

    private boolean isUnknown(HttpExchange exchange) throws IOException {
        boolean unknown =
                !("Bearer " + token).equals(exchange.getRequestHeaders().getFirst("Authorization"));
        if (unknown) answer(exchange, 401, "{\"error\":{\"message\":\"bad token\",\"type\":\"x\",\"code\":401}}");
        return unknown;
    }

    private void config(HttpExchange exchange) throws IOException {
        requests.add("CONFIG " + exchange.getRequestURI().getRawQuery());
        if (isUnknown(exchange)) return;
        answer(
                exchange,
                200,
                "{\"defaults\":{\"clients\":\"4\",\"token\":\"theirs\"},\"overrides\":{\"prefix\":\"pre/fix\","
                        + "\"uri\":\"" + uri() + "\"},\"endpoints\":" + ENDPOINTS + "}");
    }

    private void call(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getRawPath().substring("/base/v1/pre/fix/".length());
        String request = exchange.getRequestMethod() + " " + path;
        requests.add(request);
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (fault.cuts(request, false)) {
            exchange.close();
            return;
        }
        if (isUnknown(exchange)) return;
        if (answerInstead != 0) {
            answer(exchange, answerInstead, "<html>backend 10.0.0.7 " + token + "</html>");
            return;
        }
        if (!bodyInstead.isEmpty()) {
            answer(exchange, 200, bodyInstead);
            return;
        }
        String query = exchange.getRequestURI().getRawQuery();
        CatalogReply reply = (CatalogReply) room.service
                .answer(new CallCatalog(
                        exchange.getRequestMethod(),
                        "/catalogs/dev/v1/" + path,
                        query == null ? "" : query,
                        headers(exchange),
                        ByteBuffer.wrap(body)))
                .orThrow();
        if (fault.cuts(request, true)) {
            exchange.close();
            return;
        }
        // A catalog that vends credentials with a table, and a token for itself.
        String text = Room.text(reply)
                .replace(
                        "\"config\":{",
                        "\"storage-credentials\":[{\"prefix\":\"s3\",\"config\":{\"s3.access-key-id\":\"vended\"}}],"
                                + "\"config\":{\"token\":\"for-the-upstream\",")
                .replace("-upstream\",}", "-upstream\"}");
        answer(exchange, reply.status(), text);
    }

    private byte[] packed(byte[] bytes) throws IOException {
        if (!coding.equals("gzip") || bytes.length == 0) return bytes;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
            zip.write(bytes);
        }
        return out.toByteArray();
    }

    private static Map<String, String> headers(HttpExchange exchange) {
        return exchange.getRequestHeaders().entrySet().stream()
                .collect(Collectors.toMap(
                        entry -> entry.getKey().toLowerCase(Locale.ROOT),
                        entry -> entry.getValue().getFirst()));
    }

    private void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = packed(body.getBytes(StandardCharsets.UTF_8));
        if (!coding.isEmpty()) exchange.getResponseHeaders().set("Content-Encoding", coding);
        boolean none = bytes.length == 0 || exchange.getRequestMethod().equals("HEAD");
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, none ? -1 : bytes.length);
        if (!none) exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
