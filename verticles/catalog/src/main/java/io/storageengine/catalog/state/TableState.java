package io.storageengine.catalog.state;

import java.util.Map;
import java.util.UUID;

/// A table as the catalog knows it; everything else is in its metadata file.
///
/// @param uuid never changes
/// @param metadataLocation of the current metadata file
/// @param progress marks and claims that its commits carried
public record TableState(UUID uuid, String metadataLocation, Progress progress) {
    /// What ingestion has committed to a table; it survives snapshots, compaction and other engines' commits.
    ///
    /// @param marks per write-ahead log, the position up to which all of the table's rows are committed
    /// @param claims keys of the requests that were committed
    /// @param channels who holds them
    public record Progress(Map<String, Long> marks, Claims claims, Channels channels) {
        public static final Progress NONE = new Progress(Map.of(), Claims.NONE, Channels.NONE);

        public Progress {
            marks = Map.copyOf(marks);
        }

        boolean isEmpty() {
            return marks.isEmpty() && claims.isEmpty() && channels.isEmpty();
        }
    }
}
