package io.storageengine.gateway.ingest;

import io.storageengine.bus.BusAsk;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.RowOptions;
import io.storageengine.core.message.TableRef;
import io.storageengine.gateway.auth.Access;
import io.storageengine.gateway.auth.Need;
import io.storageengine.gateway.door.Exchange;
import io.storageengine.gateway.door.Front;
import io.storageengine.gateway.door.Route;

/// Takes rows over HTTP: `POST …/tables/{table}/rows`.
public final class RowsFront implements Front<Route.Rows> {
    private final BusAsk ask;
    private final Access access;

    public RowsFront(BusAsk ask, Access access) {
        this.ask = ask;
        this.access = access;
    }

    @Override
    public void handle(Exchange exchange, Route.Rows route) {
        Need need = Need.of(exchange.method(), exchange.target().path());
        access.admit(exchange, need, caller -> enter(exchange, route), failure -> refuse(exchange, failure));
    }

    private void enter(Exchange exchange, Route.Rows route) {
        if (!exchange.method().equals("POST")) {
            RowsErrors.notAllowed(exchange, "POST", "POST, with rows for the table");
            return;
        }
        if (route.namespace().stream().anyMatch(String::isEmpty)
                || route.table().isEmpty()) {
            refuse(exchange, new Failure(Failure.Kind.INVALID, "Namespace and table have names"));
            return;
        }
        TableRef table = new TableRef(route.catalog(), route.namespace(), route.table());
        switch (RowsHead.parse(exchange.headers(), exchange.target(), exchange.contentLength())) {
            case Outcome.Ok<RowOptions>(RowOptions options) ->
                new RowsSession(exchange, ask, table, failure -> refuse(exchange, failure)).begin(options);
            case Outcome.Failed<RowOptions>(Failure failure) -> refuse(exchange, failure);
        }
    }

    @Override
    public void refuse(Exchange exchange, Failure failure) {
        RowsErrors.refuse(exchange, failure);
    }
}
