package io.storageengine.catalog.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.catalog.state.Command.TableCommit;
import io.storageengine.core.message.Claim;
import io.storageengine.core.message.Watermark;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/// The state machine: single rules, and all short histories of a small world.
final class DecisionsTest {
    static final UUID ONE = new UUID(0, 1);
    static final UUID TWO = new UUID(0, 2);
    static final TableName A = new TableName("s", "a");
    static final TableName B = new TableName("s", "b");
    static final long NOW = 1_800_000_000_000L;

    static CatalogState done(CatalogState state, Command command) {
        return done(state, command, NOW);
    }

    static CatalogState done(CatalogState state, Command command, long wallMillis) {
        Decision decision = Decisions.decide(state, command, wallMillis);
        assertThat(decision).as("%s", command).isInstanceOf(Decision.Accepted.class);
        CatalogState after = state;
        for (Change change : ((Decision.Accepted) decision).changes()) after = after.apply(change, wallMillis);
        return after;
    }

    static String refusal(CatalogState state, Command command) {
        return refusal(state, command, NOW);
    }

    static String refusal(CatalogState state, Command command, long wallMillis) {
        Decision decision = Decisions.decide(state, command, wallMillis);
        assertThat(decision).as("%s", command).isInstanceOf(Decision.Refused.class);
        return ((Decision.Refused) decision).failure().code();
    }

    static CatalogState withTable() {
        CatalogState state = done(CatalogState.EMPTY, new Command.CreateSpace("s", Map.of()));
        return done(state, new Command.CreateTable(A, ONE, "l0", false));
    }

    static Command commit(String from, String to, List<Watermark> marks, List<Claim> claims) {
        return new Command.CommitTables(List.of(new TableCommit(A, false, ONE, from, to, marks, claims)));
    }

    private static Claim claim(String key) {
        return new Claim(key, "hash", "log", 1, "{}", NOW);
    }

    @Test
    void aCommitIsRefusedUnlessItsBaseIsCurrent() {
        CatalogState state = done(withTable(), commit("l0", "l1", List.of(), List.of()));
        assertThat(state.table(A).orElseThrow().metadataLocation()).isEqualTo("l1");
        assertThat(refusal(state, commit("l0", "l2", List.of(), List.of()))).isEqualTo(Decisions.STALE);
    }

    @Test
    void aMarkMovesOnlyFromWhereItStands() {
        CatalogState state = done(withTable(), commit("l0", "l1", List.of(new Watermark("log", 0, 7)), List.of()));
        assertThat(refusal(state, commit("l1", "l2", List.of(new Watermark("log", 0, 9)), List.of())))
                .isEqualTo("WatermarkMismatch");
        assertThat(refusal(state, commit("l0", "l2", List.of(new Watermark("log", 6, 9)), List.of())))
                .isEqualTo("WatermarkMismatch");
        CatalogState next = done(
                state, commit("l1", "l2", List.of(new Watermark("log", 7, 9), new Watermark("x", 0, 1)), List.of()));
        assertThat(next.table(A).orElseThrow().progress().marks()).isEqualTo(Map.of("log", 9L, "x", 1L));
    }

    @Test
    void aKeyIsClaimedOncePerTableForADay() {
        CatalogState state = done(withTable(), commit("l0", "l0", List.of(), List.of(claim("k"))));
        assertThat(refusal(state, commit("l0", "l0", List.of(), List.of(claim("k")))))
                .isEqualTo("ClaimExists");
        long later = NOW + 27 * 3_600_000L;
        CatalogState next = done(state, commit("l0", "l0", List.of(), List.of(claim("k"))), later);
        assertThat(next.table(A).orElseThrow().progress().claims().all()).hasSize(1);
    }

