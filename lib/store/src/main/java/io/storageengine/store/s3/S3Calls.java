package io.storageengine.store.s3;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.store.Operation;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/// Calls of the asynchronous client from threads that may wait.
///
/// @param threads read streams that are sent
record S3Calls(S3AsyncClient client, ExecutorService threads, long callMillis) {
    private static final long BYTES_PER_MILLI = 256;
    private static final long GRACE_MILLIS = 5_000;

    /// The deadline of a call that carries so many bytes.
    AwsRequestOverrideConfiguration deadline(long bodyBytes) {
        return AwsRequestOverrideConfiguration.builder()
                .apiCallTimeout(Duration.ofMillis(millis(bodyBytes)))
                .build();
    }

    private long millis(long bodyBytes) {
        return callMillis + bodyBytes / BYTES_PER_MILLI;
    }

    <T> Outcome<T> call(Operation operation, Supplier<CompletableFuture<T>> start) {
        return call(operation, 0, start);
    }

    /// Waits for a call that carries so many bytes.
    <T> Outcome<T> call(Operation operation, long bodyBytes, Supplier<CompletableFuture<T>> start) {
        CompletableFuture<T> answer;
        try {
            answer = start.get();
        } catch (SdkException e) {
            return Outcome.failed(S3Faults.of(e, operation));
        }
        try {
            return Outcome.ok(answer.get(millis(bodyBytes) + GRACE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (ExecutionException e) {
            return Outcome.failed(S3Faults.of(e.getCause() == null ? e : e.getCause(), operation));
        } catch (TimeoutException | CancellationException e) {
            answer.cancel(true);
            return Outcome.failed(S3Faults.of(e, operation));
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            return Outcome.failed(new Failure(S3Faults.lost(operation), "the caller was told to stop waiting"));
        }
    }
}
