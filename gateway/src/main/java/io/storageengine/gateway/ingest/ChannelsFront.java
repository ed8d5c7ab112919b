package io.storageengine.gateway.ingest;

import io.storageengine.bus.BusAsk;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.CallChannel;
import io.storageengine.core.message.CallChannel.Act;
import io.storageengine.core.message.ChannelStatus;
import io.storageengine.core.message.TableRef;
import io.storageengine.gateway.auth.Access;
import io.storageengine.gateway.auth.Need;
import io.storageengine.gateway.door.Exchange;
import io.storageengine.gateway.door.Front;
import io.storageengine.gateway.door.Reply;
import io.storageengine.gateway.door.Route;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/// Opens, asks for, passes on, closes and retires channels: `…/tables/{table}/channels/{channel}`.
public final class ChannelsFront implements Front<Route.Channel> {
    private static final int BODY_BYTES_MAX = 1 << 16;
    private static final long CALL_MILLIS = 300_000;
    private static final String MALFORMED = "Malformed body: ";

    private final BusAsk ask;
    private final Access access;

    public ChannelsFront(BusAsk ask, Access access) {
        this.ask = ask;
        this.access = access;
    }

    @Override
    public void handle(Exchange exchange, Route.Channel route) {
        Need need = Need.of(exchange.method(), exchange.target().path());
        access.admit(exchange, need, caller -> enter(exchange, route), failure -> refuse(exchange, failure));
    }

    private void enter(Exchange exchange, Route.Channel route) {
        switch (route.action()) {
            case "" -> {
                switch (exchange.method()) {
                    case "POST" -> read(exchange, route, Act.OPEN);
                    case "GET" -> call(exchange, route, Act.STATUS, 0, 0);
                    case "DELETE" -> call(exchange, route, Act.RETIRE, 0, 0);
                    default ->
                        RowsErrors.notAllowed(
                                exchange,
                                "POST, GET, DELETE",
                                "POST (opens the channel), GET (tells where it stands), DELETE (retires it)");
                }
            }
            case "advance" -> post(exchange, route, Act.ADVANCE);
            case "close" -> post(exchange, route, Act.CLOSE);
            default ->
                refuse(
                        exchange,
                        new Failure(
                                Failure.Kind.NOT_FOUND,
                                "NoSuchRouteException",
                                "A channel has 'advance' and 'close', not '" + route.action() + "'"));
        }
    }

    private void post(Exchange exchange, Route.Channel route, Act act) {
        if (exchange.method().equals("POST")) read(exchange, route, act);
        else RowsErrors.notAllowed(exchange, "POST", "POST");
    }

    private void read(Exchange exchange, Route.Channel route, Act act) {
        exchange.whole(BODY_BYTES_MAX).onComplete(read -> {
            if (read.failed()) {
                refuse(
                        exchange,
                        read.cause() instanceof FailureException known
                                ? known.failure()
                                : new Failure(Failure.Kind.INVALID, "The body broke off"));
                return;
            }
            try {
                JsonObject body = act == Act.OPEN ? new JsonObject() : json(read.result());
                long epoch = number(body, "epoch", act == Act.ADVANCE);
                long offset = act == Act.ADVANCE ? number(body, "offset", true) : 0;
                call(exchange, route, act, epoch, offset);
            } catch (FailureException malformed) {
                refuse(exchange, malformed.failure());
            }
        });
    }

    private static JsonObject json(Buffer body) {
        try {
            return body.length() == 0 ? new JsonObject() : new JsonObject(body);
        } catch (RuntimeException broken) {
            throw new FailureException(Failure.Kind.INVALID, MALFORMED + "it is no JSON object");
        }
    }

    /// 0 when it may be left out and is.
    private static long number(JsonObject body, String name, boolean isRequired) {
        Object value = body.getValue(name);
        if (value == null && !isRequired) return 0;
        boolean isWhole = value instanceof Integer || value instanceof Long;
        if (isWhole && ((Number) value).longValue() >= 0) return ((Number) value).longValue();
        throw new FailureException(
                Failure.Kind.INVALID,
                MALFORMED + "'" + name + "' is a whole number, as in {\"epoch\":3,\"offset\":50}");
    }

    private void call(Exchange exchange, Route.Channel route, Act act, long epoch, long offset) {
        TableRef table = new TableRef(route.catalog(), route.namespace(), route.table());
        ask.askLater(new CallChannel(table, route.channel(), act, epoch, offset), CALL_MILLIS)
                .onSuccess(outcome -> {
                    switch (outcome) {
                        case Outcome.Ok<ChannelStatus>(ChannelStatus status) -> exchange.answer(reply(status));
                        case Outcome.Failed<ChannelStatus>(Failure failure) -> refuse(exchange, failure);
                    }
                });
    }

    private static Reply reply(ChannelStatus status) {
        JsonObject body = new JsonObject()
                .put("channel", status.channel())
                .put("epoch", status.epoch())
                .put("durable", status.durable())
                .put("committed", status.committed())
                .put("snapshot-id", status.snapshotId() < 0 ? null : status.snapshotId())
                .put("rejected", status.rejected());
        return new Reply(200, Map.of("content-type", "application/json"), Buffer.buffer(body.encode()));
    }

    @Override
    public void refuse(Exchange exchange, Failure failure) {
        RowsErrors.refuse(exchange, failure);
    }
}
