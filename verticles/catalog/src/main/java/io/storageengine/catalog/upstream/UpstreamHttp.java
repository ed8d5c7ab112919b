package io.storageengine.catalog.upstream;

import io.storageengine.catalog.rest.Replies;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/// HTTP/1.1 to upstream catalogs: no redirects, bounded in time and size, only to allowed addresses.
public final class UpstreamHttp {
    private static final int ANSWER_BYTES_MAX = 256 << 20;

    private final HttpClient client;
    private final AddressRule rule;
    private final long timeoutMillis;

    /// @param timeoutMillis the longest wait for a whole answer
    public UpstreamHttp(AddressRule rule, long timeoutMillis) {
        this.rule = rule;
        this.timeoutMillis = timeoutMillis;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(Duration.ofMillis(Math.min(timeoutMillis, 10_000)))
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
    }

    /// What came back.
    ///
    /// @param headers names in lower case, of several values the first
    record Answer(int status, Map<String, String> headers, ByteBuffer body) {
        boolean isOk() {
            return status >= 200 && status < 300;
        }
    }

    /// Sends one request.
    ///
    /// @throws FailureException `UNAVAILABLE` when it was not sent, or only read; `UNKNOWN` when it writes
    ///     and may have arrived; `FORBIDDEN` for an address that may not be called; `UNAVAILABLE`
    ///     ([Replies#UPSTREAM_LOOP]) when the call came from too many servers already
    Answer send(String method, URI uri, Map<String, String> headers, ByteBuffer body) {
        rule.checkResolved(uri);
        boolean writes = !(method.equals("GET") || method.equals("HEAD"));
        CompletableFuture<HttpResponse<byte[]>> pending = client.sendAsync(
                request(method, uri, headers, body),
                BodyHandlers.limiting(BodyHandlers.ofByteArray(), ANSWER_BYTES_MAX));
        try {
            return answer(pending.get(timeoutMillis, TimeUnit.MILLISECONDS), writes);
        } catch (ExecutionException e) {
            throw failed(kind(e.getCause(), writes), "the upstream catalog cannot be reached");
        } catch (TimeoutException e) {
            pending.cancel(true);
            throw failed(
                    writes ? Failure.Kind.UNKNOWN : Failure.Kind.UNAVAILABLE, "the upstream catalog does not answer");
        } catch (InterruptedException e) {
            pending.cancel(true);
            Thread.currentThread().interrupt();
            throw new FailureException(writes ? Failure.Kind.UNKNOWN : Failure.Kind.UNAVAILABLE, "interrupted");
        }
    }

    private static HttpRequest request(String method, URI uri, Map<String, String> headers, ByteBuffer body) {
        byte[] bytes = new byte[body.remaining()];
        body.duplicate().get(bytes);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .method(
                        method,
                        bytes.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(bytes));
        headers.forEach(request::setHeader);
        request.setHeader("accept-encoding", "identity");
        request.setHeader(Hops.HEADER, Hops.next());
        return request.build();
    }

    private static Answer answer(HttpResponse<byte[]> response, boolean writes) {
        Map<String, String> headers = new HashMap<>();
        response.headers().map().forEach((name, values) -> {
            if (!values.isEmpty()) headers.put(name.toLowerCase(Locale.ROOT), values.getFirst());
        });
        byte[] body = decoded(response.body(), headers.getOrDefault("content-encoding", "identity"), writes);
        return new Answer(response.statusCode(), headers, ByteBuffer.wrap(body));
    }

    /// Some compress unasked. What is in an answer must be seen here: it may hold what is this server's own.
    private static byte[] decoded(byte[] body, String coding, boolean writes) {
        if (body.length == 0 || coding.equalsIgnoreCase("identity")) return body;
        Failure.Kind kind = writes ? Failure.Kind.UNKNOWN : Failure.Kind.UNAVAILABLE;
        if (!coding.equalsIgnoreCase("gzip") && !coding.equalsIgnoreCase("x-gzip")) {
            throw failed(kind, "the upstream catalog answers in a coding that nobody asked for: " + coding);
        }
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
            byte[] plain = in.readNBytes(ANSWER_BYTES_MAX + 1);
            if (plain.length <= ANSWER_BYTES_MAX) return plain;
            throw failed(kind, "the upstream catalog's answer is too long");
        } catch (IOException e) {
            throw failed(kind, "the upstream catalog's answer cannot be unpacked");
        }
    }

    private static FailureException failed(Failure.Kind kind, String message) {
        return new FailureException(new Failure(kind, Replies.UPSTREAM_FAILED, message));
    }

    private static Failure.Kind kind(@Nullable Throwable cause, boolean writes) {
        boolean unsent = cause instanceof ConnectException
                || cause instanceof HttpConnectTimeoutException
                || cause instanceof UnresolvedAddressException
                || (cause instanceof IOException && cause.getCause() instanceof ConnectException);
        return writes && !unsent ? Failure.Kind.UNKNOWN : Failure.Kind.UNAVAILABLE;
    }
}
