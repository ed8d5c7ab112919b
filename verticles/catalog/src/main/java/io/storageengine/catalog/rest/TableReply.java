package io.storageengine.catalog.rest;

import io.storageengine.catalog.iceberg.IcebergJson;
import io.storageengine.catalog.iceberg.StoredMetadata;
import io.storageengine.core.message.CatalogReply;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/// The answer to a load, a create and a commit (`LoadTableResult` of the REST specification), put together from
/// the metadata file's own bytes. Its `ETag` is strong: it stands for every byte of the answer.
final class TableReply {
    private final byte[] config;

    /// @param config what the client needs to reach the table's files; may hold the storage's keys
    TableReply(Map<String, String> config) {
        this.config = IcebergJson.write(new TreeMap<>(config));
    }

    /// A table that is only staged: without a location and a tag.
    CatalogReply staged(ByteBuffer metadata) {
        return untagged("", metadata);
    }

    /// A view, or a table without a tag.
    CatalogReply untagged(String location, ByteBuffer metadata) {
        return new CatalogReply(200, Map.of("content-type", "application/json"), body(location, metadata));
    }

    /// A table with all its snapshots.
    CatalogReply all(StoredMetadata stored) {
        return tagged(tag(stored.location(), false), body(stored.location(), stored.json()));
    }

    /// A table with those snapshots only that branches and tags point at.
    CatalogReply refs(StoredMetadata stored, ByteBuffer metadata) {
        return tagged(tag(stored.location(), true), body(stored.location(), metadata));
    }

    /// A table that this catalog has let go (`UnregisterTableResult`).
    static CatalogReply handedOver(StoredMetadata stored) {
        byte[] head = ("{\"metadata-location\":" + quoted(stored.location()) + ",\"metadata\":")
                .getBytes(StandardCharsets.UTF_8);
        ByteBuffer json = stored.json().duplicate();
        ByteBuffer body = ByteBuffer.allocate(head.length + json.remaining() + 1);
        body.put(head).put(json).put((byte) '}');
        return new CatalogReply(200, Map.of("content-type", "application/json"), body.flip());
    }

    /// The tag of an answer.
    ///
    /// @param location of the metadata file, which never changes
    /// @param refs whether the answer has only the snapshots that branches and tags point at
    String tag(String location, boolean refs) {
        String mode = refs ? "refs" : "all";
        return "\"" + Hashes.sha256(bytes(location), ByteBuffer.wrap(config)) + "-" + mode + "\"";
    }

    private static CatalogReply tagged(String tag, ByteBuffer body) {
        return new CatalogReply(
                200, Map.of("content-type", "application/json", "etag", tag, "vary", "accept-encoding"), body);
    }

    private ByteBuffer body(String location, ByteBuffer metadata) {
        byte[] head = (location.isEmpty() ? "{" : "{\"metadata-location\":" + quoted(location) + ",")
                .getBytes(StandardCharsets.UTF_8);
        byte[] name = "\"metadata\":".getBytes(StandardCharsets.UTF_8);
        byte[] middle = ",\"config\":".getBytes(StandardCharsets.UTF_8);
        int length = head.length + name.length + metadata.remaining() + middle.length + config.length + 1;
        ByteBuffer body = ByteBuffer.allocate(length);
        body.put(head)
                .put(name)
                .put(metadata.duplicate())
                .put(middle)
                .put(config)
                .put((byte) '}');
        return body.flip();
    }

    private static ByteBuffer bytes(String text) {
        return StandardCharsets.UTF_8.encode(text);
    }

    private static String quoted(String text) {
        return new String(IcebergJson.write(text), StandardCharsets.UTF_8);
    }
}
