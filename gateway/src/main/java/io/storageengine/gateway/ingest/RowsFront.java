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
import io.storageengine.gateway.door.Reply;
import io.storageengine.gateway.door.RestErrors;
import io.storageengine.gateway.door.Route;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes rows over HTTP: `POST …/tables/{table}/rows`.
public final class RowsFront implements Front<Route.Rows> {
    private static final Logger LOG = LoggerFactory.getLogger(RowsFront.class);

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
            exchange.answer(notAllowed(exchange.method()));
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

    private static Reply notAllowed(String method) {
        String message = method + " is not possible here; possible: POST, with rows for the table";
        Map<String, String> headers = RestErrors.headers(405);
        headers.put("allow", "POST");
        return new Reply(
                405,
                headers,
                Buffer.buffer(RestErrors.body(405, "MethodNotAllowedException", message)
                        .encode()));
    }

    /// A request with rows is not a commit of Iceberg's clients: 503 means "not written" here.
    @Override
    public void refuse(Exchange exchange, Failure failure) {
        if (RestErrors.status(failure, false) >= 500) {
            LOG.warn("request {}: {} {}", exchange.id(), failure.code(), failure.message());
        }
        exchange.answer(RestErrors.reply(failure, false));
    }
}
