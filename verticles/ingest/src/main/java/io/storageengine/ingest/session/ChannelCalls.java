package io.storageengine.ingest.session;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.message.CallChannel;
import io.storageengine.core.message.ChannelStatus;
import io.storageengine.ingest.channel.Channels;
import io.storageengine.ingest.channel.RowsTurn;
import io.storageengine.ingest.table.Arrival;
import io.storageengine.ingest.table.OpenTable;
import io.storageengine.ingest.wal.Block;
import io.storageengine.ingest.wal.WriteAheadLog;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// What clients ask of channels beside sending rows. Failures are thrown as [FailureException].
public record ChannelCalls(Desk desk, Channels channels, WriteAheadLog log) {
    private static final int NAME_CHARACTERS_MAX = 256;

    public ChannelStatus answer(CallChannel call) throws InterruptedException {
        checkName(call.channel());
        OpenTable table = desk.tables().load(call.table()).orThrow();
        switch (call.act()) {
            case OPEN -> {
                try (Channels.Entered entered = channels.enter(table, call.channel())) {
                    return entered.open();
                }
            }
            case STATUS -> {}
            case ADVANCE -> advance(call, table);
            case CLOSE -> {
                try (Channels.Entered entered = channels.enter(table, call.channel())) {
                    entered.hold(call.epoch() == 0 ? status(call).epoch() : call.epoch());
                    entered.awaitCommitted();
                }
            }
            case RETIRE -> {
                try (Channels.Entered entered = channels.enter(table, call.channel())) {
                    ChannelStatus last = status(call);
                    entered.retire(call.epoch());
                    return last;
                }
            }
        }
        return status(call);
    }

    /// Refuses what cannot be a channel's name.
    public static void checkName(String channel) {
        boolean isName = !channel.isBlank()
                && channel.length() <= NAME_CHARACTERS_MAX
                && channel.chars().noneMatch(Character::isISOControl);
        if (!isName)
            throw new FailureException(
                    Failure.Kind.INVALID,
                    "A channel's name has 1 to " + NAME_CHARACTERS_MAX
                            + " characters, none of them control characters");
    }

    private ChannelStatus status(CallChannel call) {
        return channels.status(desk.tables().load(call.table()).orThrow(), call.channel());
    }

    private void advance(CallChannel call, OpenTable table) throws InterruptedException {
        long waitMillis = desk.options().logMillis();
        try (RowsTurn turn =
                RowsTurn.enter(channels, table, call.channel(), call.epoch(), OptionalLong.empty(), waitMillis)) {
            Optional<Block.ChannelPart> part = turn.part(Math.max(0, call.offset() - turn.next()), 0);
            if (part.isPresent()) send(table, part, turn);
            turn.awaitDurable(Math.max(turn.next(), call.offset()));
        }
    }

    private void send(OpenTable table, Optional<Block.ChannelPart> part, RowsTurn turn) {
        Block block = new Block(
                table.ref(),
                table.uuid(),
                0,
                desk.clock().wallMillis(),
                new Block.Files(List.of()),
                Optional.empty(),
                part);
        Arrival arrival = new Arrival(
                block,
                null,
                desk.options().pace().of(table.metadata().properties()),
                desk.memory(),
                desk.buffers()::add);
        turn.send(arrival);
        if (!log.enter(arrival)) arrival.refused(new Failure(Failure.Kind.UNAVAILABLE, "The node is stopping"));
    }
}
