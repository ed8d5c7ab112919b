package io.storageengine.core.message;

import java.nio.ByteBuffer;
import java.util.Map;

/// A call of the catalog administration or of the Iceberg REST API, as it came over HTTP: the catalog room
/// knows what it means.
///
/// @param method HTTP method in upper case
/// @param path raw path, still percent-encoded, beginning with `/catalogs`
/// @param query raw query string without `?`; empty when there is none
/// @param headers request headers, names in lower case, several values joined by `, `
/// @param body whole request body; at most the configured limit
/// @param principal who calls, for the catalog's history; empty when nobody was asked, and for the engine's
///     own calls
public record CallCatalog(
        String method, String path, String query, Map<String, String> headers, ByteBuffer body, String principal)
        implements Question<CatalogReply> {
    /// A header that the gateway sets and no client: what tells the client's connection from others.
    public static final String CONNECTION = "se-connection";

    public CallCatalog {
        headers = Map.copyOf(headers);
    }

    /// A call of nobody in particular.
    public CallCatalog(String method, String path, String query, Map<String, String> headers, ByteBuffer body) {
        this(method, path, query, headers, body, "");
    }

    @Override
    public Room room() {
        return Room.CATALOG;
    }

    @Override
    public String catalog() {
        String[] segments = path.split("/", 4);
        return segments.length > 2 ? segments[2] : "";
    }

    @Override
    public boolean writes() {
        return !(method.equals("GET") || method.equals("HEAD") || plansScan());
    }

    /// Planning a scan is sent by POST, and cancelled by DELETE, and changes nothing.
    private boolean plansScan() {
        String[] parts = path.split("/", -1);
        boolean ofTable = parts.length >= 9 && parts[4].equals("namespaces") && parts[6].equals("tables");
        if (!ofTable) return false;
        String last = parts[8];
        return switch (method) {
            case "POST" -> parts.length == 9 && (last.equals("plan") || last.equals("tasks"));
            case "DELETE" -> parts.length == 10 && last.equals("plan");
            default -> false;
        };
    }
}
