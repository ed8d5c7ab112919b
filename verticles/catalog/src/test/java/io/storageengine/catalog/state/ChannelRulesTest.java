package io.storageengine.catalog.state;

import static io.storageengine.catalog.state.DecisionsTest.A;
import static io.storageengine.catalog.state.DecisionsTest.NOW;
import static io.storageengine.catalog.state.DecisionsTest.ONE;
import static io.storageengine.catalog.state.DecisionsTest.TWO;
import static io.storageengine.catalog.state.DecisionsTest.commit;
import static io.storageengine.catalog.state.DecisionsTest.done;
import static io.storageengine.catalog.state.DecisionsTest.refusal;
import static io.storageengine.catalog.state.DecisionsTest.withTable;
import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.message.ChannelHold;
import io.storageengine.core.message.HoldChannel;
import io.storageengine.core.message.Watermark;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class ChannelRulesTest {
    private static final ChannelHold FIRST = new ChannelHold(1, "log-a", 1);
    private static final ChannelHold SECOND = new ChannelHold(2, "log-b", 1);
    private static final Optional<ChannelHold> NOBODY = Optional.empty();

    private static Command hold(UUID table, Optional<ChannelHold> expected, Optional<ChannelHold> next) {
        return new Command.HoldChannel(A, table, false, "c", expected, next);
    }

    private static Channels channels(CatalogState state) {
        return state.table(ONE).orElseThrow().progress().channels();
    }

    @Test
    void ofTwoWhoWantAChannelOneGetsIt() {
        CatalogState held = done(withTable(), hold(ONE, NOBODY, Optional.of(FIRST)));
        assertThat(channels(held).find("c")).contains(FIRST);
        assertThat(refusal(held, hold(ONE, NOBODY, Optional.of(SECOND)))).isEqualTo("ChannelMoved");
        CatalogState moved = done(held, hold(ONE, Optional.of(FIRST), Optional.of(SECOND)));
        assertThat(channels(moved).find("c")).contains(SECOND);
        assertThat(refusal(moved, hold(ONE, Optional.of(FIRST), Optional.of(SECOND))))
                .isEqualTo("ChannelMoved");
        assertThat(refusal(moved, hold(TWO, NOBODY, Optional.of(FIRST)))).isEqualTo("NoSuchTableException");
    }

    @Test
    void aRetiredChannelLeavesItsEpochAndNoMarks() {
        CatalogState held = done(withTable(), hold(ONE, NOBODY, Optional.of(SECOND)));
        List<Watermark> marks = List.of(
                new Watermark("log-b", 0, 3),
                new Watermark(SECOND.mark("c"), 0, 42),
                new Watermark(SECOND.rejectedMark("c"), 0, 1));
        CatalogState moved = done(held, commit("l0", "l1", marks, List.of()));
        assertThat(refusal(moved, commit("l1", "l2", List.of(new Watermark(SECOND.mark("c"), 40, 43)), List.of())))
                .isEqualTo("WatermarkMismatch");
        CatalogState retired = done(moved, hold(ONE, Optional.of(SECOND), Optional.empty()));
        assertThat(channels(retired)).isEqualTo(new Channels(Map.of(), 2));
        assertThat(retired.table(ONE).orElseThrow().progress().marks()).isEqualTo(Map.of("log-b", 3L));
    }

    @Test
    void aTableHasSoManyChannelsAndNoMore() {
        CatalogState state = withTable();
        for (int i = 0; i < HoldChannel.CHANNELS_MAX; i++)
            state = done(state, new Command.HoldChannel(A, ONE, false, "c" + i, NOBODY, Optional.of(FIRST)));
        assertThat(refusal(state, hold(ONE, NOBODY, Optional.of(FIRST)))).isEqualTo("TooManyChannelsException");
        Command moves = new Command.HoldChannel(A, ONE, false, "c0", Optional.of(FIRST), Optional.of(SECOND));
        assertThat(channels(done(state, moves)).find("c0")).contains(SECOND);
    }

    @Test
    void aTableOfACatalogElsewhereIsKnownByItsUuid() {
        Command opened = new Command.HoldChannel(A, ONE, true, "c", NOBODY, Optional.of(FIRST));
        CatalogState state = done(CatalogState.EMPTY, opened);
        assertThat(channels(state).find("c")).contains(FIRST);
        Command moves = new Command.HoldChannel(A, ONE, true, "c", Optional.of(FIRST), Optional.of(SECOND));
        assertThat(channels(done(state, moves)).find("c")).contains(SECOND);
    }

    @Test
    void channelsAreInEntriesCheckpointsAndExports() {
        CatalogState held = done(withTable(), hold(ONE, NOBODY, Optional.of(FIRST)));
        held = done(held, new Command.HoldChannel(A, ONE, false, "d", NOBODY, Optional.of(SECOND)));
        held = done(held, new Command.HoldChannel(A, ONE, false, "d", Optional.of(SECOND), Optional.empty()));
        assertThat(channels(StateCodec.decode(StateCodec.encode(held)))).isEqualTo(channels(held));
        CatalogState again = CatalogState.EMPTY;
        for (Change change : StateChanges.of(held)) {
            ByteBuffer bytes = EntryCodec.encode(NOW, List.of(change), List.of());
            again = EntryCodec.apply(again, EntryCodec.decode(bytes));
        }
        assertThat(channels(again).held()).isEqualTo(channels(held).held());
    }

    @Test
    void whoDropsATableAndBringsItBackFindsItsChannels() {
        CatalogState held = done(withTable(), hold(ONE, NOBODY, Optional.of(FIRST)));
        CatalogState back = done(done(held, new Command.DropTable(A)), new Command.Restore(A, ONE));
        assertThat(channels(back)).isEqualTo(channels(held));
        assertThat(new HashMap<>(channels(back).held())).containsEntry("c", FIRST);
    }
}
