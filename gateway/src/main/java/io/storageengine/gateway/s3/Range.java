package io.storageengine.gateway.s3;

import io.storageengine.core.store.ByteRange;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The `Range` header: one range of bytes; anything else is ignored, as RFC 9110, section 14.2 allows. Pure.
final class Range {
    private static final Pattern ONE = Pattern.compile("bytes=([0-9]{0,18})-([0-9]{0,18})");

    private Range() {}

    /// Empty when the whole object is meant.
    static Optional<ByteRange> parse(String header) {
        Matcher one = ONE.matcher(header.strip());
        if (!one.matches()) return Optional.empty();
        String first = one.group(1);
        String last = one.group(2);
        if (first.isEmpty()) return last.isEmpty() ? Optional.empty() : suffix(Long.parseLong(last));
        if (last.isEmpty()) return Optional.of(new ByteRange.From(Long.parseLong(first)));
        long from = Long.parseLong(first);
        long to = Long.parseLong(last);
        return to < from ? Optional.empty() : Optional.of(new ByteRange.Between(from, to));
    }

    private static Optional<ByteRange> suffix(long length) {
        if (length == 0) throw S3Errors.refusal("InvalidRange", "The range is empty");
        return Optional.of(new ByteRange.Suffix(length));
    }
}
