package io.storageengine.catalog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Requests in the words of the REST specification.
final class Samples {
    private Samples() {}

    static String createTable(String name) {
        return createTable(name, 2, "");
    }

    /// @param more further fields, beginning with a comma
    static String createTable(String name, int formatVersion, String more) {
        return "{\"name\":\"" + name + "\",\"new-field\":{\"x\":1},\"schema\":{\"type\":\"struct\",\"fields\":["
                + "{\"id\":1,\"name\":\"id\",\"required\":true,\"type\":\"long\"}]},"
                + "\"properties\":{\"format-version\":\"" + formatVersion + "\"}" + more + "}";
    }

    static String setProperty(String name, String value) {
        return "{\"requirements\":[],\"updates\":[{\"action\":\"set-properties\",\"updates\":{\"" + name + "\":\""
                + value + "\"}}]}";
    }

    /// Adds a first snapshot to a table of format 2 and makes it the head.
    static String append(long snapshotId, @Nullable Long parent) {
        return append(snapshotId, parent, 1, "");
    }

    /// @param more further fields of the snapshot, beginning with a comma
    static String append(long snapshotId, @Nullable Long parent, long sequence, String more) {
        String ancestor = parent == null ? "" : ",\"parent-snapshot-id\":" + parent;
        return "{\"updates\":[{\"action\":\"add-snapshot\",\"snapshot\":{\"snapshot-id\":" + snapshotId + ancestor
                + ",\"sequence-number\":" + sequence + ",\"timestamp-ms\":" + 1_700_000_000_000L
                + ",\"schema-id\":0,\"summary\":{\"operation\":\"append\"},\"manifest-list\":\"s3://dev/m-"
                + snapshotId + ".avro\"" + more + "}},{\"action\":\"set-snapshot-ref\",\"ref-name\":\"main\","
                + "\"type\":\"branch\",\"snapshot-id\":" + snapshotId + "}]}";
    }

    static String uuid(ByteBuffer metadata) {
        try {
            return Room.JSON
                    .readTree(
                            StandardCharsets.UTF_8.decode(metadata.duplicate()).toString())
                    .path("table-uuid")
                    .asText();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
