package io.storageengine.core.message;

/// Moves the mark of one write-ahead log for one table: the commit holds all of the table's rows in the entries
/// `(expected, next]` of that log.
///
/// @param log id of the write-ahead log
/// @param expected where the mark must stand now; 0 when there is none yet
/// @param next where it stands afterwards
public record Watermark(String log, long expected, long next) {
    public Watermark {
        if (expected < 0 || next <= expected) throw new IllegalArgumentException("a mark moves forward");
    }
}
