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

    /// A view over one column, with a text for Spark.
    static String createView(String name, String sql) {
        return createView(name, sql, "");
    }

    /// @param more further fields, beginning with a comma
    static String createView(String name, String sql, String more) {
        return "{\"name\":\"" + name + "\",\"new-field\":{\"x\":1},\"schema\":{\"type\":\"struct\",\"schema-id\":4,"
                + "\"fields\":[{\"id\":1,\"name\":\"id\",\"required\":true,\"type\":\"long\"}]},"
                + "\"view-version\":" + viewVersion(9, sqlFor("spark", sql)) + more + "}";
    }

    /// @param representations a list's elements
    static String viewVersion(int id, String representations) {
        return "{\"version-id\":" + id + ",\"schema-id\":0,\"timestamp-ms\":1700000000000,"
                + "\"summary\":{\"engine-name\":\"it\"},\"default-namespace\":[\"ns\"],\"representations\":["
                + representations + "]}";
    }

    static String sqlFor(String dialect, String sql) {
        return "{\"type\":\"sql\",\"sql\":\"" + sql + "\",\"dialect\":\"" + dialect + "\"}";
    }

    /// Gives a view a new version, which becomes the current one.
    static String replaceView(String representations) {
        return "{\"updates\":[{\"action\":\"add-view-version\",\"view-version\":" + viewVersion(1, representations)
                + "},{\"action\":\"set-current-view-version\",\"view-version-id\":-1}]}";
    }

    static String rename(String from, String to) {
        return "{\"source\":{\"namespace\":[\"ns\"],\"name\":\"" + from
                + "\"},\"destination\":{\"namespace\":[\"ns\"],\"name\":\"" + to + "\"}}";
    }

    /// Registers a metadata file as a table or a view.
    static String register(String name, String location) {
        return "{\"name\":\"" + name + "\",\"metadata-location\":\"" + location + "\"}";
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
