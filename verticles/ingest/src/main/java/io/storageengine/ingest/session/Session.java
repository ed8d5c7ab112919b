package io.storageengine.ingest.session;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.AbortedRows;
import io.storageengine.core.message.EndedRows;
import io.storageengine.core.message.TakenRows;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One open request: its body's pieces go in, its outcome comes out. Its work runs on a thread of its own.
final class Session {
    private static final Logger LOG = LoggerFactory.getLogger(Session.class);
    private final BodyPipe pipe;
    private final Work work;
    private final long idleMillis;
    private final CompletableFuture<Outcome<EndedRows>> outcome = new CompletableFuture<>();
    private final CompletableFuture<Boolean> told = new CompletableFuture<>();

    /// What is done with a body.
    interface Work {
        Outcome<EndedRows> run(InputStream body) throws InterruptedException;
    }

    Session(BodyPipe pipe, Work work, long idleMillis) {
        this.pipe = pipe;
        this.work = work;
        this.idleMillis = idleMillis;
    }

    /// Works until the outcome is there and somebody was told it, or nobody asked for too long.
    void run() {
        Outcome<EndedRows> result = work();
        pipe.close(result instanceof Outcome.Failed<EndedRows>(Failure failure) ? failure : over());
        outcome.complete(result);
        try {
            told.get(idleMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | InterruptedException | ExecutionException nobodyAsks) {
            LOG.debug("A request's outcome was not asked for");
        }
    }

    private Outcome<EndedRows> work() {
        try {
            return work.run(pipe);
        } catch (InterruptedException stopping) {
            return Outcome.failed(Failure.Kind.UNKNOWN, "The node is stopping");
        } catch (RuntimeException bug) {
            LOG.error("A request broke off", bug);
            return Outcome.failed(Failure.Kind.UNKNOWN, "An internal error; the server's log has more");
        }
    }

    private static Failure over() {
        return new Failure(Failure.Kind.INVALID, "The request is over");
    }

    Outcome<TakenRows> send(ByteBuffer bytes) {
        Outcome<TakenRows> taken = pipe.send(bytes);
        if (!taken.isOk()) told.complete(true);
        return taken;
    }

    Outcome<EndedRows> end() {
        pipe.end();
        Outcome<EndedRows> result = outcome.join();
        told.complete(true);
        return result;
    }

    Outcome<AbortedRows> abort(Failure why) {
        pipe.close(why);
        told.complete(true);
        return Outcome.ok(new AbortedRows());
    }
}
