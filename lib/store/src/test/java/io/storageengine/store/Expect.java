package io.storageengine.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.PutOptions;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// What the contract's tests say often.
public final class Expect {
    static final Comparator<String> BYTE_ORDER = Comparator.comparing(Keys::raw);

    private Expect() {}

    static void fails(Outcome<?> outcome, Failure.Kind kind, String code) {
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.failure().kind()).as(failed.toString()).isEqualTo(kind);
            assertThat(failed.failure().code()).as(failed.toString()).isEqualTo(code);
        });
    }

    static Content text(String text) {
        return Content.of(utf8(text));
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Content stream(long announced, byte[] bytes) {
        return new Content.Stream(announced, new ByteArrayInputStream(bytes));
    }

    static String read(ObjectStore store, String key) {
        return StandardCharsets.UTF_8.decode(store.read(key).orThrow()).toString();
    }

    static byte[] bytes(ByteBuffer buffer) {
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        return copy;
    }

    public static RandomGenerator random(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    static byte[] noise(int length, long seed) {
        byte[] bytes = new byte[length];
        random(seed).nextBytes(bytes);
        return bytes;
    }

    /// All keys under a prefix, page by page.
    static List<String> keys(ObjectStore store, String prefix) {
        List<String> keys = new ArrayList<>();
        ListRequest request = ListRequest.of(prefix);
        while (true) {
            var page = store.list(request).orThrow();
            page.objects().stream().map(ObjectInfo::key).forEach(keys::add);
            if (page.isLast()) return keys;
            request = request.after(page.next());
        }
    }

    /// Puts small objects, all at once.
    static void putAll(ObjectStore store, Collection<String> keys) {
        List<Callable<Object>> puts = new ArrayList<>();
        for (String key : keys)
            puts.add(() -> store.put(key, text("x"), PutOptions.PLAIN).orThrow());
        atOnce(puts);
    }

    /// Runs all calls at once, each on a virtual thread.
    public static <T> List<T> atOnce(List<Callable<T>> calls) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<T> answers = new ArrayList<>();
            for (Future<T> future : threads.invokeAll(calls)) answers.add(future.get());
            return answers;
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }
}
