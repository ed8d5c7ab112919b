package io.storageengine.gateway.ingest;

import io.storageengine.bus.BusAsk;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.ListParked;
import io.storageengine.core.message.ParkedRows;
import io.storageengine.core.message.ReplayParked;
import io.storageengine.core.message.ReplayedRows;
import io.storageengine.gateway.auth.Access;
import io.storageengine.gateway.auth.Need;
import io.storageengine.gateway.door.Exchange;
import io.storageengine.gateway.door.Front;
import io.storageengine.gateway.door.Reply;
import io.storageengine.gateway.door.Route;
import io.storageengine.gateway.door.Target;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Lists rows that no table could take, and replays them: `/catalogs/{id}/parked…`.
public final class ParkedFront implements Front<Route.Parked> {
    private static final long ASK_MILLIS = 120_000;
    private static final int PAGE_MAX = 100;

    private final BusAsk ask;
    private final Access access;

    public ParkedFront(BusAsk ask, Access access) {
        this.ask = ask;
        this.access = access;
    }

    @Override
    public void handle(Exchange exchange, Route.Parked route) {
        Need need = Need.of(exchange.method(), exchange.target().path());
        access.admit(exchange, need, caller -> enter(exchange, route), failure -> refuse(exchange, failure));
    }

    private void enter(Exchange exchange, Route.Parked route) {
        String possible = route.id().isEmpty() ? "GET" : "POST";
        if (!exchange.method().equals(possible)) RowsErrors.notAllowed(exchange, possible, possible);
        else if (route.id().isEmpty()) list(exchange, route);
        else replay(exchange, route);
    }

    private void list(Exchange exchange, Route.Parked route) {
        Map<String, String> query = new HashMap<>();
        for (Target.Param param : exchange.target().params(true).orElse(List.of()))
            query.put(param.name(), param.value());
        String size = query.getOrDefault("pageSize", String.valueOf(PAGE_MAX));
        if (!size.matches("[1-9]\\d{0,8}")) {
            refuse(exchange, new Failure(Failure.Kind.INVALID, "pageSize is a number from 1"));
            return;
        }
        int max = Math.min(PAGE_MAX, Integer.parseInt(size));
        String after = query.getOrDefault("pageToken", "");
        ask.askLater(new ListParked(route.catalog(), after, max), ASK_MILLIS).onSuccess(outcome -> {
            switch (outcome) {
                case Outcome.Ok<ParkedRows>(ParkedRows page) -> exchange.answer(json(page(page)));
                case Outcome.Failed<ParkedRows>(Failure failure) -> refuse(exchange, failure);
            }
        });
    }

    private static JsonObject page(ParkedRows page) {
        JsonArray parked = new JsonArray();
        for (ParkedRows.Parked one : page.parked())
            parked.add(new JsonObject()
                    .put("id", one.id())
                    .put("namespace", new JsonArray(one.table().namespace()))
                    .put("table", one.table().name())
                    .put("table-uuid", one.tableUuid())
                    .put("rows", one.rows())
                    .put("accepted-ms", one.wallMillis())
                    .put("channel", one.channel().isEmpty() ? null : one.channel()));
        return new JsonObject()
                .put("parked", parked)
                .put("next-page-token", page.next().isEmpty() ? null : page.next());
    }

    private void replay(Exchange exchange, Route.Parked route) {
        ask.askLater(new ReplayParked(route.catalog(), route.id()), ASK_MILLIS).onSuccess(outcome -> {
            switch (outcome) {
                case Outcome.Ok<ReplayedRows>(ReplayedRows done) ->
                    exchange.answer(
                            json(new JsonObject().put("replayed", done.rows()).put("token", done.token())));
                case Outcome.Failed<ReplayedRows>(Failure failure) -> refuse(exchange, failure);
            }
        });
    }

    private static Reply json(JsonObject body) {
        return new Reply(200, Map.of("content-type", "application/json"), Buffer.buffer(body.encode()));
    }

    @Override
    public void refuse(Exchange exchange, Failure failure) {
        RowsErrors.refuse(exchange, failure);
    }
}
