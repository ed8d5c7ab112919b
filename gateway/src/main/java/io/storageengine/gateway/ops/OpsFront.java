package io.storageengine.gateway.ops;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.storageengine.core.Failure;
import io.storageengine.gateway.door.Exchange;
import io.storageengine.gateway.door.Front;
import io.storageengine.gateway.door.Reply;
import io.storageengine.gateway.door.RestErrors;
import io.storageengine.gateway.door.Route;
import io.vertx.ext.healthchecks.HealthChecks;
import java.util.Map;

/// `/health` (the process lives), `/health/ready` (it reaches its object store), `/metrics` (Prometheus text).
public final class OpsFront implements Front<Route> {
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final HealthChecks ready;
    private final PrometheusMeterRegistry metrics;

    public OpsFront(HealthChecks ready, PrometheusMeterRegistry metrics) {
        this.ready = ready;
        this.metrics = metrics;
    }

    @Override
    public void handle(Exchange exchange, Route route) {
        if (!exchange.method().equals("GET") && !exchange.method().equals("HEAD")) {
            exchange.answer(notAllowed());
        } else if (route instanceof Route.Ready) {
            ready.checkStatus()
                    .onComplete(result -> exchange.answer(
                            ready(result.succeeded() && result.result().getUp())));
        } else if (route instanceof Route.Metrics) {
            exchange.answer(Reply.text(200, TEXT, metrics.scrape(TEXT)));
        } else {
            exchange.answer(Reply.of(200));
        }
    }

    private static Reply ready(boolean up) {
        return up
                ? Reply.text(200, "application/json", "{\"status\":\"UP\"}")
                : Reply.text(
                        503,
                        "application/json",
                        "{\"status\":\"DOWN\",\"reason\":\"starting, stopping, or the object store does not answer\"}");
    }

    private static Reply notAllowed() {
        Reply refusal = RestErrors.reply(
                new Failure(Failure.Kind.INVALID, "MethodNotAllowed", "Only GET and HEAD are answered here"), false);
        return new Reply(405, Map.of("allow", "GET, HEAD", "content-type", "application/json"), refusal.body());
    }

    @Override
    public void refuse(Exchange exchange, Failure failure) {
        exchange.answer(RestErrors.reply(failure, false));
    }
}
