package io.storageengine.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.BegunRows;
import io.storageengine.core.message.EndRows;
import io.storageengine.core.message.EndedRows;
import io.storageengine.core.message.Question;
import io.storageengine.core.message.SendRows;
import io.storageengine.core.message.StorageOf;
import io.storageengine.core.message.TakenRows;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RoomServerTest {
    private final Vertx vertx = Vertx.vertx();
    private final BusAsk ask = new BusAsk(vertx);

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void inOneProcessAMessagePassesByReference() {
        AtomicReference<Question<?>> seen = new AtomicReference<>();
        RoomServer.serve(vertx, Question.Room.INGEST, question -> {
            seen.set(question);
            return Outcome.ok(new TakenRows());
        });
        SendRows question = new SendRows("s", "dev", ByteBuffer.allocate(8 << 20));
        assertThat(ask.ask(question, 5_000).isOk()).isTrue();
        assertThat(seen.get()).isSameAs(question);
    }

    @Test
    void questionsAreAnsweredOnVirtualThreadsOfTheirOwn() throws InterruptedException {
        CountDownLatch both = new CountDownLatch(2);
        RoomServer.serve(vertx, Question.Room.INGEST, question -> {
            both.countDown();
            awaitBoth(both);
            return Outcome.ok(
                    new BegunRows(String.valueOf(Thread.currentThread().isVirtual())));
        });
        ask.askLater(new SendRows("1", "dev", ByteBuffer.allocate(0)), 5_000);
        Outcome<TakenRows> second = ask.ask(new SendRows("2", "dev", ByteBuffer.allocate(0)), 5_000);
        assertThat(second).isEqualTo(Outcome.ok(new BegunRows("true")));
        assertThat(both.await(5, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void anExceptionOnAWriteIsUnknownAndOnAReadABug() {
        RoomServer.serve(vertx, Question.Room.INGEST, question -> {
            throw new IllegalStateException("a fault");
        });
        RoomServer.serve(vertx, Question.Room.CATALOG, question -> {
            throw new IllegalStateException("a fault");
        });
        assertThat(ask.ask(new EndRows("s", "dev"), 5_000).failedWith(Failure.Kind.UNKNOWN))
                .isTrue();
        assertThat(ask.ask(new StorageOf("dev"), 5_000).failedWith(Failure.Kind.BUG))
                .isTrue();
    }

    @Test
    void nobodyThereIsUnavailable() {
        assertThat(ask.ask(new EndRows("s", "dev"), 5_000).failedWith(Failure.Kind.UNAVAILABLE))
                .isTrue();
    }

    @Test
    void aLostAnswerIsUnknownOnAWriteAndUnavailableOnARead() {
        CountDownLatch never = new CountDownLatch(1);
        RoomServer.serve(vertx, Question.Room.INGEST, question -> {
            awaitBoth(never);
            return Outcome.ok(new EndedRows(true, "{}", -1));
        });
        RoomServer.serve(vertx, Question.Room.CATALOG, question -> {
            awaitBoth(never);
            return Outcome.ok(new TakenRows());
        });
        assertThat(ask.ask(new EndRows("s", "dev"), 50).failedWith(Failure.Kind.UNKNOWN))
                .isTrue();
        assertThat(ask.ask(new StorageOf("dev"), 50).failedWith(Failure.Kind.UNAVAILABLE))
                .isTrue();
        never.countDown();
    }

    private static void awaitBoth(CountDownLatch latch) {
        try {
            assertThat(latch.await(5, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
