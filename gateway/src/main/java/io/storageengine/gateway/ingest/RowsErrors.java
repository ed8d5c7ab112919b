package io.storageengine.gateway.ingest;

import io.storageengine.core.Failure;
import io.storageengine.core.message.OffsetGap;
import io.storageengine.gateway.door.Exchange;
import io.storageengine.gateway.door.Reply;
import io.storageengine.gateway.door.RestErrors;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Refusals of what is sent to ingestion, in Iceberg's form.
final class RowsErrors {
    private static final Logger LOG = LoggerFactory.getLogger(RowsErrors.class);

    private RowsErrors() {}

    /// A request with rows is not a commit of Iceberg's clients: 503 means "not written" here.
    static void refuse(Exchange exchange, Failure failure) {
        if (RestErrors.status(failure, false) >= 500) {
            LOG.warn("request {}: {} {}", exchange.id(), failure.code(), failure.message());
        }
        exchange.answer(reply(failure));
    }

    /// An offset that leaves others out is told the one that comes next: `expected-offset`.
    private static Reply reply(Failure failure) {
        Reply plain = RestErrors.reply(failure, false);
        OptionalLong expected = OffsetGap.expected(failure);
        if (expected.isEmpty()) return plain;
        JsonObject body = new JsonObject(plain.body());
        body.getJsonObject("error").put("expected-offset", expected.getAsLong());
        return new Reply(plain.status(), plain.headers(), Buffer.buffer(body.encode()));
    }

    static void notAllowed(Exchange exchange, String possible, String what) {
        String message = exchange.method() + " is not possible here; possible: " + what;
        Map<String, String> headers = RestErrors.headers(405);
        headers.put("allow", possible);
        exchange.answer(new Reply(
                405,
                headers,
                Buffer.buffer(RestErrors.body(405, "MethodNotAllowedException", message)
                        .encode())));
    }
}
