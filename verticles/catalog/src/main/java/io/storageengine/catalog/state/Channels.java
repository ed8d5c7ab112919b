package io.storageengine.catalog.state;

import io.storageengine.core.message.ChannelHold;
import java.util.Map;
import java.util.Optional;

/// Who holds a table's channels. Up to which offset their rows are committed is among the table's marks
/// ([ChannelHold#mark]), so that it moves with the rows.
///
/// @param held by the channels' names
/// @param epochMax the highest epoch of a channel that was retired; a new one begins above it, so that nobody
///     takes a channel's next life for the one before
public record Channels(Map<String, ChannelHold> held, long epochMax) {
    public static final Channels NONE = new Channels(Map.of(), 0);

    public Channels {
        held = Map.copyOf(held);
    }

    public Optional<ChannelHold> find(String channel) {
        return Optional.ofNullable(held.get(channel));
    }

    boolean isEmpty() {
        return held.isEmpty() && epochMax == 0;
    }
}