    @Test
    void anOwnerWhoseClockIsAheadForgetsNothingTooEarly() {
        long ahead = 600_000;
        KeptReply reply = KeptReply.done(KEY, "text");
        KeptReply other = KeptReply.done(new RequestKey("other", "h", ""), "text");
        long end = NOW + KeptReplies.KEPT_MINUTES * 60_000 - 1;
        for (long begin = NOW; begin < NOW + 300_000; begin += 20_000) {
            KeptReplies kept = KeptReplies.NONE.with(reply, begin).with(other, begin - NOW + end + ahead);
            assertThat(kept.find(KEY.key(), begin - NOW + end + ahead)).isPresent();
        }
        long day = 24 * 3_600_000L - 1;
        for (long begin = NOW; begin < NOW + 3_600_000; begin += 240_000) {
            Claims claims = Claims.NONE.with(claim("k"), begin);
            assertThat(claims.pruned(begin + day + 3_600_000).find("k", begin + day + 3_600_000))
                    .isPresent();
        }
    }

    @Test
    void oldClaimsMakeRoomForNewOnes() {
        Claims claims = Claims.NONE;
        String answer = "x".repeat(1 << 20);
        for (int i = 0; i < 60; i++) {
            claims = claims.with(new Claim("k" + i, "h", "log", i, answer, 0), NOW + i * 1_200_000L);
        }
        long end = NOW + 60 * 1_200_000L;
        assertThat(claims.find("k59", end)).isPresent();
        assertThat(claims.find("k1", end)).isEmpty();
        assertThat(claims.all().size()).isBetween(25, 35);
    }

    @Test
    void anEntryNamesWhoMadeItsChanges() {
        Change space = new Change.SpaceCreated("s", Map.of());
        ByteBuffer bytes = EntryCodec.encode(NOW, List.of(space, space), List.of("ann", ""));
        assertThat(StandardCharsets.UTF_8.decode(bytes.duplicate()).toString()).contains("\"version\":3");
        EntryCodec.Entry entry = EntryCodec.decode(bytes);
        assertThat(List.of(entry.principal(0), entry.principal(1), entry.principal(2)))
                .containsExactly("ann", "", "");
        assertThat(EntryCodec.decode(EntryCodec.encode(NOW, List.of(space), List.of("")))
                        .principal(0))
                .isEmpty();
    }

    @Test
    void aCommitFindsItsTableUnderItsNewName() {
        CatalogState state = done(withTable(), new Command.RenameTable(A, B));
        TableCommit named = new TableCommit(A, true, ONE, "l0", "l1", List.of(), List.of());
        assertThat(refusal(state, new Command.CommitTables(List.of(named)))).isEqualTo("NoSuchTableException");
        state = done(state, commit("l0", "l1", List.of(), List.of()));
        assertThat(state.table(B).orElseThrow().metadataLocation()).isEqualTo("l1");
        assertThat(state.table(A)).isEmpty();
    }

    @Test
    void aCommitOfManyTablesIsAllOrNothing() {
        CatalogState state = done(withTable(), new Command.CreateTable(B, TWO, "m0", false));
        TableCommit good = new TableCommit(A, false, ONE, "l0", "l1", List.of(), List.of());
        TableCommit stale = new TableCommit(B, true, TWO, "m9", "m1", List.of(), List.of());
        assertThat(refusal(state, new Command.CommitTables(List.of(good, stale))))
                .isEqualTo(Decisions.STALE);
        assertThat(refusal(state, new Command.CommitTables(List.of(good, good))))
                .isEqualTo("BadRequestException");
    }

    @Test
    void anOverwritingRegistrationReplacesTheTable() {
        CatalogState state = done(withTable(), new Command.RegisterTable(A, TWO, "m0", true));
        assertThat(state.table(A).orElseThrow().uuid()).isEqualTo(TWO);
        assertThat(state.table(ONE)).isEmpty();
        state = done(state, new Command.RegisterTable(A, TWO, "m1", true));
        assertThat(state.table(A).orElseThrow().metadataLocation()).isEqualTo("m1");
    }

