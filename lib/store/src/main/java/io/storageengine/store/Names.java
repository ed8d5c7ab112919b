package io.storageengine.store;

import io.storageengine.core.Ids;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/// Makes names that never repeat: entity tags, upload ids, temporary files. Thread-safe; the source of
/// randomness is asked once.
public final class Names {
    private static final HexFormat HEX = HexFormat.of();
    private final long start;
    private final AtomicLong next;

    public Names(Ids ids) {
        this.start = ids.positiveLong();
        this.next = new AtomicLong(ids.positiveLong());
    }

    /// 32 lower-case hexadecimal digits.
    public String next() {
        return HEX.toHexDigits(start) + HEX.toHexDigits(next.getAndIncrement());
    }

    /// True for what [#next] makes.
    public static boolean isName(String text) {
        return text.length() == 32 && text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
    }
}
