package io.storageengine.catalog.rest;

import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.core.message.CallCatalog;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A [CallCatalog] taken apart.
///
/// @param method in upper case
/// @param path segments after `/catalogs`, decoded (`%20` and `+` both mean a space)
/// @param rawPath the same, as sent
/// @param query decoded; of a name that occurs twice the first counts
/// @param rawQuery as sent, without `?`
/// @param headers names in lower case
/// @param body whole
/// @param principal who calls; empty when nobody was asked for a token
public record Call(
        String method,
        List<String> path,
        List<String> rawPath,
        Map<String, String> query,
        String rawQuery,
        Map<String, String> headers,
        ByteBuffer body,
        String principal) {
    private static final String ROOT = "/catalogs";

    public Call {
        path = List.copyOf(path);
        rawPath = List.copyOf(rawPath);
        query = Map.copyOf(query);
    }

    public static Call of(CallCatalog call) {
        if (!call.path().equals(ROOT) && !call.path().startsWith(ROOT + "/"))
            throw Refusals.bad("Not a path of this server");
        List<String> raw =
                new ArrayList<>(List.of(call.path().substring(ROOT.length()).split("/", -1)));
        raw.removeFirst();
        if (!raw.isEmpty() && raw.getLast().isEmpty()) raw.removeLast();
        List<String> decoded = raw.stream().map(Call::decoded).toList();
        return new Call(
                call.method(),
                decoded,
                raw,
                query(call.query()),
                call.query(),
                call.headers(),
                call.body(),
                call.principal());
    }

    private static Map<String, String> query(String raw) {
        Map<String, String> query = new HashMap<>();
        if (raw.isEmpty()) return query;
        for (String pair : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            query.putIfAbsent(decoded(name), equals < 0 ? "" : decoded(pair.substring(equals + 1)));
        }
        return query;
    }

    private static String decoded(String raw) {
        try {
            String text = URLDecoder.decode(raw, StandardCharsets.UTF_8);
            // Bytes that are no UTF-8 come out as U+FFFD; a client that means that character encodes it so.
            if (text.indexOf('\ufffd') >= 0 && !raw.toUpperCase(Locale.ROOT).contains("%EF%BF%BD")) {
                throw Refusals.bad("The path or query is not UTF-8");
            }
            return text;
        } catch (IllegalArgumentException e) {
            throw Refusals.bad("The path or query is not percent-encoded as it should be");
        }
    }

    public Optional<String> parameter(String name) {
        return Optional.ofNullable(query.get(name));
    }

    /// What tells the client's connection from others; empty when nobody said it.
    String connection() {
        return headers.getOrDefault(CallCatalog.CONNECTION, "");
    }

    public boolean isHead() {
        return method.equals("HEAD");
    }

    /// Whether the call may change something, so that a failure on the way must say whether it did.
    public boolean writes() {
        return !(method.equals("GET") || isHead());
    }

    /// Whether the body is said to be UTF-8, as JSON is unless something else is said.
    public boolean isUtf8() {
        String type = headers.getOrDefault("content-type", "").toLowerCase(Locale.ROOT);
        int charset = type.indexOf("charset=");
        if (charset < 0) return true;
        String name = type.substring(charset + "charset=".length()).split(";", -1)[0];
        String bare = name.strip().replace("\"", "");
        return bare.equals("utf-8") || bare.equals("utf8") || bare.equals("us-ascii");
    }

    /// The media type of the body, without parameters, in lower case; empty when none is given.
    public String mediaType() {
        String type = headers.getOrDefault("content-type", "");
        int semicolon = type.indexOf(';');
        return (semicolon < 0 ? type : type.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
    }
}