    @Test
    void childrenAreListedWithoutTheirSubtrees() {
        CatalogState state = CatalogState.EMPTY;
        for (List<String> levels : List.of(
                List.of("a"), List.of("a", "x", "y"), List.of("a", "w"), List.of("a\u0001"), List.of("a b", "c"))) {
            state = done(state, new Command.CreateSpace(Space.path(levels), Map.of()));
        }
        assertThat(children(state, "")).containsExactly("a", "a\u0001", "a b");
        assertThat(children(state, "a")).containsExactly("a\u001fw", "a\u001fx");
        assertThat(children(state, "a\u001fw")).isEmpty();
        assertThat(refusal(state, new Command.DropSpace("a b"))).isEqualTo("NamespaceNotEmptyException");
    }

    private static List<String> children(CatalogState state, String parent) {
        List<String> found = new ArrayList<>();
        String next = state.childAfter(parent, parent.isEmpty() ? "" : parent + Space.SEPARATOR);
        while (next != null) {
            found.add(next);
            next = state.childAfter(parent, next);
        }
        return found;
    }

    @Test
    void aViewMovesOnlyFromWhereItStands() {
        CatalogState state = done(withTable(), new Command.CreateView(B, TWO, "v0"));
        assertThat(state.view(B)).contains(new ViewState(TWO, "v0"));
        assertThat(state.viewNameOf(TWO)).contains(B);
        assertThat(state.nameOf(TWO)).as("a view is no table").isEmpty();
        state = done(state, new Command.CommitView(B, TWO, "v0", "v1"));
        assertThat(state.view(B)).contains(new ViewState(TWO, "v1"));
        assertThat(refusal(state, new Command.CommitView(B, TWO, "v0", "v2"))).isEqualTo(Decisions.STALE);
        assertThat(refusal(state, new Command.CommitView(B, ONE, "v1", "v2"))).isEqualTo("NoSuchViewException");
        assertThat(refusal(state, new Command.CommitView(A, ONE, "l0", "v2"))).isEqualTo("NoSuchViewException");
        CatalogState moved = done(state, new Command.RenameView(B, new TableName("s", "c")));
        assertThat(refusal(moved, new Command.CommitView(B, TWO, "v1", "v2"))).isEqualTo("NoSuchViewException");
        assertThat(moved.viewNameOf(TWO)).contains(new TableName("s", "c"));
        CatalogState gone = done(moved, new Command.DropView(new TableName("s", "c")));
        assertThat(gone.viewCount()).isZero();
        assertThat(gone.viewNameOf(TWO)).isEmpty();
    }

    @Test
    void aNameStandsForATableOrAView() {
        CatalogState state = done(withTable(), new Command.CreateView(B, TWO, "v0"));
        UUID three = new UUID(0, 3);
        List<Command> taken = List.of(
                new Command.CreateView(A, three, "v1"),
                new Command.CreateView(B, three, "v1"),
                new Command.CreateView(new TableName("s", "c"), TWO, "v1"),
                new Command.CreateTable(B, three, "l1", false),
                new Command.CreateTable(B, three, "l1", true),
                new Command.RegisterTable(B, three, "l1", false),
                new Command.RegisterTable(B, three, "l1", true),
                new Command.RenameTable(A, B),
                new Command.RenameView(B, A));
        for (Command command : taken) {
            assertThat(refusal(state, command)).as("%s", command).isEqualTo("AlreadyExistsException");
        }
        CatalogState free = done(state, new Command.DropTable(A));
        assertThat(refusal(free, new Command.DropSpace("s"))).isEqualTo("NamespaceNotEmptyException");
        assertThat(refusal(free, new Command.DropTable(B))).isEqualTo("NoSuchTableException");
        assertThat(refusal(free, new Command.DropView(A))).isEqualTo("NoSuchViewException");
        assertThat(refusal(free, new Command.CreateView(new TableName("x", "a"), three, "v1")))
                .isEqualTo("NoSuchNamespaceException");
        assertThat(refusal(free, new Command.RenameView(B, new TableName("x", "a"))))
                .isEqualTo("NoSuchNamespaceException");
        free = done(free, new Command.RenameView(B, A));
        assertThat(done(free, new Command.RenameView(A, A)).view(A)).isPresent();
        free = done(free, new Command.CreateTable(B, ONE, "l1", false));
        assertThat(free.table(B)).isPresent();
    }

