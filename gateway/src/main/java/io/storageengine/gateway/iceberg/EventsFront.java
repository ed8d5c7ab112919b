package io.storageengine.gateway.iceberg;

import io.storageengine.bus.BusAsk;
import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.gateway.auth.Access;
import io.storageengine.gateway.auth.Caller;
import io.storageengine.gateway.auth.Need;
import io.storageengine.gateway.door.Exchange;
import io.storageengine.gateway.door.Front;
import io.storageengine.gateway.door.LiveAnswer;
import io.storageengine.gateway.door.Reply;
import io.storageengine.gateway.door.RestErrors;
import io.storageengine.gateway.door.Route;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A catalog's history as it goes on: `GET /catalogs/{id}/events`, server-sent events (WHATWG HTML, 9.2). One
/// event for each entry of the catalog's log, its id the entry's number and its data the entry as the history
/// tells it. Begins with the entry that `from` says, or the one after `Last-Event-ID`, or the next to come.
///
/// Each open stream looks once a second, at the cost of a read of the catalog.
public final class EventsFront implements Front<Route.Events> {
    private static final Logger LOG = LoggerFactory.getLogger(EventsFront.class);
    private static final int STREAMS_MAX = 100;
    private static final int PAGE = 50;
    private static final long ASK_MILLIS = 30_000;
    private static final long LOOK_MILLIS = 1_000;
    /// After so long a comment keeps the connection open, and the token is looked at again.
    private static final long BEAT_NANOS = 5_000_000_000L;

    private final BusAsk ask;
    private final Access access;
    private final Clock clock;
    private final BooleanSupplier serving;
    private final AtomicInteger open = new AtomicInteger();

    /// @param serving false once the node is stopping: then every stream ends
    public EventsFront(BusAsk ask, Access access, Clock clock, BooleanSupplier serving) {
        this.ask = ask;
        this.access = access;
        this.clock = clock;
        this.serving = serving;
    }

    @Override
    public void handle(Exchange exchange, Route.Events route) {
        if (!exchange.method().equals("GET")) {
            Map<String, String> headers = RestErrors.headers(405);
            headers.put("allow", "GET");
            String error = RestErrors.body(405, "MethodNotAllowedException", "Events are followed with GET")
                    .encode();
            exchange.answer(new Reply(405, headers, Buffer.buffer(error)));
            return;
        }
        Need need = Need.of(exchange.method(), exchange.target().path());
        access.admit(exchange, need, caller -> enter(exchange, caller), failure -> refuse(exchange, failure));
    }

    private void enter(Exchange exchange, Caller caller) {
        if (open.incrementAndGet() > STREAMS_MAX) {
            open.decrementAndGet();
            refuse(exchange, new Failure(Failure.Kind.THROTTLED, "Too many streams of events are open here"));
            return;
        }
        exchange.whole(0)
                .onSuccess(body -> Thread.ofVirtual().name("events").start(() -> {
                    try {
                        new Stream(exchange, caller).run();
                    } finally {
                        open.decrementAndGet();
                    }
                }))
                .onFailure(e -> {
                    open.decrementAndGet();
                    refuse(exchange, new Failure(Failure.Kind.INVALID, "A request for events has no body"));
                });
    }

    @Override
    public void refuse(Exchange exchange, Failure failure) {
        exchange.answer(RestErrors.reply(failure, false));
    }

    /// One client's stream.
    private final class Stream {
        private final Exchange exchange;
        private final Caller caller;
        private final AtomicBoolean isAllowed = new AtomicBoolean(true);
        private long next;

        Stream(Exchange exchange, Caller caller) {
            this.exchange = exchange;
            this.caller = caller;
        }

        void run() {
            Optional<LiveAnswer> answer = begin();
            if (answer.isEmpty()) return;
            try {
                follow(answer.get());
                answer.get().end();
            } catch (IOException gone) {
                answer.get().cut();
                LOG.debug("request {}: who followed the events went away", exchange.id());
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
                answer.get().end();
            }
        }

