package io.storageengine.catalog.state;

import static io.storageengine.catalog.state.DecisionsTest.A;
import static io.storageengine.catalog.state.DecisionsTest.ONE;
import static io.storageengine.catalog.state.DecisionsTest.commit;
import static io.storageengine.catalog.state.DecisionsTest.done;
import static io.storageengine.catalog.state.DecisionsTest.refusal;
import static io.storageengine.catalog.state.DecisionsTest.withTable;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// A catalog that is set back while others change it.
final class RestoreRulesTest {
    private final CatalogState then = withTable();
    private final CatalogState seen = done(then, commit("l0", "l1", List.of(), List.of()));

    /// What was prepared on `seen`: the numbers in `back` are those of `l1`.
    private final Command.RestoreAsOf restore =
            new Command.RestoreAsOf(then.withLocation(ONE, "back"), seen, Set.of("l0", "back"), Set.of(ONE), Set.of());

    private static Command drop(boolean isForGood) {
        return isForGood ? new Command.UnregisterTable(A, "l1", false) : new Command.DropTable(A);
    }

    @Test
    void aTableGoesBackWhenNothingCameBetween() {
        assertThat(done(seen, restore).table(A).orElseThrow().metadataLocation())
                .isEqualTo("back");
    }

    @Test
    void aCommitThatCameBetweenIsLookedAtFirst() {
        CatalogState moved = done(seen, commit("l1", "l2", List.of(), List.of()));
        assertThat(refusal(moved, restore)).as("the numbers of l2").isEqualTo(Decisions.STALE);
        CatalogState dropped = done(moved, drop(false));
        assertThat(refusal(dropped, restore)).as("also of a dropped table").isEqualTo(Decisions.STALE);
    }

    @Test
    void aTableThatWasDroppedBetweenComesBackUnlessItIsAnothers() {
        assertThat(done(done(seen, drop(false)), restore).table(A).orElseThrow().metadataLocation())
                .isEqualTo("back");
        assertThat(refusal(done(seen, drop(true)), restore)).isEqualTo(Decisions.STALE);
    }
}
