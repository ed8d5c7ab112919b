package io.storageengine.gateway.iceberg;

import io.netty.buffer.Unpooled;
import io.storageengine.bus.BusAsk;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.gateway.auth.BearerToken;
import io.storageengine.gateway.door.Exchange;
import io.storageengine.gateway.door.Front;
import io.storageengine.gateway.door.Reply;
import io.storageengine.gateway.door.RestErrors;
import io.storageengine.gateway.door.Route;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Carries calls of `/catalogs…` to the catalog room and its answers back; knows nothing of what they mean.
public final class CatalogFront implements Front<Route.Catalog> {
    private static final Logger LOG = LoggerFactory.getLogger(CatalogFront.class);
    private static final long READ_MILLIS = 30_000;
    private static final long WRITE_MILLIS = 60_000;

    private final BusAsk ask;
    private final BearerToken token;
    private final int bodyBytesMax;

    public CatalogFront(BusAsk ask, BearerToken token, int bodyBytesMax) {
        this.ask = ask;
        this.token = token;
        this.bodyBytesMax = bodyBytesMax;
    }

    @Override
    public void handle(Exchange exchange, Route.Catalog route) {
        Optional<Failure> refusal = token.refusal(exchange);
        if (refusal.isPresent()) {
            refuse(exchange, refusal.get());
            return;
        }
        exchange.whole(bodyBytesMax).onSuccess(body -> call(exchange, body)).onFailure(e -> {
            if (e instanceof FailureException known) refuse(exchange, known.failure());
        });
    }

    private void call(Exchange exchange, Buffer body) {
        CallCatalog call = new CallCatalog(
                exchange.method(),
                exchange.target().path(),
                exchange.target().query(),
                headers(exchange),
                ByteBuffer.wrap(body.getBytes()));
        ask.askLater(call, call.writes() ? WRITE_MILLIS : READ_MILLIS)
                .onSuccess(outcome -> answer(exchange, outcome))
                .onFailure(e -> {
                    LOG.error("request {} failed", exchange.id(), e);
                    refuse(exchange, new Failure(Failure.Kind.BUG, "an internal error"));
                });
    }

    /// What opens this door is not the next one's business; whose connection it is, is.
    private static Map<String, String> headers(Exchange exchange) {
        Map<String, String> headers = new HashMap<>(exchange.headers());
        headers.remove("authorization");
        headers.put(CallCatalog.CONNECTION, exchange.connection());
        return headers;
    }

    private void answer(Exchange exchange, Outcome<CatalogReply> outcome) {
        switch (outcome) {
            case Outcome.Ok<CatalogReply>(CatalogReply reply) -> exchange.answer(reply(reply));
            case Outcome.Failed<CatalogReply>(Failure failure) -> refuse(exchange, failure);
        }
    }

    private static Reply reply(CatalogReply reply) {
        Buffer body = BufferInternal.buffer(Unpooled.wrappedBuffer(reply.body().duplicate()));
        return new Reply(reply.status(), reply.headers(), body);
    }

    @Override
    public void refuse(Exchange exchange, Failure failure) {
        if (failure.kind() == Failure.Kind.UNKNOWN || failure.kind() == Failure.Kind.BUG) {
            LOG.warn("request {}: {} {}", exchange.id(), failure.code(), failure.message());
        }
        exchange.answer(RestErrors.reply(failure, commits(exchange)));
    }

    /// Commits to tables and views, alone or several at once.
    static boolean commits(Exchange exchange) {
        String[] parts = exchange.target().path().split("/", -1);
        if (!exchange.method().equals("POST") || parts.length < 6) return false;
        boolean one = parts.length == 8 && (parts[6].equals("tables") || parts[6].equals("views"));
        return one || (parts[4].equals("transactions") && parts[5].equals("commit"));
    }
}