        /// The first look tells whether there is anything to follow.
        private Optional<LiveAnswer> begin() {
            Optional<String> from = exchange.target().parameter("from");
            Optional<String> last = Optional.ofNullable(exchange.header("last-event-id"));
            String start = from.orElse(last.orElse(""));
            if (!start.matches("[0-9]{0,18}")) {
                refuse(
                        exchange,
                        new Failure(Failure.Kind.INVALID, "from and Last-Event-ID are numbers of entries: " + start));
                return Optional.empty();
            }
            Outcome<CatalogReply> looked = look("from=0&pageSize=1");
            if (!(looked instanceof Outcome.Ok<CatalogReply>(CatalogReply reply)) || reply.status() != 200) {
                refused(looked);
                return Optional.empty();
            }
            JsonObject span = new JsonObject(Buffer.buffer(bytes(reply.body())));
            if (start.isEmpty()) next = span.getLong("last-entry") + 1;
            else next = Long.parseLong(start) + (from.isPresent() ? 0 : 1);
            long first = span.getLong("first-entry");
            if (!start.isEmpty() && next < first && first > 1) {
                refuse(
                        exchange,
                        new Failure(
                                Failure.Kind.NOT_FOUND,
                                "Entries before " + first + " are not kept any more: load the catalog anew, and follow"
                                        + " it from there"));
                return Optional.empty();
            }
            return exchange.live(200, Map.of("content-type", "text/event-stream", "cache-control", "no-store"));
        }

        private void refused(Outcome<CatalogReply> looked) {
            switch (looked) {
                case Outcome.Ok<CatalogReply>(CatalogReply reply) ->
                    exchange.answer(new Reply(reply.status(), reply.headers(), Buffer.buffer(bytes(reply.body()))));
                case Outcome.Failed<CatalogReply>(Failure failure) -> refuse(exchange, failure);
            }
        }

        private void follow(LiveAnswer answer) throws IOException, InterruptedException {
            answer.send(Buffer.buffer(": the entries of this catalog's log, from " + next + " on\n\n"));
            long beat = clock.nanos();
            while (serving.getAsBoolean() && isAllowed.get()) {
                JsonArray entries = news();
                // Let go before it was told: who comes again hears so.
                if (!entries.isEmpty() && number(entries.getJsonObject(0)) > next) return;
                for (Object entry : entries) answer.send(event((JsonObject) entry));
                if (clock.nanos() - beat >= BEAT_NANOS) {
                    beat = clock.nanos();
                    answer.send(Buffer.buffer(":\n\n"));
                    allowedStill();
                }
                if (entries.size() < PAGE) clock.sleep(LOOK_MILLIS);
            }
        }

        /// Entries that are new; none when the catalog cannot be read now.
        private JsonArray news() {
            return switch (look("from=" + next + "&pageSize=" + PAGE)) {
                case Outcome.Ok<CatalogReply>(CatalogReply reply)
                when reply.status() == 200 ->
                    new JsonObject(Buffer.buffer(bytes(reply.body()))).getJsonArray("entries");
                case Outcome.Ok<CatalogReply>(CatalogReply reply) -> {
                    // The catalog is gone.
                    if (reply.status() == 404) isAllowed.set(false);
                    yield new JsonArray();
                }
                case Outcome.Failed<CatalogReply> failed -> new JsonArray();
            };
        }

        private Buffer event(JsonObject entry) {
            next = number(entry) + 1;
            return Buffer.buffer("id: " + number(entry) + "\ndata: " + entry.encode() + "\n\n");
        }

        private static long number(JsonObject entry) {
            return entry.getLong("entry");
        }

        /// A token that was revoked opens nothing, also no stream that is open.
        private void allowedStill() {
            Need need = Need.of(exchange.method(), exchange.target().path());
            exchange.context()
                    .runOnContext(v -> access.admit(exchange, need, again -> {}, failure -> isAllowed.set(false)));
        }

        private Outcome<CatalogReply> look(String query) {
            String path = exchange.target().path();
            String history = path.substring(0, path.lastIndexOf('/')) + "/history";
            CallCatalog call =
                    new CallCatalog("GET", history, query, Map.of(), ByteBuffer.allocate(0), caller.principal());
            return ask.ask(call, ASK_MILLIS);
        }

        private static byte[] bytes(ByteBuffer body) {
            byte[] bytes = new byte[body.remaining()];
            body.duplicate().get(bytes);
            return bytes;
        }
    }
}
