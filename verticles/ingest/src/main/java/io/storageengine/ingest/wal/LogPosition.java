package io.storageengine.ingest.wal;

/// An entry of a write-ahead log.
///
/// @param log the log, with what is still open in it
/// @param position the entry's number
public record LogPosition(OpenLog log, long position) {
    /// How clients name it: `{log id}.{position}`.
    public String token() {
        return log.id() + "." + position;
    }
}