    @Test
    void aCatalogWithoutViewsIsWrittenAsBeforeThem() throws IOException {
        String old =
                "{\"version\":1,\"spaces\":[{\"space\":\"s\",\"properties\":{},\"tables\":[{\"name\":\"a\",\"uuid\":\""
                        + ONE + "\",\"location\":\"l0\",\"progress\":{\"marks\":{},\"claims\":[]}}]}],\"dropped\":[]}";
        assertThat(unzipped(StateCodec.encode(withTable()))).isEqualTo(old);
        assertThat(text(StateCodec.decode(zipped(old)))).isEqualTo(text(withTable()));
        CatalogState state = done(withTable(), new Command.CreateView(B, TWO, "v0"));
        String withView = unzipped(StateCodec.encode(state));
        assertThat(withView).contains("\"version\":2", "\"views\":[{\"name\":\"b\"");
        assertThatThrownBy(() -> StateCodec.decode(zipped(withView.replace("\"version\":2", "\"version\":5"))))
                .hasMessageContaining("newer version of this program (format 5)");
    }

    private static String unzipped(ByteBuffer bytes) throws IOException {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        try (GZIPInputStream zip = new GZIPInputStream(new ByteArrayInputStream(copy))) {
            return new String(zip.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static ByteBuffer zipped(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    @Test
    void anEntrySaysTheLowestVersionThatHasItsChanges() {
        Change space = new Change.SpaceCreated("s", Map.of());
        Change view = new Change.ViewCreated(B, TWO, "v0");
        assertThat(text(List.of(space))).contains("\"version\":1");
        assertThat(text(List.of())).contains("\"version\":1");
        assertThat(text(List.of(space, view))).contains("\"version\":2", "\"type\":\"view-created\"");
        for (String later : List.of(
                text(List.of(view)).replace("\"version\":2", "\"version\":5"),
                text(List.of(view))
                        .replace("\"version\":2", "\"version\":5")
                        .replace("view-created", "poem-written"))) {
            ByteBuffer payload = ByteBuffer.wrap(later.getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(() -> EntryCodec.decode(payload))
                    .hasMessageContaining("newer version of this program (format 5)");
        }
        ByteBuffer broken = ByteBuffer.wrap("{\"version\":1,".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> EntryCodec.decode(broken)).hasMessageContaining("cannot be read");
    }

    private static String text(List<Change> changes) {
        return StandardCharsets.UTF_8
                .decode(EntryCodec.encode(NOW, changes, List.of()))
                .toString();
    }

    /// Every history of six commands out of a small world: names and uuids stay in step, replay gives the same
    /// state, and both codecs keep it.
    @Test
    void everyShortHistoryKeepsTheStateWhole() {
        List<Command> world = List.of(
                new Command.CreateSpace("s", Map.of("k", "v")),
                new Command.DropSpace("s"),
                new Command.CreateTable(A, ONE, "l0", false),
                new Command.CreateTable(B, TWO, "m0", true),
                new Command.RegisterTable(B, ONE, "l1", true),
                new Command.RenameTable(A, B),
                new Command.DropTable(A),
                new Command.DropTable(B),
                new Command.Restore(A, ONE),
                new Command.UnregisterTable(A, "l0", false),
                commit("l0", "l1", List.of(new Watermark("log", 0, 1)), List.of(claim("k"))),
                keyed(new Command.ChangeSpace("s", List.of("k"), Map.of("x", "y")), KEY),
                new Command.NoteClaims(TWO, List.of(claim("n"))));
        int[] histories = {0};
        walk(CatalogState.EMPTY, List.of(), world, 6, histories);
        assertThat(histories[0]).isGreaterThan(1_000);
    }

    @Test
    void everyShortHistoryOfViewsKeepsTheStateWhole() {
        List<Command> world = List.of(
                new Command.CreateSpace("s", Map.of()),
                new Command.DropSpace("s"),
                new Command.CreateTable(A, ONE, "l0", false),
                new Command.RenameTable(A, B),
                new Command.DropTable(B),
                new Command.CreateView(A, ONE, "v0"),
                new Command.CreateView(B, TWO, "w0"),
                new Command.CommitView(A, ONE, "v0", "v1"),
                new Command.RenameView(A, B),
                new Command.RenameView(B, A),
                new Command.DropView(A),
                new Command.Restore(A, ONE));
        int[] histories = {0};
        walk(CatalogState.EMPTY, List.of(), world, 9, histories);
        assertThat(histories[0]).isGreaterThan(1_000);
    }

    private static void walk(
            CatalogState state, List<Change> changes, List<Command> world, int depth, int[] histories) {
        check(state, changes);
        histories[0]++;
        if (depth == 0) return;
        for (Command command : world) {
            if (!(Decisions.decide(state, command, NOW) instanceof Decision.Accepted(List<Change> more))) continue;
            List<Change> all = new ArrayList<>(changes);
            all.addAll(more);
            CatalogState after = state;
            for (Change change : more) after = after.apply(change, NOW);
            walk(after, all, world, depth - 1, histories);
        }
    }

    private static void check(CatalogState state, List<Change> changes) {
        int[] tables = {0};
        state.spaces()
                .forEach((path, space) -> space.tables().forEach((name, table) -> {
                    tables[0]++;
                    assertThat(state.nameOf(table.uuid())).contains(new TableName(path, name));
                    assertThat(state.table(table.uuid())).contains(table);
                }));
        assertThat(state.tableCount()).isEqualTo(tables[0]);
        int[] views = {0};
        state.spaces()
                .forEach((path, space) -> space.views().forEach((name, view) -> {
                    views[0]++;
                    assertThat(state.viewNameOf(view.uuid())).contains(new TableName(path, name));
                    assertThat(space.tables().contains(name)).isFalse();
                }));
        assertThat(state.viewCount()).isEqualTo(views[0]);
        EntryCodec.Entry entry = EntryCodec.decode(EntryCodec.encode(NOW, changes, List.of()));
        String bytes = text(state);
        assertThat(text(EntryCodec.apply(CatalogState.EMPTY, entry))).isEqualTo(bytes);
        assertThat(text(StateCodec.decode(StateCodec.encode(state)))).isEqualTo(bytes);
    }

    private static String text(CatalogState state) {
        StringBuilder text = new StringBuilder();
        state.spaces().forEach((path, space) -> {
            text.append(path).append(new TreeMap<>(space.properties()));
            space.tables()
                    .forEach((name, table) -> text.append(name)
                            .append(table.uuid())
                            .append(table.metadataLocation())
                            .append(new TreeMap<>(table.progress().marks()))
                            .append(table.progress().claims().all()));
            space.views().forEach((name, view) -> text.append(name).append(view));
        });
        text.append(state.replies().all());
        state.dropped()
                .forEach((uuid, kept) -> text.append(uuid)
                        .append(kept.wallMillis())
                        .append(kept.progress().marks())
                        .append(kept.progress().claims().all()));
        return text.toString();
    }

    private static final RequestKey KEY = new RequestKey("key-1", "hash-1", "");

    private static Command keyed(Command inner, RequestKey key) {
        return new Command.Keyed(inner, key, "text of " + key.key());
    }

    private static Decision.Replayed replayed(CatalogState state, Command command, long wallMillis) {
        Decision decision = Decisions.decide(state, command, wallMillis);
        assertThat(decision).as("%s", command).isInstanceOf(Decision.Replayed.class);
        return (Decision.Replayed) decision;
    }

    @Test
    void aRequestWithAKeyIsDoneOnceAndItsAnswerIsInTheEntryOfItsChange() {
        Command drop = keyed(new Command.DropTable(A), KEY);
        CatalogState state = done(withTable(), drop);
        assertThat(state.table(A)).isEmpty();
        Decision.Replayed again = replayed(state, drop, NOW);
        assertThat(again.changes()).isEmpty();
        assertThat(again.reply().text()).isEqualTo("text of key-1");
        state = done(state, new Command.CreateTable(A, TWO, "m0", false));
        assertThat(replayed(state, drop, NOW + 29 * 60_000L).changes()).isEmpty();
        assertThat(refusal(state, keyed(new Command.DropTable(A), new RequestKey("key-1", "other", ""))))
                .isEqualTo("UnprocessableEntityException");
        assertThat(done(state, drop, NOW + 46 * 60_000L).table(A)).isEmpty();
    }

    @Test
    void aRefusalOfARequestWithAKeyIsKeptAndAStaleOneIsNot() {
        Command drop = keyed(new Command.DropTable(B), KEY);
        Decision.Replayed first = replayed(withTable(), drop, NOW);
        assertThat(first.changes()).hasSize(1);
        CatalogState state = withTable().apply(first.changes().getFirst(), NOW);
        state = done(state, new Command.CreateTable(B, TWO, "m0", false));
        Decision.Replayed again = replayed(state, drop, NOW);
        assertThat(again.changes()).isEmpty();
        assertThat(again.reply().failure().orElseThrow().code()).isEqualTo("NoSuchTableException");
        Command stale = keyed(commit("l9", "l1", List.of(), List.of()), new RequestKey("key-2", "hash-1", ""));
        assertThat(refusal(state, stale)).isEqualTo(Decisions.STALE);
    }

    @Test
    void keptAnswersSurviveCheckpointsAndOldOnesMakeRoom() {
        CatalogState state = withTable();
        String text = "x".repeat(1 << 20);
        for (int i = 0; i < 60; i++) {
            RequestKey key = new RequestKey("key-" + i, "h", "");
            Command command = new Command.Keyed(new Command.ChangeSpace("s", List.of(), Map.of()), key, text);
            state = done(state, command, NOW + i * 20_000L);
        }
        long end = NOW + 60 * 20_000L;
        CatalogState restored = StateCodec.decode(StateCodec.encode(state));
        assertThat(restored.replies().all()).isEqualTo(state.replies().all());
        assertThat(restored.replies().find("key-59", end)).isPresent();
        assertThat(restored.replies().find("key-0", end)).as("no room").isEmpty();
        assertThat(state.replies().all().size()).isBetween(15, 45);
        CatalogState later = done(state, keyed(new Command.DropTable(A), KEY), end + 46 * 60_000L);
        assertThat(later.replies().all()).as("old ones go").hasSize(1);
    }

    @Test
    void severalCommandsAsOneAreDecidedOneOnTheOtherAndAllOrNothing() {
        Command create = new Command.CreateTable(B, TWO, "m0", true);
        Command move = commit("l0", "l1", List.of(), List.of());
        CatalogState state = done(withTable(), new Command.Together(List.of(create, move)));
        assertThat(state.table(A).orElseThrow().metadataLocation()).isEqualTo("l1");
        assertThat(state.table(B)).isPresent();
        assertThat(refusal(withTable(), new Command.Together(List.of(create, create))))
                .isEqualTo("CommitFailedException");
        assertThat(refusal(state, new Command.Together(List.of(commit("l1", "l2", List.of(), List.of()), create))))
                .isEqualTo("CommitFailedException");
    }

    @Test
    void aTableIsHandedOverOnlyAsItWasRead() {
        assertThat(refusal(withTable(), new Command.UnregisterTable(A, "l9", false)))
                .isEqualTo(Decisions.STALE);
        CatalogState state = done(withTable(), new Command.UnregisterTable(A, "l0", false));
        assertThat(refusal(state, commit("l0", "l1", List.of(), List.of()))).isEqualTo("NoSuchTableException");
    }

    @Test
    void anyTextSurvivesTheLog() {
        String odd = "\ud800 \"\\ \u0000 \u2028 日本 \ud83d\ude00";
        List<Change> changes = List.of(new Change.SpaceCreated(odd, Map.of("k", odd)));
        assertThat(EntryCodec.decode(EntryCodec.encode(NOW, changes, List.of())).changes())
                .isEqualTo(changes);
    }
}
