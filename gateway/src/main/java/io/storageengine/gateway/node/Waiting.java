package io.storageengine.gateway.node;

import io.vertx.core.Future;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Waits for futures on the main thread.
final class Waiting {
    private static final Logger LOG = LoggerFactory.getLogger(Waiting.class);
    private static final long START_MILLIS = 300_000;

    private Waiting() {}

    /// @throws StartRefused with the cause's message
    static <T> T orRefuse(Future<T> future, String what) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(START_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartRefused(what + ": interrupted");
        } catch (ExecutionException e) {
            LOG.debug("start", e);
            throw new StartRefused(what + ": " + reason(e.getCause()));
        } catch (TimeoutException e) {
            throw new StartRefused(what + ": no answer within " + START_MILLIS + " ms");
        }
    }

    private static String reason(@Nullable Throwable cause) {
        String message = cause == null ? null : cause.getMessage();
        return message == null ? String.valueOf(cause) : message;
    }

    /// Waits; a failure is logged.
    static void quietly(Future<?> future, long timeoutMillis) {
        try {
            future.toCompletionStage().toCompletableFuture().get(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("a step of the stop failed", e);
        }
    }
}
