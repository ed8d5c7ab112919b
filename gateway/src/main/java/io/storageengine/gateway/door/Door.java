package io.storageengine.gateway.door;

import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets requests in, hands each to its front and logs it once, when it is over.
public final class Door implements Handler<HttpServerRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(Door.class);

    private static final Failure STOPPING = new Failure(Failure.Kind.UNAVAILABLE, "The node is stopping");

    private final Fronts fronts;
    private final Admission admission;
    private final Clock clock;
    private final RandomGenerator random;

    public Door(Fronts fronts, Admission admission, Clock clock, RandomGenerator random) {
        this.fronts = fronts;
        this.admission = admission;
        this.clock = clock;
        this.random = random;
    }

    @Override
    public void handle(HttpServerRequest request) {
        request.pause();
        long began = clock.nanos();
        String id = HexFormat.of().withUpperCase().toHexDigits(random.nextLong());
        Exchange exchange = new Exchange(request, Objects.requireNonNull(Vertx.currentContext()), id);
        Route route = Routes.classify(exchange.method(), exchange.target().path());
        Admission.Verdict verdict = isOps(route) ? Admission.Verdict.WELCOME : admission.enter();
        boolean inside = !isOps(route) && (verdict == Admission.Verdict.WELCOME || verdict == Admission.Verdict.EARLY);
        exchange.onOver(() -> over(exchange, began, inside));
        guarded(exchange, route, () -> dispatch(exchange, route, verdict));
    }

    private void guarded(Exchange exchange, Route route, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.error("request {} failed", exchange.id(), e);
            refuse(exchange, route, new Failure(Failure.Kind.BUG, "an internal error"));
        }
    }

    private static boolean isOps(Route route) {
        return route instanceof Route.Health || route instanceof Route.Ready || route instanceof Route.Metrics;
    }

    private void dispatch(Exchange exchange, Route route, Admission.Verdict verdict) {
        switch (verdict) {
            case WELCOME -> dispatch(exchange, route);
            case FULL -> refuse(exchange, route, new Failure(Failure.Kind.THROTTLED, "Too many requests at once"));
            case EARLY -> hold(exchange, route);
            case STOPPING -> refuse(exchange, route, STOPPING);
        }
    }

    /// Who comes while the rooms get ready waits that moment, instead of being sent away by a node that
    /// listens.
    private void hold(Exchange exchange, Route route) {
        Context context = Vertx.currentContext();
        var _ = admission
                .rooms()
                .whenComplete((ready, never) -> context.runOnContext(v -> guarded(exchange, route, () -> {
                    if (Boolean.TRUE.equals(ready)) dispatch(exchange, route);
                    else refuse(exchange, route, STOPPING);
                })));
    }

    private void dispatch(Exchange exchange, Route route) {
        switch (route) {
            case Route.Health health -> fronts.ops().handle(exchange, health);
            case Route.Ready ready -> fronts.ops().handle(exchange, ready);
            case Route.Metrics metrics -> fronts.ops().handle(exchange, metrics);
            case Route.Catalog catalog -> fronts.catalog().handle(exchange, catalog);
            case Route.Events events -> fronts.events().handle(exchange, events);
            case Route.Rows rows -> fronts.rows().handle(exchange, rows);
            case Route.Channel channel -> fronts.channels().handle(exchange, channel);
            case Route.Committed committed -> fronts.committed().handle(exchange, committed);
            case Route.Parked parked -> fronts.parked().handle(exchange, parked);
            case Route.Tokens tokens -> fronts.tokens().handle(exchange, tokens);
            case Route.Storage storage -> fronts.storage().handle(exchange, storage);
            case Route.Absent absent ->
                refuse(
                        exchange,
                        absent,
                        new Failure(
                                Failure.Kind.NOT_FOUND,
                                "Nothing is at " + exchange.target().path()));
            case Route.Malformed malformed ->
                refuse(
                        exchange,
                        malformed,
                        new Failure(
                                Failure.Kind.INVALID,
                                "InvalidURI",
                                "The path is not percent-encoded UTF-8: encode it as RFC 3986 says"));
        }
    }

    private void refuse(Exchange exchange, Route route, Failure failure) {
        boolean storage = switch (route) {
            case Route.Storage s -> true;
            case Route.Malformed(boolean s3) -> s3;
            case Route.Health h -> false;
            case Route.Ready r -> false;
            case Route.Metrics m -> false;
            case Route.Catalog c -> false;
            case Route.Events e -> false;
            case Route.Rows r -> false;
            case Route.Channel c -> false;
            case Route.Committed c -> false;
            case Route.Parked p -> false;
            case Route.Tokens t -> false;
            case Route.Absent a -> false;
        };
        if (storage) fronts.storage().refuse(exchange, failure);
        else fronts.catalog().refuse(exchange, failure);
    }

    private void over(Exchange exchange, long began, boolean inside) {
        if (inside) admission.leave();
        HttpServerRequest request = exchange.request();
        if (!LOG.isInfoEnabled()) return;
        LOG.info(
                "{} {} {} {} ms in={} out={} id={}",
                exchange.method(),
                printable(exchange.target().path()),
                exchange.isAnswered() ? request.response().getStatusCode() : 499,
                String.format(Locale.ROOT, "%.1f", (clock.nanos() - began) / 1e6),
                request.bytesRead(),
                request.response().bytesWritten(),
                exchange.id());
    }

    /// A path cannot forge lines of the log.
    private static String printable(String path) {
        String shown = path.length() > 1_024 ? path.substring(0, 1_024) + "…" : path;
        return shown.codePoints().anyMatch(Character::isISOControl) ? Percent.encode(shown, true) : shown;
    }
}
