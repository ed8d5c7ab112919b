package io.storageengine.gateway.door;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// One request and its answer. What answers may be called from any thread, and the first answer counts.
public final class Exchange {
    private final HttpServerRequest request;
    private final Context context;
    private final String id;
    private final Target target;
    private final Map<String, String> headers;
    private final AtomicBoolean answered = new AtomicBoolean();
    private final EarlyAnswer early;
    private Runnable whenOver = () -> {};
    private boolean continued;

    Exchange(HttpServerRequest request, Context context, String id) {
        this.request = request;
        this.context = context;
        this.id = id;
        this.target = Target.parse(request.uri());
        this.headers = headersOf(request);
        this.early = new EarlyAnswer(request);
    }

    private static Map<String, String> headersOf(HttpServerRequest request) {
        Map<String, String> headers = new TreeMap<>();
        for (Map.Entry<String, String> header : request.headers()) {
            headers.merge(header.getKey().toLowerCase(Locale.ROOT), header.getValue(), (a, b) -> a + "," + b);
        }
        if (request.version() == HttpVersion.HTTP_2 && request.authority() != null) {
            headers.putIfAbsent("host", request.authority().toString());
        }
        return Map.copyOf(headers);
    }

    /// The request's id: in the answer's `x-request-id` and in the log.
    public String id() {
        return id;
    }

    /// The client's address and port: the same for all requests of one connection.
    public String connection() {
        return String.valueOf(request.remoteAddress());
    }

    public String method() {
        return request.method().name();
    }

    public Target target() {
        return target;
    }

    /// All headers, names in lower case, several values joined by `,`.
    public Map<String, String> headers() {
        return headers;
    }

    /// One header; null when it is not there.
    public @Nullable String header(String name) {
        return headers.get(name);
    }

    /// The length that the request declares, -1 when it does not.
    public long contentLength() {
        String length = header("content-length");
        try {
            return length == null ? -1 : Long.parseLong(length);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    public boolean isHttp1() {
        return request.version() != HttpVersion.HTTP_2;
    }

    /// The event loop of this request.
    public Context context() {
        return context;
    }

    HttpServerRequest request() {
        return request;
    }

    /// Whether an answer has begun.
    public boolean isAnswered() {
        return answered.get();
    }

    /// Whether the client went away, or has its answer already; on the event loop.
    public boolean isGone() {
        return request.response().closed();
    }

    /// Calls `action` on the event loop when the connection closes before the answer is out.
    public void onGone(Runnable action) {
        request.response().closeHandler(v -> action.run());
    }

    /// The body in pieces, pushed; on the request's event loop.
    public BodyFeed feed() {
        return new BodyFeed(this);
    }

    /// The body as a stream for a virtual thread; at most about a mebibyte of it waits in memory. Call it on
    /// the event loop or off it; the client is told to continue by the first read.
    public InputStream stream() {
        return new BodyStream(this);
    }

    /// The whole body; fails with [FailureException] `INVALID` (`RequestTooLarge`) beyond `bytesMax`. On the
    /// event loop.
    public Future<Buffer> whole(int bytesMax) {
        Promise<Buffer> promise = Promise.promise();
        if (contentLength() > bytesMax) {
            promise.fail(tooLarge(bytesMax));
            return promise.future();
        }
        Buffer whole = Buffer.buffer();
        request.handler(part -> {
            if (whole.length() + part.length() > bytesMax) promise.tryFail(tooLarge(bytesMax));
            else whole.appendBuffer(part);
        });
        request.exceptionHandler(promise::tryFail);
        request.endHandler(v -> promise.tryComplete(whole));
        sendContinue();
        request.resume();
        return promise.future();
    }

    private static FailureException tooLarge(int bytesMax) {
        return new FailureException(new Failure(
                Failure.Kind.INVALID, "RequestTooLarge", "The request's body is over " + bytesMax + " bytes"));
    }

    /// Tells a client that waits for it (`Expect: 100-continue`) to send the body; on the event loop.
    void sendContinue() {
        String expect = header("expect");
        if (continued || expect == null || !expect.equalsIgnoreCase("100-continue")) return;
        continued = true;
        request.response().writeContinue();
    }

    /// Answers whole.
    public void answer(Reply reply) {
        onLoop(() -> {
            if (!answered.compareAndSet(false, true)) return;
            HttpServerResponse response = begin(reply.status(), reply.headers());
            Future<Void> end =
                    reply.body().length() == 0 || method().equals("HEAD") ? response.end() : response.end(reply.body());
            end.onComplete(done -> ended());
        });
    }

    /// Answers with a body of known length from a stream; blocks the calling virtual thread until it is sent.
    ///
    /// @throws IOException when the client went away or the stream broke; the connection is closed then
    public void answer(int status, Map<String, String> headers, long length, InputStream body) throws IOException {
        if (!answered.compareAndSet(false, true)) return;
        ResponsePipe pipe = new ResponsePipe(this);
        onLoop(() -> begin(status, headers).putHeader("content-length", Long.toString(length)));
        pipe.copy(body, length);
    }

    /// Begins an answer of unknown length; empty when another answer was faster.
    public Optional<LiveAnswer> live(int status, Map<String, String> headers) {
        if (!answered.compareAndSet(false, true)) return Optional.empty();
        LiveAnswer live = new LiveAnswer(this);
        onLoop(() -> begin(status, headers).setChunked(true));
        return Optional.of(live);
    }

    /// Calls `action` once when the exchange is over, however it ends; on the event loop.
    void onOver(Runnable action) {
        whenOver = action;
        request.response().endHandler(v -> over());
    }

    /// Vert.x says that a response has ended; where a connection breaks in an odd moment, only its last write
    /// does.
    private void over() {
        Runnable action = whenOver;
        whenOver = () -> {};
        action.run();
    }

    /// The answer is out, or never will be; on the event loop.
    void ended() {
        over();
        early.end(context.owner());
    }

    private HttpServerResponse begin(int status, Map<String, String> headers) {
        early.begin();
        HttpServerResponse response = request.response();
        response.setStatusCode(status);
        headers.forEach(response::putHeader);
        response.putHeader("x-request-id", id);
        return response;
    }

    void onLoop(Runnable action) {
        context.runOnContext(v -> action.run());
    }
}
