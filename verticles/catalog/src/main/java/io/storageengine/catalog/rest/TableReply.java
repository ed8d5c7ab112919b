package io.storageengine.catalog.rest;

import io.storageengine.catalog.iceberg.IcebergJson;
import io.storageengine.core.message.CatalogReply;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// The answer to a load, a create and a commit (`LoadTableResult` of the REST specification), put together from
/// the metadata file's own bytes.
final class TableReply {
    private final byte[] config;

    /// @param config what engines need to reach the table's files; holds the storage's keys
    TableReply(Map<String, String> config) {
        this.config = IcebergJson.write(config);
    }

    /// @param location of the metadata file; empty for a table that is only staged
    CatalogReply of(String location, ByteBuffer metadata) {
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
        return new CatalogReply(200, Map.of("content-type", "application/json"), body.flip());
    }

    private static String quoted(String text) {
        return new String(IcebergJson.write(text), StandardCharsets.UTF_8);
    }
}
