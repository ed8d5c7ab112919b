package io.storageengine.gateway.ingest;

import io.storageengine.bus.BusAsk;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.AbortRows;
import io.storageengine.core.message.BeginRows;
import io.storageengine.core.message.BegunRows;
import io.storageengine.core.message.EndRows;
import io.storageengine.core.message.EndedRows;
import io.storageengine.core.message.RowOptions;
import io.storageengine.core.message.SendRows;
import io.storageengine.core.message.TableRef;
import io.storageengine.core.message.TakenRows;
import io.storageengine.gateway.door.BodyFeed;
import io.storageengine.gateway.door.Exchange;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/// One body of rows on its way to the ingest room: at most two chunks wait here, one is under way, and the
/// client is paused meanwhile. Lives on the request's event loop.
final class RowsSession {
    private static final int WAITING_MAX = 2;
    private static final long BEGIN_MILLIS = 60_000;
    private static final long SEND_MILLIS = 120_000;
    private static final long END_MILLIS = 300_000;

    private final Exchange exchange;
    private final BusAsk ask;
    private final TableRef table;
    private final Consumer<Failure> refuse;
    private final BodyFeed feed;
    private final Chunks chunks = new Chunks();
    private String session = "";
    private boolean paused;
    private boolean sending;
    private boolean complete;
    private boolean over;

    RowsSession(Exchange exchange, BusAsk ask, TableRef table, Consumer<Failure> refuse) {
        this.exchange = exchange;
        this.ask = ask;
        this.table = table;
        this.refuse = refuse;
        this.feed = exchange.feed();
    }

    void begin(RowOptions options) {
        exchange.onGone(this::gone);
        ask.askLater(new BeginRows(table, options), BEGIN_MILLIS).onSuccess(outcome -> {
            switch (outcome) {
                case Outcome.Ok<BegunRows>(BegunRows begun) -> begun(begun);
                case Outcome.Failed<BegunRows>(Failure failure) -> fail(failure);
            }
        });
    }

    private void begun(BegunRows begun) {
        session = begun.session();
        if (over) abort();
        else feed.start(this::piece, this::end, this::gone);
    }

    private void piece(Buffer piece) {
        if (over) return;
        chunks.add(piece);
        if (!paused && chunks.waiting() >= WAITING_MAX) {
            paused = true;
            feed.pause();
        }
        pump();
    }

    private void end() {
        if (over) return;
        complete = true;
        chunks.end();
        pump();
    }

    private void pump() {
        if (sending || over) return;
        ByteBuffer next = chunks.poll();
        if (next != null) send(next);
        else if (complete) finish();
    }

    private void send(ByteBuffer chunk) {
        sending = true;
        ask.askLater(new SendRows(session, table.catalog(), chunk), SEND_MILLIS).onSuccess(outcome -> {
            sending = false;
            switch (outcome) {
                case Outcome.Ok<TakenRows> taken -> taken();
                case Outcome.Failed<TakenRows>(Failure failure) -> failAndAbort(failure);
            }
        });
    }

    private void taken() {
        if (over) {
            abort();
            return;
        }
        if (paused && chunks.waiting() < WAITING_MAX) {
            paused = false;
            feed.resume();
        }
        pump();
    }

    private void finish() {
        sending = true;
        over = true;
        ask.askLater(new EndRows(session, table.catalog()), END_MILLIS).onSuccess(outcome -> {
            switch (outcome) {
                case Outcome.Ok<EndedRows>(EndedRows ended) -> exchange.answer(RowsAnswer.of(ended));
                case Outcome.Failed<EndedRows>(Failure failure) -> refuse.accept(failure);
            }
        });
    }

    /// The client went away, or its body broke.
    private void gone() {
        if (over) return;
        over = true;
        if (!sending && !session.isEmpty()) abort();
    }

    private void fail(Failure failure) {
        over = true;
        refuse.accept(failure);
    }

    /// A room that failed on a chunk has ended the session; one that did not answer may not have.
    private void failAndAbort(Failure failure) {
        boolean known = failure.kind() != Failure.Kind.UNKNOWN && failure.kind() != Failure.Kind.UNAVAILABLE;
        boolean answers = !over;
        over = true;
        if (!known) abort();
        if (answers) refuse.accept(failure);
    }

    private void abort() {
        ask.askLater(new AbortRows(session, table.catalog()), BEGIN_MILLIS);
    }
}
