package io.storageengine.gateway.s3;

import io.storageengine.core.store.ByteRange;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The `Range` header: one range of bytes; anything else is ignored, as RFC 9110, section 14.2 allows. Pure.
final class Range {
    private static final int DIGITS_MAX = 18;
    private static final long BEYOND = 999_999_999_999_999_999L;
    private static final Pattern ONE = Pattern.compile("bytes=([0-9]*)-([0-9]*)");

    private Range() {}

    /// Empty when the whole object is meant.
    static Optional<ByteRange> parse(String header) {
        Matcher one = ONE.matcher(header.strip());
        if (!one.matches()) return Optional.empty();
        String first = one.group(1);
        String last = one.group(2);
        if (first.isEmpty()) return last.isEmpty() ? Optional.empty() : suffix(number(last));
        if (last.isEmpty()) return Optional.of(new ByteRange.From(number(first)));
        long from = number(first);
        long to = number(last);
        return to < from ? Optional.empty() : Optional.of(new ByteRange.Between(from, to));
    }

    /// Beyond every object there is, all numbers are one.
    private static long number(String digits) {
        String plain = digits.replaceFirst("^0+(?=.)", "");
        return plain.length() > DIGITS_MAX ? BEYOND : Long.parseLong(plain);
    }

    private static Optional<ByteRange> suffix(long length) {
        if (length == 0) throw S3Errors.refusal("InvalidRange", "The range is empty");
        return Optional.of(new ByteRange.Suffix(length));
    }
}
