package io.storageengine.gateway.iceberg;

import io.netty.buffer.Unpooled;
import io.storageengine.bus.BusAsk;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.gateway.auth.Access;
import io.storageengine.gateway.auth.Caller;
import io.storageengine.gateway.auth.Level;
import io.storageengine.gateway.auth.Need;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Carries calls of `/catalogs…` to the catalog room and its answers back; knows nothing of what they mean.
public final class CatalogFront implements Front<Route.Catalog> {
    private static final Logger LOG = LoggerFactory.getLogger(CatalogFront.class);
    private static final long READ_MILLIS = 30_000;
    private static final long WRITE_MILLIS = 60_000;

    private final BusAsk ask;
    private final Access access;
    private final int bodyBytesMax;

    public CatalogFront(BusAsk ask, Access access, int bodyBytesMax) {
        this.ask = ask;
        this.access = access;
        this.bodyBytesMax = bodyBytesMax;
    }

    @Override
    public void handle(Exchange exchange, Route.Catalog route) {
        Need need = Need.of(exchange.method(), exchange.target().path());
        access.admit(exchange, need, caller -> enter(exchange, need, caller), failure -> refuse(exchange, failure));
    }

    private void enter(Exchange exchange, Need need, Caller caller) {
        exchange.whole(bodyBytesMax)
                .onSuccess(body -> {
                    switch (need) {
                        case Need.On(String catalog, Level level) ->
                            call(exchange, body, caller, !caller.may(catalog, Level.WRITE));
                        case Need.Registering registering -> register(exchange, body, caller, registering);
                    }
                })
                .onFailure(e -> {
                    if (e instanceof FailureException known) refuse(exchange, known.failure());
                });
    }

    /// Whom a catalog may be made by is known once its id is.
    private void register(Exchange exchange, Buffer body, Caller caller, Need.Registering need) {
        need.refusal(caller, body.getBytes())
                .ifPresentOrElse(failure -> refuse(exchange, failure), () -> call(exchange, body, caller, false));
    }

    private void call(Exchange exchange, Buffer body, Caller caller, boolean keyless) {
        CallCatalog call = new CallCatalog(
                exchange.method(),
                exchange.target().path(),
                exchange.target().query(),
                headers(exchange, keyless),
                ByteBuffer.wrap(body.getBytes()),
                caller.principal());
        ask.askLater(call, call.writes() ? WRITE_MILLIS : READ_MILLIS)
                .onSuccess(outcome -> answer(exchange, keyless, outcome))
                .onFailure(e -> {
                    LOG.error("request {} failed", exchange.id(), e);
                    refuse(exchange, new Failure(Failure.Kind.BUG, "an internal error"));
                });
    }

    /// What opens this door is not the next one's business; whose connection it is, is.
    private static Map<String, String> headers(Exchange exchange, boolean keyless) {
        Map<String, String> headers = new HashMap<>(exchange.headers());
        headers.remove("authorization");
        headers.put(CallCatalog.CONNECTION, exchange.connection());
        if (keyless) headers.keySet().removeAll(Keyless.NOT_ASKED);
        return headers;
    }

    private void answer(Exchange exchange, boolean keyless, Outcome<CatalogReply> outcome) {
        switch (outcome) {
            case Outcome.Ok<CatalogReply>(CatalogReply reply) -> {
                if (keyless && Keyless.concerns(exchange, reply)) withoutKeys(exchange, reply);
                else exchange.answer(reply(reply));
            }
            case Outcome.Failed<CatalogReply>(Failure failure) -> refuse(exchange, failure);
        }
    }

    /// A table's metadata may be long: it is not read again on the event loop.
    private void withoutKeys(Exchange exchange, CatalogReply reply) {
        Thread.ofVirtual().name("keyless").start(() -> {
            switch (Keyless.of(reply)) {
                case Outcome.Ok<Reply>(Reply without) -> exchange.answer(without);
                case Outcome.Failed<Reply>(Failure failure) -> refuse(exchange, failure);
            }
        });
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
