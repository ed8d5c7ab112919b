package io.storageengine.catalog.upstream;

import io.storageengine.core.FailureException;
import java.util.Map;
import java.util.function.Supplier;

/// Through how many servers of this kind a call has come. It is told on in a header, so that a catalog whose
/// upstream leads back to this server, through whatever chain, is found out instead of asked for ever.
public final class Hops {
    static final String HEADER = "x-storage-engine-hops";

    /// No chain that makes sense is longer.
    static final int MAX = 4;

    private static final ScopedValue<Integer> PASSED = ScopedValue.newInstance();

    private Hops() {}

    /// Runs what a call asks for; calls to upstreams in it count on from the call's own count.
    ///
    /// @param headers of the call, names in lower case
    public static <T> T within(Map<String, String> headers, Supplier<T> work) {
        String count = headers.getOrDefault(HEADER, "");
        int passed = count.matches("[0-9]{1,4}") ? Integer.parseInt(count) : 0;
        return ScopedValue.where(PASSED, passed).call(work::get);
    }

    /// The header's value for a call to an upstream.
    ///
    /// @throws FailureException when there were too many already
    static String next() {
        int passed = PASSED.isBound() ? PASSED.get() : 0;
        if (passed >= MAX) throw new FailureException(Upstreams.loop());
        return Integer.toString(passed + 1);
    }
}
