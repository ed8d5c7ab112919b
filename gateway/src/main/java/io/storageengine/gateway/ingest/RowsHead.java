package io.storageengine.gateway.ingest;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.RowOptions;
import io.storageengine.core.message.RowOptions.Ack;
import io.storageengine.core.message.RowOptions.Encoding;
import io.storageengine.core.message.RowOptions.Format;
import io.storageengine.core.message.RowOptions.InChannel;
import io.storageengine.core.message.RowOptions.OnError;
import io.storageengine.gateway.door.Target;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Reads what the head of a request with rows asks for; refuses what it does not know. Pure.
final class RowsHead {
    private static final int KEY_CHARACTERS_MAX = 256;
    private static final String NUMBER = "\\d{1,18}";
    private static final Set<String> KNOWN = Set.of("create", "ack", "on-error", "channel", "epoch", "offset");

    private RowsHead() {}

    /// @param headers names in lower case
    /// @param contentLength -1 when not declared
    static Outcome<RowOptions> parse(Map<String, String> headers, Target target, long contentLength) {
        return query(target)
                .then(query -> format(headers.getOrDefault("content-type", ""))
                        .then(format -> encoding(headers.getOrDefault("content-encoding", "identity"))
                                .then(encoding -> key(headers)
                                        .then(key -> options(query, format, encoding, key, contentLength)))));
    }

    private static Outcome<Map<String, String>> query(Target target) {
        List<Target.Param> params = target.params(true).orElse(List.of(new Target.Param("%", "")));
        Map<String, String> query = new HashMap<>();
        for (Target.Param param : params) {
            if (!KNOWN.contains(param.name())) {
                return invalid("The query key '" + param.name()
                        + "' is not known here: create, ack, on-error, channel, epoch and offset are");
            }
            if (query.put(param.name(), param.value()) != null) {
                return invalid("The query key '" + param.name() + "' is given twice");
            }
        }
        return Outcome.ok(query);
    }

    private static Outcome<Format> format(String contentType) {
        List<String> parts = Stream.of(contentType.split(";", -1))
                .map(part -> part.strip().toLowerCase(Locale.ROOT))
                .toList();
        return switch (parts.getFirst()) {
            case "application/json" -> Outcome.ok(Format.JSON);
            case "application/x-ndjson" -> Outcome.ok(Format.NDJSON);
            case "text/csv" -> csv(contentType, parts.subList(1, parts.size()));
            case "application/vnd.apache.arrow.stream" -> Outcome.ok(Format.ARROW);
            default ->
                unsupported("The Content-Type is '" + contentType
                        + "': send application/json (an object or an array), application/x-ndjson (an object a line),"
                        + " text/csv (with a header row) or application/vnd.apache.arrow.stream (an Arrow IPC stream)");
        };
    }

    /// RFC 4180 has these parameters; what they may ask for otherwise would change what the rows are.
    private static Outcome<Format> csv(String contentType, List<String> parameters) {
        for (String parameter : parameters) {
            String plain = parameter.replace("\"", "").replace(" ", "");
            boolean known = plain.isEmpty()
                    || plain.equals("charset=utf-8")
                    || plain.equals("charset=us-ascii")
                    || plain.equals("header=present");
            if (!known) return unsupported("The Content-Type is '" + contentType + "': CSV is UTF-8 with a header row");
        }
        return Outcome.ok(Format.CSV);
    }

    private static Outcome<Encoding> encoding(String contentEncoding) {
        return switch (contentEncoding.strip().toLowerCase(Locale.ROOT)) {
            case "identity", "" -> Outcome.ok(Encoding.IDENTITY);
            case "gzip", "x-gzip" -> Outcome.ok(Encoding.GZIP);
            case "zstd" -> Outcome.ok(Encoding.ZSTD);
            default -> unsupported("The Content-Encoding is '" + contentEncoding + "': send gzip, zstd or identity");
        };
    }

    /// Empty when there is none; an empty header is a client that believes to have sent one.
    private static Outcome<String> key(Map<String, String> headers) {
        String key = headers.getOrDefault("idempotency-key", "");
        boolean good = key.isEmpty() != headers.containsKey("idempotency-key")
                && key.length() <= KEY_CHARACTERS_MAX
                && key.chars().allMatch(c -> c > 0x20 && c < 0x7f);
        return good
                ? Outcome.ok(key)
                : invalid("An Idempotency-Key has 1 to " + KEY_CHARACTERS_MAX + " visible ASCII characters");
    }

    private static Outcome<RowOptions> options(
            Map<String, String> query, Format format, Encoding encoding, String key, long contentLength) {
        return create(query.getOrDefault("create", "false"))
                .then(create -> ack(query.getOrDefault("ack", "durable"))
                        .then(ack -> onError(query.getOrDefault("on-error", "refuse"))
                                .then(onError -> channel(query)
                                        .map(channel -> new RowOptions(
                                                format,
                                                encoding,
                                                create,
                                                ack,
                                                onError,
                                                key,
                                                contentLength,
                                                channel)))));
    }

    private static Outcome<Optional<InChannel>> channel(Map<String, String> query) {
        String name = query.get("channel");
        String epoch = query.getOrDefault("epoch", "");
        String offset = query.getOrDefault("offset", "");
        if (name == null && epoch.isEmpty() && offset.isEmpty()) return Outcome.ok(Optional.empty());
        if (name == null || !epoch.matches(NUMBER) || !offset.matches(NUMBER))
            return invalid("Rows of a channel come with ?channel=, &epoch= (of its opening) and &offset= (of the first"
                    + " row, a number from 0)");
        return Outcome.ok(Optional.of(new InChannel(name, Long.parseLong(epoch), Long.parseLong(offset))));
    }

    private static Outcome<Boolean> create(String value) {
        return switch (value) {
            case "true" -> Outcome.ok(true);
            case "false" -> Outcome.ok(false);
            default -> invalid("create is true or false, not '" + value + "'");
        };
    }

    private static Outcome<Ack> ack(String value) {
        return switch (value) {
            case "durable" -> Outcome.ok(Ack.DURABLE);
            case "committed" -> Outcome.ok(Ack.COMMITTED);
            default -> invalid("ack is durable or committed, not '" + value + "'");
        };
    }

    private static Outcome<OnError> onError(String value) {
        return switch (value) {
            case "refuse" -> Outcome.ok(OnError.REFUSE);
            case "skip" -> Outcome.ok(OnError.SKIP);
            default -> invalid("on-error is refuse or skip, not '" + value + "'");
        };
    }

    private static <T> Outcome<T> invalid(String message) {
        return Outcome.failed(Failure.Kind.INVALID, "BadRequestException", message);
    }

    private static <T> Outcome<T> unsupported(String message) {
        return Outcome.failed(Failure.Kind.INVALID, "UnsupportedMediaType", message);
    }
}
