package io.storageengine.bus;

import io.storageengine.core.Ask;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.Answer;
import io.storageengine.core.message.Question;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import java.util.concurrent.ExecutionException;

/// Asks rooms over the event bus.
public final class BusAsk implements Ask {
    private final Vertx vertx;

    public BusAsk(Vertx vertx) {
        this.vertx = vertx;
        Codecs.register(vertx);
    }

    /// Asks and waits; for virtual threads, never for an event loop.
    @Override
    public <A extends Answer> Outcome<A> ask(Question<A> question, long timeoutMillis) {
        try {
            return askLater(question, timeoutMillis)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcome.failed(lost(question), "interrupted while waiting for an answer");
        } catch (ExecutionException e) {
            return Outcome.failed(Failure.Kind.BUG, "the event bus failed");
        }
    }

    /// Asks without waiting; the future never fails.
    public <A extends Answer> Future<Outcome<A>> askLater(Question<A> question, long timeoutMillis) {
        DeliveryOptions options = new DeliveryOptions().setSendTimeout(timeoutMillis);
        return vertx.eventBus()
                .<Reply>request(Addresses.of(question.room()), question, options)
                .map(message -> BusAsk.<A>cast(message.body()))
                .otherwise(failure -> Outcome.failed(busFailure(question, failure)));
    }

    /// Sound as long as rooms answer a question with its own answer type, which `RoomServer`'s callers do.
    @SuppressWarnings("unchecked")
    private static <A extends Answer> Outcome<A> cast(Reply reply) {
        return (Outcome<A>) reply.outcome();
    }

    private static Failure busFailure(Question<?> question, Throwable failure) {
        if (!(failure instanceof ReplyException bus)) return new Failure(Failure.Kind.BUG, "the event bus failed");
        String room = question.room().name();
        return switch (bus.failureType()) {
            case NO_HANDLERS -> new Failure(Failure.Kind.UNAVAILABLE, "nobody serves " + room + " right now");
            case TIMEOUT -> new Failure(lost(question), room + " did not answer in time");
            case RECIPIENT_FAILURE, ERROR -> new Failure(Failure.Kind.BUG, room + " failed on a question");
        };
    }

    private static Failure.Kind lost(Question<?> question) {
        return question.writes() ? Failure.Kind.UNKNOWN : Failure.Kind.UNAVAILABLE;
    }
}
