package io.storageengine.core.message;

/// A call on a channel beside its rows. Failures: `NOT_FOUND` (`NoSuchChannelException`, or the table is gone),
/// `CONFLICT` with code `ChannelFencedException` for another epoch, `OffsetGapException` for an offset beyond
/// the next one, `THROTTLED` while another call has the channel for too long.
///
/// @param table the table
/// @param channel the channel's name
/// @param act what is to be done
/// @param epoch of the caller; 0 for whichever there is, but for [Act#ADVANCE]
/// @param offset for [Act#ADVANCE] the next offset afterwards; else 0
public record CallChannel(TableRef table, String channel, Act act, long epoch, long offset)
        implements Question<ChannelStatus> {
    /// What can be done with a channel.
    public enum Act {
        /// Makes it where it is not there, and fences whoever had it.
        OPEN,
        /// Tells where it stands.
        STATUS,
        /// Passes over offsets without rows.
        ADVANCE,
        /// Waits until all of its rows are committed.
        CLOSE,
        /// Forgets it, once all of its rows are committed.
        RETIRE
    }

    @Override
    public Room room() {
        return Room.INGEST;
    }

    @Override
    public String catalog() {
        return table.catalog();
    }

    @Override
    public boolean writes() {
        return act != Act.STATUS;
    }
}
