package io.storageengine.catalog.state;

import io.storageengine.core.Failure;
import io.storageengine.core.message.ChannelHold;
import io.storageengine.core.message.HoldChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What becomes of channels. Pure.
final class ChannelRules {
    private ChannelRules() {}

    /// Of two who want a channel the one whose expectation is true gets it.
    static Decision hold(CatalogState state, Command.HoldChannel command, List<Change> before) {
        Channels channels = state.table(command.uuid())
                .map(table -> table.progress().channels())
                .orElse(Channels.NONE);
        Optional<ChannelHold> present = channels.find(command.channel());
        if (!present.equals(command.expected()))
            return Decision.refused(
                    Failure.Kind.CONFLICT,
                    "ChannelMoved",
                    "The channel " + command.channel() + " was opened by somebody else meanwhile");
        if (present.isEmpty() && channels.held().size() >= HoldChannel.CHANNELS_MAX)
            return Decision.refused(
                    Failure.Kind.THROTTLED,
                    "TooManyChannelsException",
                    "The table has " + HoldChannel.CHANNELS_MAX + " channels: retire some");
        List<Change> changes = new ArrayList<>(before);
        changes.add(new Change.ChannelHeld(
                command.uuid(), command.channel(), command.next().orElse(null)));
        return new Decision.Accepted(changes);
    }

    /// What a table's progress is with another holder of a channel; the marks of a retired one go.
    static TableState.Progress after(TableState.Progress before, Change.ChannelHeld change) {
        Map<String, ChannelHold> held = new HashMap<>(before.channels().held());
        Map<String, Long> marks = new HashMap<>(before.marks());
        long epochMax = before.channels().epochMax();
        ChannelHold next = change.hold();
        if (next != null) {
            held.put(change.channel(), next);
        } else {
            ChannelHold retired = held.remove(change.channel());
            if (retired != null) {
                epochMax = Math.max(epochMax, retired.epoch());
                marks.remove(retired.mark(change.channel()));
                marks.remove(retired.rejectedMark(change.channel()));
            }
        }
        return new TableState.Progress(marks, before.claims(), new Channels(held, epochMax));
    }
}
