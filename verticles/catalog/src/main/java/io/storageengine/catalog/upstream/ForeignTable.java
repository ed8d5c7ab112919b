package io.storageengine.catalog.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import io.storageengine.core.message.LoadedTable;
import io.storageengine.core.message.Watermark;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A table as an upstream answers it (`LoadTableResult` of the REST specification).
record ForeignTable(JsonNode answer) {
    /// Before the id of a write-ahead log, in the name of the table property that holds its mark.
    static final String MARK = "se.watermark.";

    JsonNode metadata() {
        return answer.path("metadata");
    }

    String uuid() {
        return metadata().path("table-uuid").asText();
    }

    /// Per write-ahead log, where its mark stands.
    Map<String, Long> marks() {
        Map<String, Long> marks = new HashMap<>();
        UpstreamJson.strings(metadata().path("properties")).forEach((name, value) -> {
            if (name.startsWith(MARK) && value.matches("[0-9]{1,18}")) {
                marks.put(name.substring(MARK.length()), Long.parseLong(value));
            }
        });
        return marks;
    }

    /// The snapshot of the main branch; null when there is none.
    @Nullable
    Long currentSnapshot() {
        long id = metadata().path("refs").path("main").path("snapshot-id").asLong(-1);
        if (id < 0) id = metadata().path("current-snapshot-id").asLong(-1);
        return id < 0 ? null : id;
    }

    boolean hasSnapshot(long id) {
        for (JsonNode snapshot : metadata().path("snapshots")) {
            if (snapshot.path("snapshot-id").asLong() == id) return true;
        }
        return false;
    }

    boolean hasReached(List<Watermark> wanted) {
        Map<String, Long> marks = marks();
        return wanted.stream().allMatch(mark -> marks.getOrDefault(mark.log(), 0L) >= mark.next());
    }

    LoadedTable loaded() {
        return new LoadedTable(answer.path("metadata-location").asText(""), json(), marks(), ioProperties());
    }

    ByteBuffer json() {
        return ByteBuffer.wrap(UpstreamJson.bytes(metadata()));
    }

    /// What the upstream gives for reaching the files: its `config`, and above it the storage credentials, the
    /// most specific last.
    private Map<String, String> ioProperties() {
        Map<String, String> properties = UpstreamJson.strings(answer.path("config"));
        List<JsonNode> credentials = new ArrayList<>();
        answer.path("storage-credentials").forEach(credentials::add);
        credentials.sort(
                Comparator.comparingInt(one -> one.path("prefix").asText().length()));
        credentials.forEach(one -> properties.putAll(UpstreamJson.strings(one.path("config"))));
        return properties;
    }
}
