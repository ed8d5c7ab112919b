package io.storageengine.catalog.rest;

import io.storageengine.catalog.iceberg.Refusals;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One page of a listing: no token means everything, an empty one the first page. A token names its listing and
/// the last item seen, so that it holds while names come and go, and on its own listing only.
///
/// @param listing what is listed
/// @param after the last item of the page before; empty for the start
/// @param size items on a page, at most; [Integer#MAX_VALUE] - 1 for all
record Page(String listing, String after, int size) {
    private static final int SIZE_DEFAULT = 1_000;
    private static final int ALL = Integer.MAX_VALUE - 1;
    private static final char END = '\n';

    static Page of(Call call, String listing) {
        Optional<String> token = call.parameter("pageToken");
        Optional<String> size = call.parameter("pageSize").filter(text -> !text.isEmpty());
        if (token.isEmpty() && size.isEmpty()) return new Page(listing, "", ALL);
        String after = token.filter(text -> !text.isEmpty())
                .map(text -> after(text, listing))
                .orElse("");
        return new Page(listing, after, size.map(Page::size).orElse(SIZE_DEFAULT));
    }

    private static int size(String text) {
        if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) < 1) {
            throw Refusals.bad("pageSize is a number from 1 on, not '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    private static String after(String token, String listing) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
            int end = text.indexOf(END);
            if (end >= 0 && text.substring(0, end).equals(hash(listing))) return text.substring(end + 1);
        } catch (IllegalArgumentException e) {
            throw Refusals.bad("Invalid page token");
        }
        throw Refusals.bad("Invalid page token: it belongs to another listing");
    }

    /// The items of this page out of those after `after`, at most one of which is beyond it.
    List<String> cut(List<String> items) {
        return items.size() > size ? items.subList(0, size) : items;
    }

    /// The token of the page after this one; null when this is the last.
    @Nullable
    String next(List<String> items) {
        if (items.size() <= size) return null;
        String text = hash(listing) + END + items.get(size - 1);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String hash(String listing) {
        return Hashes.sha256(StandardCharsets.UTF_8.encode(listing));
    }
}
