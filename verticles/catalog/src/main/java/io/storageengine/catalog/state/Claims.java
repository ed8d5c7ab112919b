package io.storageengine.catalog.state;

import io.storageengine.core.message.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The idempotency keys of one table's committed requests, by the hour of their commit. A claim is kept for 24
/// hours, or until newer ones of the same table fill [#BYTES_MAX]; whole hours go at once.
public final class Claims {
    /// Claims are known for this long.
    public static final long KEPT_HOURS = 24;
    /// How far the clocks of owners may be apart.
    public static final long DRIFT_HOURS = 1;
    /// How much one table's claims may take, in characters of their texts.
    public static final long BYTES_MAX = 32L << 20;

    static final Claims NONE = new Claims(SortedTree.empty());
    private static final long HOUR_MILLIS = 3_600_000;

    /// The claims of one hour.
    private record Hour(SortedTree<String, Claim> claims, long bytes) {}

    private final SortedTree<Long, Hour> hours;

    private Claims(SortedTree<Long, Hour> hours) {
        this.hours = hours;
    }

    /// The last claim on a key, when there is one that was committed less than 24 hours before `wallMillis`.
    public Optional<Claim> find(String key, long wallMillis) {
        long oldest = oldest(wallMillis);
        Claim found = null;
        for (Long hour = hours.ceiling(oldest); hour != null; hour = hours.higher(hour)) {
            Claim later = at(hour).claims.get(key);
            if (later != null) found = later;
        }
        return Optional.ofNullable(found);
    }

    boolean isEmpty() {
        return hours.isEmpty();
    }

    /// These claims and one more, committed at `wallMillis`.
    Claims with(Claim claim, long wallMillis) {
        long hour = hourOf(wallMillis);
        Hour before = at(hour);
        Hour after = new Hour(before.claims.with(claim.key(), claim), before.bytes + size(claim));
        return new Claims(hours.with(hour, after)).bounded();
    }

    /// These claims without those that are too old at `wallMillis`.
    Claims pruned(long wallMillis) {
        long oldest = oldest(wallMillis);
        SortedTree<Long, Hour> kept = hours;
        for (Long hour = kept.first(); hour != null && hour < oldest; hour = kept.first()) kept = kept.without(hour);
        return kept == hours ? this : new Claims(kept);
    }

    /// Each claim with the start of the hour of its commit, for a checkpoint.
    List<Dated> all() {
        List<Dated> all = new ArrayList<>();
        hours.forEach(
                (hour, claims) -> claims.claims.forEach((key, claim) -> all.add(new Dated(hour * HOUR_MILLIS, claim))));
        return all;
    }

    /// A claim and the hour of its commit.
    ///
    /// @param wallMillis start of the hour
    record Dated(long wallMillis, Claim claim) {}

    private Claims bounded() {
        SortedTree<Long, Hour> kept = hours;
        while (kept.size() > 1 && bytes(kept) > BYTES_MAX) {
            Long first = kept.first();
            if (first != null) kept = kept.without(first);
        }
        return kept == hours ? this : new Claims(kept);
    }

    private static long bytes(SortedTree<Long, Hour> hours) {
        long[] sum = {0};
        hours.forEach((hour, claims) -> sum[0] += claims.bytes);
        return sum[0];
    }

    private static long size(Claim claim) {
        return 64L
                + claim.key().length()
                + claim.requestHash().length()
                + claim.answer().length();
    }

    private Hour at(long hour) {
        @Nullable Hour found = hours.get(hour);
        return found == null ? new Hour(SortedTree.empty(), 0) : found;
    }

    private static long oldest(long wallMillis) {
        return hourOf(wallMillis) - KEPT_HOURS - DRIFT_HOURS;
    }

    private static long hourOf(long wallMillis) {
        return Math.floorDiv(wallMillis, HOUR_MILLIS);
    }
}
