package io.storageengine.gateway.s3;

import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.store.Buckets;
import io.storageengine.gateway.auth.SigV4;
import io.storageengine.gateway.auth.SignedRequest;
import io.storageengine.gateway.door.Exchange;
import io.storageengine.gateway.door.Front;
import io.storageengine.gateway.door.Reply;
import io.storageengine.gateway.door.Route;
import io.storageengine.gateway.door.Target;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The S3 API: authenticates, then serves each request on a virtual thread of its own.
public final class S3Front implements Front<Route.Storage> {
    private static final Logger LOG = LoggerFactory.getLogger(S3Front.class);

    private final SigV4 signatures;
    private final Clock clock;
    private final S3Operations operations;

    /// @param hidden what of the buckets is not shown
    public S3Front(Buckets buckets, Hidden hidden, SigV4 signatures, Clock clock) {
        this.signatures = signatures;
        this.clock = clock;
        this.operations = new S3Operations(buckets, hidden);
    }

    @Override
    public void handle(Exchange exchange, Route.Storage route) {
        Thread.ofVirtual().name("s3").start(() -> serve(exchange, route));
    }

    private void serve(Exchange exchange, Route.Storage route) {
        try {
            operations.serve(authenticated(exchange, route));
        } catch (FailureException e) {
            refuse(exchange, e.failure());
        } catch (IOException e) {
            LOG.debug("request {} broke", exchange.id(), e);
            refuse(exchange, S3Errors.failure("IncompleteBody", "The body ended early"));
        } catch (RuntimeException e) {
            LOG.error("request {} failed", exchange.id(), e);
            refuse(exchange, new Failure(Failure.Kind.BUG, "an internal error"));
        }
    }

    private S3Call authenticated(Exchange exchange, Route.Storage route) {
        List<Target.Param> params = exchange.target()
                .params(true)
                .orElseThrow(() -> S3Errors.refusal("InvalidURI", "The query is not percent-encoded UTF-8"));
        SignedRequest request =
                new SignedRequest(exchange.method(), exchange.target().path(), params, exchange.headers());
        SigV4.Verified verified = signatures.verify(request, clock.wallMillis()).orThrow();
        Map<String, String> query = new HashMap<>();
        params.forEach(param -> query.putIfAbsent(param.name(), param.value()));
        return new S3Call(exchange, route.bucket(), route.key(), query, verified);
    }

    @Override
    public void refuse(Exchange exchange, Failure failure) {
        String code = S3Errors.code(failure);
        int status = S3Errors.status(code);
        if (status >= 500) LOG.warn("request {}: {} {}", exchange.id(), failure.code(), failure.message());
        Map<String, String> headers = new HashMap<>(Map.of("x-amz-request-id", exchange.id()));
        if (status == 304 || exchange.method().equals("HEAD")) {
            exchange.answer(new Reply(status, headers, Buffer.buffer()));
            return;
        }
        headers.put("content-type", "application/xml");
        if (status == 503) headers.put("retry-after", "1");
        Xml xml = Xml.plain("Error")
                .leaf("Code", code)
                .leaf("Message", S3Errors.message(failure))
                .leaf("Resource", exchange.target().path())
                .leaf("RequestId", exchange.id())
                .close("Error");
        exchange.answer(new Reply(status, headers, xml.bytes()));
    }
}
