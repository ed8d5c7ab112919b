package io.storageengine.bus;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.Answer;
import io.storageengine.core.message.Question;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets a room answer questions: each on a virtual thread of its own, so that it may wait for object storage.
/// At most [#QUESTIONS_MAX] are open at once; one more is refused as `THROTTLED`, untouched.
public final class RoomServer {
    /// Questions that one room works on at the same time.
    public static final int QUESTIONS_MAX = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(RoomServer.class);

    private final Semaphore places = new Semaphore(QUESTIONS_MAX);
    private final Executor threads = work -> Thread.ofVirtual().name("room").start(work);
    private final Function<Question<?>, Outcome<? extends Answer>> room;
    private final MessageConsumer<Question<?>> consumer;

    private RoomServer(Vertx vertx, Question.Room name, Function<Question<?>, Outcome<? extends Answer>> room) {
        this.room = room;
        this.consumer = vertx.eventBus().consumer(Addresses.of(name));
    }

    /// Begins to serve.
    ///
    /// @param room answers one question; a thrown exception is answered as `BUG` (`UNKNOWN` when the question
    ///     writes)
    public static RoomServer serve(
            Vertx vertx, Question.Room name, Function<Question<?>, Outcome<? extends Answer>> room) {
        Codecs.register(vertx);
        RoomServer server = new RoomServer(vertx, name, room);
        server.consumer.handler(server::take);
        return server;
    }

    /// Done when other members know that this room answers here.
    public Future<Void> ready() {
        return consumer.completion();
    }

    /// Takes no more questions; those under way are still answered.
    public Future<Void> stop() {
        return consumer.unregister();
    }

    private void take(Message<Question<?>> message) {
        if (!places.tryAcquire()) {
            message.reply(new Reply(
                    Outcome.failed(Failure.Kind.THROTTLED, "too many questions at once: repeat in a moment")));
            return;
        }
        threads.execute(() -> {
            try {
                message.reply(new Reply(answer(message.body())));
            } finally {
                places.release();
            }
        });
    }

    private Outcome<? extends Answer> answer(Question<?> question) {
        try {
            return room.apply(question);
        } catch (RuntimeException | Error e) {
            LOG.error("A room failed on a {}", question.getClass().getSimpleName(), e);
            Failure.Kind kind = question.writes() ? Failure.Kind.UNKNOWN : Failure.Kind.BUG;
            return Outcome.failed(kind, "an internal error; the server's log has more");
        }
    }
}
