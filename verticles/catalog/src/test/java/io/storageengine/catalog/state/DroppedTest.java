package io.storageengine.catalog.state;

import static io.storageengine.catalog.state.DecisionsTest.A;
import static io.storageengine.catalog.state.DecisionsTest.B;
import static io.storageengine.catalog.state.DecisionsTest.NOW;
import static io.storageengine.catalog.state.DecisionsTest.ONE;
import static io.storageengine.catalog.state.DecisionsTest.TWO;
import static io.storageengine.catalog.state.DecisionsTest.commit;
import static io.storageengine.catalog.state.DecisionsTest.done;
import static io.storageengine.catalog.state.DecisionsTest.refusal;
import static io.storageengine.catalog.state.DecisionsTest.withTable;
import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.message.Watermark;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// What is kept of tables that were dropped, and how they come back.
class DroppedTest {
    @Test
    void aTableThatIsRegisteredAgainKeepsItsMarks() {
        CatalogState state = done(withTable(), commit("l0", "l1", List.of(new Watermark("log", 0, 7)), List.of()));
        state = done(state, new Command.DropTable(A));
        assertThat(refusal(state, commit("l1", "l2", List.of(), List.of()))).isEqualTo("NoSuchTableException");
        state = done(state, new Command.RegisterTable(B, ONE, "l1", false));
        assertThat(state.table(B).orElseThrow().progress().marks()).isEqualTo(Map.of("log", 7L));
        assertThat(refusal(state, new Command.RegisterTable(A, ONE, "l1", false)))
                .isEqualTo("AlreadyExistsException");
    }

    @Test
    void aDroppedTableIsForgottenAfterADay() {
        CatalogState state = done(withTable(), commit("l0", "l1", List.of(new Watermark("log", 0, 7)), List.of()));
        state = done(state, new Command.DropTable(A));
        assertThat(state.dropped().contains(ONE)).isTrue();
        state = done(state, new Command.CreateTable(B, TWO, "m0", false));
        state = done(state, new Command.DropTable(B), NOW + 25 * 3_600_000L);
        assertThat(state.dropped().contains(ONE)).isFalse();
        assertThat(state.lastDropped(A)).isEmpty();
        assertThat(refusal(state, new Command.Restore(A, ONE))).isEqualTo("NoSuchTableException");
    }

    @Test
    void whatWasDroppedComesBackWithItsMarks() {
        CatalogState state = done(withTable(), commit("l0", "l1", List.of(new Watermark("log", 0, 7)), List.of()));
        state = done(state, new Command.DropTable(A));
        state = done(state, new Command.CreateTable(A, TWO, "m0", false));
        assertThat(refusal(state, new Command.Restore(A, ONE))).isEqualTo("AlreadyExistsException");
        state = done(state, new Command.DropTable(A), NOW + 1);
        assertThat(state.lastDropped(A)).as("the later one").contains(TWO);
        CatalogState back = done(state, new Command.Restore(A, ONE));
        assertThat(back.table(A).orElseThrow().metadataLocation()).isEqualTo("l1");
        assertThat(back.table(A).orElseThrow().progress().marks()).isEqualTo(Map.of("log", 7L));
        assertThat(refusal(back, new Command.Restore(A, ONE))).isEqualTo("NoSuchTableException");
        CatalogState gone = done(done(back, new Command.DropTable(A)), new Command.DropSpace("s"));
        assertThat(refusal(gone, new Command.Restore(A, ONE))).isEqualTo("NoSuchNamespaceException");
    }

    @Test
    void whatWasHandedOverDoesNotComeBack() {
        CatalogState state = done(withTable(), new Command.UnregisterTable(A, "l0", false));
        assertThat(state.lastDropped(A)).isEmpty();
        assertThat(refusal(state, new Command.Restore(A, ONE))).isEqualTo("NoSuchTableException");
    }

    @Test
    void whatWasPurgedCannotBeRegisteredAgainAndWhatWasHandedOverCan() {
        Command again = new Command.RegisterTable(B, ONE, "l0", false);
        CatalogState purged = done(withTable(), new Command.UnregisterTable(A, "l0", true));
        assertThat(refusal(purged, again)).isEqualTo("BadRequestException");
        assertThat(refusal(StateCodec.decode(StateCodec.encode(purged)), again)).isEqualTo("BadRequestException");
        CatalogState handedOver = done(withTable(), new Command.UnregisterTable(A, "l0", false));
        assertThat(done(handedOver, again).table(B)).isPresent();
    }

    @Test
    void ofTooManyDroppedTablesTheOldestAreForgottenButNotTheirMarks() {
        CatalogState state = done(withTable(), commit("l0", "l1", List.of(new Watermark("log", 0, 7)), List.of()));
        state = done(state, new Command.DropTable(A));
        for (int i = 0; i < CatalogState.DROPPED_MAX + 10; i++) {
            state = done(state, new Command.CreateTable(B, new UUID(9, i), "m", false));
            state = done(state, new Command.DropTable(B), NOW + i);
        }
        assertThat(state.dropped().size()).isEqualTo(CatalogState.DROPPED_MAX);
        assertThat(state.dropped().contains(ONE)).isTrue();
        assertThat(state.dropped().contains(new UUID(9, 3))).isFalse();
        assertThat(state.lastDropped(B)).contains(new UUID(9, CatalogState.DROPPED_MAX + 9));
    }

    @Test
    void whatVersionTwoWroteOfDroppedThingsIsRead() {
        String old =
                "{\"version\":2,\"wallMillis\":" + NOW + ",\"changes\":[{\"type\":\"table-dropped\",\"uuid\":\"" + ONE
                        + "\"},{\"type\":\"view-created\",\"view\":{\"space\":\"s\",\"name\":\"v\"},\"uuid\":\"" + TWO
                        + "\",\"location\":\"v0\"},{\"type\":\"view-dropped\",\"uuid\":\"" + TWO + "\"}]}";
        EntryCodec.Entry entry = EntryCodec.decode(ByteBuffer.wrap(old.getBytes(StandardCharsets.UTF_8)));
        CatalogState after = EntryCodec.apply(withTable(), entry);
        assertThat(after.tableCount() + after.viewCount()).isZero();
        assertThat(after.dropped().isEmpty()).isTrue();
    }
}
