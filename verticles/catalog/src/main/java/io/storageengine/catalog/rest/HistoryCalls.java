package io.storageengine.catalog.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.storageengine.catalog.iceberg.IcebergJson;
import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.catalog.log.CatalogLog;
import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.EntryCodec;
import io.storageengine.catalog.state.Space;
import io.storageengine.catalog.state.TableName;
import io.storageengine.catalog.tables.NativeCatalog;
import io.storageengine.core.message.CatalogReply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// What is served of a native catalog beside the Iceberg REST API: its history, and bringing back what was
/// dropped.
///
/// `GET /catalogs/{id}/history` answers `{"first-entry","last-entry","entries":[{"entry","timestamp-ms",
/// "changes":[…]}],"next-page-token"}`: the newest entry first, or with `?from=n` the entry n and those after
/// it. `POST /catalogs/{id}/restore` takes `{"namespace":["a"],"name":"t"}`, `{"namespace":["a"]}` or
/// `{"as-of-entry":n}`.
final class HistoryCalls {
    private static final String HISTORY = "history";
    private static final String RESTORE = "restore";
    private static final String AS_OF = "as-of-entry";
    private static final int SIZE_DEFAULT = 100;
    private static final int SIZE_MAX = 200;

    private final NativeCatalog catalog;
    private final Idempotency idempotency;

    HistoryCalls(NativeCatalog catalog, Idempotency idempotency) {
        this.catalog = catalog;
        this.idempotency = idempotency;
    }

    /// @param name the segment of the path after `/catalogs/{id}`
    Optional<CatalogReply> answer(Call call, String name) {
        return switch (name) {
            case HISTORY ->
                Optional.of(
                        call.writes() ? Replies.methodNotAllowed(call.method(), name, List.of("GET")) : history(call));
            case RESTORE ->
                Optional.of(
                        call.method().equals("POST")
                                ? restore(call)
                                : Replies.methodNotAllowed(call.method(), name, List.of("POST")));
            default -> Optional.empty();
        };
    }

    private CatalogReply restore(Call call) {
        return idempotency.answer(call, key -> {
            JsonNode body = IcebergJson.read(call.body(), JsonNode.class);
            if (body.has(AS_OF)) catalog.restores().asOf(entry(body), key);
            else if (body.size() == 1 && body.has("namespace")) catalog.restoreSpace(levels(body), key);
            else catalog.restore(name(body), key);
            return Replies.noContent();
        });
    }

    private static long entry(JsonNode body) {
        JsonNode entry = body.path(AS_OF);
        if (body.size() == 1 && entry.isIntegralNumber() && entry.canConvertToLong() && entry.asLong() > 0) {
            return entry.asLong();
        }
        throw Refusals.bad("The body is {\"as-of-entry\":n} with the number of an entry, and nothing else");
    }

    private static List<String> levels(JsonNode body) {
        List<String> levels = new ArrayList<>();
        for (JsonNode level : body.path("namespace")) levels.add(level.isTextual() ? level.textValue() : "");
        return levels;
    }

    private static TableName name(JsonNode body) {
        List<String> levels = levels(body);
        String name = body.path("name").asText();
        boolean isWhole = body.path("name").isTextual()
                && !name.isEmpty()
                && !levels.isEmpty()
                && !levels.contains("")
                && body.size() == 2;
        if (!isWhole) {
            throw Refusals.bad("The body names a table or view that was dropped:"
                    + " {\"namespace\":[\"a\"],\"name\":\"t\"}, and nothing else");
        }
        return new TableName(Space.path(levels), name);
    }

    private CatalogReply history(Call call) {
        CatalogLog.Span span = catalog.log().span();
        Optional<String> from = call.parameter("from");
        Page page = page(call, from.isPresent() ? "history on" : "history back");
        List<String> positions = positions(page, from, span);
        List<Map<String, Object>> entries = new ArrayList<>();
        CatalogState names = catalog.log().latest();
        List<Long> numbers = page.cut(positions).stream().map(Long::valueOf).toList();
        catalog.log().past().entries(numbers).forEach((number, entry) -> entries.add(entry(number, entry, names)));
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("first-entry", span.first());
        answer.put("last-entry", span.last());
        answer.put("entries", entries);
        @Nullable String next = page.next(positions);
        if (next != null) answer.put("next-page-token", next);
        return Replies.of(answer);
    }

    private static Page page(Call call, String listing) {
        Page page = Page.of(call, listing);
        boolean isAsked =
                call.parameter("pageSize").filter(text -> !text.isEmpty()).isPresent();
        return new Page(page.listing(), page.after(), isAsked ? Math.min(page.size(), SIZE_MAX) : SIZE_DEFAULT);
    }

    /// The entries of a page and one more, when there are more.
    private static List<String> positions(Page page, Optional<String> from, CatalogLog.Span span) {
        long after = page.after().isEmpty() ? 0 : Long.parseLong(page.after());
        LongStream all;
        if (from.isPresent()) {
            long start = Math.max(after == 0 ? number(from.get()) : after + 1, span.first());
            all = LongStream.rangeClosed(start, span.last());
        } else {
            long start = after == 0 ? span.last() : Math.min(after - 1, span.last());
            all = LongStream.rangeClosed(span.first(), start).map(position -> span.first() + start - position);
        }
        return all.limit(page.size() + 1L).mapToObj(Long::toString).toList();
    }

    private static long number(String text) {
        if (!text.matches("[0-9]{1,18}")) throw Refusals.bad("from is the number of an entry, not '" + text + "'");
        return Long.parseLong(text);
    }

    private static Map<String, Object> entry(long position, EntryCodec.Entry entry, CatalogState names) {
        List<Map<String, Object>> changes = new ArrayList<>();
        for (int i = 0; i < entry.changes().size(); i++) {
            String principal = entry.principal(i);
            ToldChange.of(entry.changes().get(i), names).ifPresent(told -> {
                if (!principal.isEmpty()) told.put("principal", principal);
                changes.add(told);
            });
        }
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("entry", position);
        described.put("timestamp-ms", entry.wallMillis());
        described.put("changes", changes);
        return described;
    }
}
