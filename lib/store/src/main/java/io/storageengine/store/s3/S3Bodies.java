package io.storageengine.store.s3;

import io.storageengine.core.Outcome;
import io.storageengine.core.store.Content;
import io.storageengine.store.ContentException;
import io.storageengine.store.Operation;
import io.storageengine.store.WholeStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import software.amazon.awssdk.core.async.AsyncRequestBody;

/// Bodies on their way to the service: memory as it is, streams as fast as the service takes them.
final class S3Bodies {
    private S3Bodies() {}

    static <T> Outcome<T> send(
            S3Calls calls,
            Operation operation,
            Content content,
            Function<AsyncRequestBody, CompletableFuture<T>> send) {
        return switch (content) {
            case Content.Memory memory -> calls.call(operation, memory.length(), () -> send.apply(body(memory)));
            case Content.Stream stream -> send(calls, operation, stream, send);
        };
    }

    private static AsyncRequestBody body(Content.Memory memory) {
        if (memory.length() == 0) return AsyncRequestBody.empty();
        ByteBuffer[] parts = memory.parts().stream().map(ByteBuffer::duplicate).toArray(ByteBuffer[]::new);
        return AsyncRequestBody.fromRemainingByteBuffersUnsafe(parts);
    }

    private static <T> Outcome<T> send(
            S3Calls calls,
            Operation operation,
            Content.Stream stream,
            Function<AsyncRequestBody, CompletableFuture<T>> send) {
        try {
            WholeStream whole = WholeStream.of(stream);
            AsyncRequestBody body = body(calls, stream.length(), whole);
            Outcome<T> answer = calls.call(operation, stream.length(), () -> send.apply(body));
            ContentException fault = whole.fault();
            return fault == null ? answer : Outcome.failed(fault.failure());
        } catch (ContentException e) {
            return Outcome.failed(e.failure());
        } catch (IOException e) {
            throw new IllegalStateException("a whole stream says what is wrong with it", e);
        }
    }

    private static AsyncRequestBody body(S3Calls calls, long length, WholeStream whole) throws IOException {
        if (length == 0) {
            whole.transferTo(java.io.OutputStream.nullOutputStream());
            return AsyncRequestBody.empty();
        }
        return AsyncRequestBody.fromInputStream(
                options -> options.inputStream(whole).contentLength(length).executor(calls.threads()));
    }
}
