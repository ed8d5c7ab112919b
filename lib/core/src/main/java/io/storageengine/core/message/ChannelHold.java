package io.storageengine.core.message;

/// Who may append to a channel: it is in the catalog's log, so that of two who want it one gets it.
///
/// @param epoch goes up with every opening; what comes with a lower one is refused
/// @param log the write-ahead log that alone may hold rows of this epoch
/// @param life the epoch of the first opening since the channel was made: a retired channel's offsets are not
///     taken for those of a later one of its name
public record ChannelHold(long epoch, String log, long life) {
    /// The name under which a table's marks tell up to which offset a channel's rows are committed.
    public String mark(String channel) {
        return "channel/" + life + "/" + channel;
    }

    /// The name under which a table's marks tell how many of a channel's rows were refused.
    public String rejectedMark(String channel) {
        return "rejected/" + life + "/" + channel;
    }
}
