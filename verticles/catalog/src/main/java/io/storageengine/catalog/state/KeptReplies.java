package io.storageengine.catalog.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The answers to a catalog's requests with a key, by the span of five minutes of their entry. An answer is
/// kept for at least [#KEPT_MINUTES] by the clock of any owner that is not more than [#DRIFT_MINUTES] ahead of
/// another, or until newer ones fill [#BYTES_MAX]; whole spans go at once.
public final class KeptReplies {
    /// A repeat within this time gets the same answer; `idempotency-key-lifetime` of `/v1/config`.
    public static final long KEPT_MINUTES = 30;
    /// How far the clocks of owners may be apart.
    public static final long DRIFT_MINUTES = 10;
    /// How much a catalog's answers may take, in characters of their texts.
    public static final long BYTES_MAX = 32L << 20;

    static final KeptReplies NONE = new KeptReplies(SortedTree.empty());
    private static final long SPAN_MILLIS = 300_000;
    private static final long SPANS_KEPT = (KEPT_MINUTES + DRIFT_MINUTES) * 60_000 / SPAN_MILLIS;

    /// The answers of one span.
    private record Span(SortedTree<String, KeptReply> replies, long bytes) {}

    private final SortedTree<Long, Span> spans;

    private KeptReplies(SortedTree<Long, Span> spans) {
        this.spans = spans;
    }

    /// What the request with that key was answered, when that was less than [#KEPT_MINUTES] before
    /// `wallMillis`, by whichever owner's clock.
    public Optional<KeptReply> find(String key, long wallMillis) {
        Long span = spans.ceiling(spanOf(wallMillis) - SPANS_KEPT);
        for (; span != null; span = spans.higher(span)) {
            KeptReply found = at(span).replies.get(key);
            if (found != null) return Optional.of(found);
        }
        return Optional.empty();
    }

    /// These answers and one more, of an entry of `wallMillis`, without those that are too old by then.
    KeptReplies with(KeptReply reply, long wallMillis) {
        long span = spanOf(wallMillis);
        Span before = at(span);
        Span after = new Span(before.replies.with(reply.key(), reply), before.bytes + reply.size());
        SortedTree<Long, Span> kept = spans.with(span, after);
        for (Long first = kept.first(); first != null && first < span - SPANS_KEPT; first = kept.first()) {
            kept = kept.without(first);
        }
        return new KeptReplies(kept).bounded();
    }

    /// Each answer with the start of its span, for a checkpoint.
    List<Dated> all() {
        List<Dated> all = new ArrayList<>();
        spans.forEach(
                (span, held) -> held.replies.forEach((key, reply) -> all.add(new Dated(span * SPAN_MILLIS, reply))));
        return all;
    }

    /// An answer and the span of its entry.
    ///
    /// @param wallMillis start of the span
    record Dated(long wallMillis, KeptReply reply) {}

    private KeptReplies bounded() {
        SortedTree<Long, Span> kept = spans;
        while (kept.size() > 1 && bytes(kept) > BYTES_MAX) {
            Long first = kept.first();
            if (first != null) kept = kept.without(first);
        }
        return kept == spans ? this : new KeptReplies(kept);
    }

    private static long bytes(SortedTree<Long, Span> spans) {
        long[] sum = {0};
        spans.forEach((span, held) -> sum[0] += held.bytes);
        return sum[0];
    }

    private Span at(long span) {
        @Nullable Span found = spans.get(span);
        return found == null ? new Span(SortedTree.empty(), 0) : found;
    }

    private static long spanOf(long wallMillis) {
        return Math.floorDiv(wallMillis, SPAN_MILLIS);
    }
}
