package io.storageengine.gateway.ingest;

import io.storageengine.bus.BusAsk;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.AwaitRows;
import io.storageengine.core.message.CommittedRows;
import io.storageengine.core.message.TableRef;
import io.storageengine.gateway.auth.Access;
import io.storageengine.gateway.auth.Need;
import io.storageengine.gateway.door.Exchange;
import io.storageengine.gateway.door.Front;
import io.storageengine.gateway.door.Reply;
import io.storageengine.gateway.door.Route;
import io.storageengine.gateway.door.Target;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Tells whether rows are in a snapshot, and waits for it: `GET …/tables/{table}/committed?token=…`.
public final class CommittedFront implements Front<Route.Committed> {
    private static final String USUAL_MILLIS = "30000";
    private static final long MILLIS_MAX = 300_000;
    private static final long ANSWER_MILLIS = 60_000;

    private final BusAsk ask;
    private final Access access;

    public CommittedFront(BusAsk ask, Access access) {
        this.ask = ask;
        this.access = access;
    }

    @Override
    public void handle(Exchange exchange, Route.Committed route) {
        Need need = Need.of(exchange.method(), exchange.target().path());
        access.admit(exchange, need, caller -> enter(exchange, route), failure -> refuse(exchange, failure));
    }

    private void enter(Exchange exchange, Route.Committed route) {
        if (!exchange.method().equals("GET")) {
            RowsErrors.notAllowed(exchange, "GET", "GET, with the token of an answer to rows");
            return;
        }
        Map<String, String> query = new HashMap<>();
        for (Target.Param param : exchange.target().params(true).orElse(List.of()))
            query.put(param.name(), param.value());
        String token = query.getOrDefault("token", "");
        String millis = query.getOrDefault("timeout-ms", USUAL_MILLIS);
        if (token.isEmpty() || !millis.matches("\\d{1,6}") || Long.parseLong(millis) > MILLIS_MAX) {
            refuse(
                    exchange,
                    new Failure(
                            Failure.Kind.INVALID,
                            "Send ?token=, of an answer to rows, and timeout-ms from 0 to " + MILLIS_MAX));
            return;
        }
        TableRef table = new TableRef(route.catalog(), route.namespace(), route.table());
        long waitMillis = Long.parseLong(millis);
        ask.askLater(new AwaitRows(table, token, waitMillis), waitMillis + ANSWER_MILLIS)
                .onSuccess(outcome -> {
                    switch (outcome) {
                        case Outcome.Ok<CommittedRows>(CommittedRows rows) -> exchange.answer(reply(rows));
                        case Outcome.Failed<CommittedRows>(Failure failure) -> refuse(exchange, failure);
                    }
                });
    }

    private static Reply reply(CommittedRows rows) {
        JsonObject body = new JsonObject().put("committed", rows.committed());
        if (rows.committed()) body.put("snapshot-id", rows.snapshotId() < 0 ? null : rows.snapshotId());
        return new Reply(
                rows.committed() ? 200 : 202, Map.of("content-type", "application/json"), Buffer.buffer(body.encode()));
    }

    @Override
    public void refuse(Exchange exchange, Failure failure) {
        RowsErrors.refuse(exchange, failure);
    }
}
