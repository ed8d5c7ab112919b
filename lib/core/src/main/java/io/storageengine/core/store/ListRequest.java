package io.storageengine.core.store;

/// Which keys to list.
///
/// @param prefix keys must start with it; empty for all
/// @param delimiter keys that share what comes before its first occurrence after the prefix are folded into one
///     common prefix; empty for no folding
/// @param after only keys and common prefixes greater than this in UTF-8 byte order; empty for the start. A
///     common prefix is left out when it is not greater than `after`, also when `after` lies inside it (`a/b`
///     with `a/`): pass the last item of the page before to go on
/// @param max at most this many keys and common prefixes together, 1 to 1,000
public record ListRequest(String prefix, String delimiter, String after, int max) {
    public static final int MAX = 1_000;

    public ListRequest {
        if (max < 1 || max > MAX) throw new IllegalArgumentException("max is 1 to 1,000");
    }

    public static ListRequest of(String prefix) {
        return new ListRequest(prefix, "", "", MAX);
    }

    public ListRequest after(String last) {
        return new ListRequest(prefix, delimiter, last, max);
    }
}
