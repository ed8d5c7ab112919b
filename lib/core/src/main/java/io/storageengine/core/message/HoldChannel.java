package io.storageengine.core.message;

import java.util.Optional;

/// Gives a channel another holder, makes it, or retires it. `CONFLICT` with code `ChannelMoved` when somebody
/// else was faster, `THROTTLED` when the table has too many channels, `NOT_FOUND` when the table of that uuid is
/// gone.
///
/// @param table the table, for its catalog
/// @param tableUuid the table that the channel belongs to
/// @param channel its name
/// @param expected who must hold it now; empty when it must not be there
/// @param next who holds it afterwards; empty retires it
public record HoldChannel(
        TableRef table, String tableUuid, String channel, Optional<ChannelHold> expected, Optional<ChannelHold> next)
        implements Question<FoundChannel> {
    /// How many channels a table may have.
    public static final int CHANNELS_MAX = 1_000;

    @Override
    public Room room() {
        return Room.CATALOG;
    }

    @Override
    public String catalog() {
        return table.catalog();
    }

    @Override
    public boolean writes() {
        return true;
    }
}
