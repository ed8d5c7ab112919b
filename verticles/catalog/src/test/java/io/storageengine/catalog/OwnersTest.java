package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.message.Claim;
import io.storageengine.core.message.CommitTable;
import io.storageengine.core.message.CommittedTable;
import io.storageengine.core.message.FindClaim;
import io.storageengine.core.message.FoundClaim;
import io.storageengine.core.message.LoadTable;
import io.storageengine.core.message.LoadedTable;
import io.storageengine.core.message.TableRef;
import io.storageengine.core.message.Watermark;
import io.storageengine.core.store.ListRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Who owns a log: several processes at once, crashes, unknown outcomes, and what each call costs.
final class OwnersTest {
    private static final String SPACES = "/catalogs/dev/v1/namespaces";
    private static final String TABLES = SPACES + "/ns/tables";
    private static final String VIEWS = SPACES + "/ns/views";
    private static final TableRef TABLE = new TableRef("dev", List.of("ns"), "t");

    private static Room made(Room room) {
        room.post(SPACES, "{\"namespace\":[\"ns\"]}");
        assertThat(room.post(TABLES, Samples.createTable("t")).status()).isEqualTo(200);
        room.buckets.drain();
        return room;
    }

    private static Room shared() {
        return made(Room.dev(options -> CatalogOptions.serve("node-1", Map.of())));
    }

    private static LoadedTable load(Room room) {
        return (LoadedTable) room.service.answer(new LoadTable(TABLE)).orThrow();
    }

    private static List<String> verbs(Room room, Predicate<String> which) {
        return room.buckets.drain().stream()
                .filter(which)
                .map(request -> request.replaceAll("[0-9]{20}", "N").replaceAll("t-[0-9a-f]{8}/metadata/.*", "M"))
                .toList();
    }

    private static <T> List<T> together(List<Callable<T>> work) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<T> results = new ArrayList<>();
            for (Future<T> one : threads.invokeAll(work)) results.add(one.get());
            return results;
        }
    }

    @Test
    void aLoneProcessPaysNothingToReadAndTwoPutsToCommit() {
        Room room = made(Room.dev());
        room.get(TABLES + "/t");
        room.get(TABLES);
        room.call("HEAD", TABLES + "/t", "");
        load(room);
        assertThat(verbs(room, request -> true)).isEmpty();
        room.post(TABLES + "/t", Samples.setProperty("k", "v"));
        assertThat(verbs(room, request -> true)).containsExactly("PUT dev/ns/M", "PUT dev/_se/catalog/log/N");
        room.post(TABLES, Samples.createTable("u"));
        assertThat(room.buckets.drain()).hasSize(2);
        room.post(SPACES, "{\"namespace\":[\"more\"]}");
        room.call("DELETE", TABLES + "/u", "");
        assertThat(verbs(room, request -> true))
                .containsExactly("PUT dev/_se/catalog/log/N", "PUT dev/_se/catalog/log/N");
        assertThat(room.get("/catalogs/dev/v1/config").status()).isEqualTo(200);
        room.post(TABLES + "/t", "{\"updates\":[]}");
        assertThat(verbs(room, request -> true))
                .as("nothing changes, nothing is written")
                .isEmpty();
    }

    @Test
    void oneOfManyProcessesPaysOneLookPerRead() {
        Room room = shared();
        room.get(TABLES + "/t");
        assertThat(verbs(room, request -> true)).containsExactly("GET dev/_se/catalog/log/N");
        room.post(TABLES + "/t", Samples.setProperty("k", "v"));
        assertThat(verbs(room, request -> true)).containsExactly("PUT dev/ns/M", "PUT dev/_se/catalog/log/N");
    }

    @Test
    void aColdLoadReadsTheMetadataOnce() {
        Room other = made(Room.dev()).restarted();
        load(other);
        load(other);
        assertThat(verbs(other, request -> request.contains("metadata"))).containsExactly("GET dev/ns/M");
    }

    /// The first look at a metadata file finds that others have committed and cleaned it up meanwhile.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoIsOvertakenByTheCleanUpLooksAgain(boolean replays) {
        Room room = shared();
        room.post(TABLES + "/t", Samples.setProperty("write.metadata.delete-after-commit.enabled", "true"));
        room.post(TABLES + "/t", Samples.setProperty("write.metadata.previous-versions-max", "1"));
        Map<String, String> key = Map.of("idempotency-key", "017f22e2-79b0-7cc3-98c4-000000000001");
        room.call("POST", TABLES + "/t", key, Samples.setProperty("keyed", "v"));
        Room late = room.restarted();
        room.buckets.drain();
        AtomicBoolean isFirst = new AtomicBoolean(true);
        room.buckets.fail((request, after) -> {
            boolean isMetadata = request.startsWith("GET ") && request.endsWith(".metadata.json");
            if (isMetadata && !after && isFirst.getAndSet(false)) {
                for (int i = 0; i < 3; i++) room.post(TABLES + "/t", Samples.setProperty("n", "v" + i));
            }
            return null;
        });
        CatalogReply reply = replays
                ? late.call("POST", TABLES + "/t", key, Samples.setProperty("keyed", "v"))
                : late.get(TABLES + "/t");
        assertThat(isFirst).isFalse();
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(200);
        assertThat(Room.json(reply)
                        .path("metadata")
                        .path("properties")
                        .path("n")
                        .asText())
                .isEqualTo("v2");
    }

    @Test
    void commandsThatWaitShareAnEntry() throws Exception {
        Room room = made(Room.dev());
        AtomicInteger entries = new AtomicInteger();
        room.buckets.fail((request, after) -> {
            if (!after && request.startsWith("PUT dev/_se/catalog/log/")) {
                entries.incrementAndGet();
                pause(room, 20);
            }
            return null;
        });
        List<Callable<CatalogReply>> work = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String name = "n" + i % 150;
            work.add(() -> room.post(SPACES, "{\"namespace\":[\"" + name + "\"]}"));
        }
        List<CatalogReply> replies = together(work);
        assertThat(replies.stream().filter(reply -> reply.status() == 200)).hasSize(150);
        assertThat(replies.stream().filter(reply -> reply.status() == 409)).hasSize(50);
        assertThat(entries.get()).isLessThan(40);
        assertThat(Room.json(room.restarted().get(SPACES)).path("namespaces")).hasSize(151);
    }

    private static void pause(Room room, long millis) {
        try {
            room.clock.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void twoOwnersLoseNoCommitAndSeeEachOther() throws Exception {
        Room one = shared();
        Room two = one.restarted(CatalogOptions.serve("node-2", Map.of()));
        List<Callable<CatalogReply>> work = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Room room = i % 2 == 0 ? one : two;
            String key = "k" + i;
            work.add(() -> room.post(TABLES + "/t", Samples.setProperty(key, "v")));
            work.add(() -> room.post(SPACES, "{\"namespace\":[\"" + key + "\"]}"));
        }
        assertThat(together(work).stream().map(CatalogReply::status)).containsOnly(200);
        for (Room room : List.of(one, two, one.restarted())) {
            String metadata = StandardCharsets.UTF_8
                    .decode(load(room).metadata().duplicate())
                    .toString();
            for (int i = 0; i < 40; i++) assertThat(metadata).contains("\"k" + i + "\"");
            assertThat(Room.json(room.get(SPACES)).path("namespaces")).hasSize(41);
        }
        List<String> metadataFiles = one.buckets.bucket("dev").list(ListRequest.of("ns/")).orThrow().objects().stream()
                .map(object -> object.key())
                .toList();
        assertThat(metadataFiles).as("files of lost attempts are removed").hasSize(41);
    }

    @Test
    void aWriteIsSeenByEveryOwnersNextRead() {
        Room one = shared();
        Room two = one.restarted(CatalogOptions.serve("node-2", Map.of()));
        for (int i = 0; i < 10; i++) {
            (i % 2 == 0 ? one : two).post(SPACES, "{\"namespace\":[\"s" + i + "\"]}");
            assertThat((i % 2 == 0 ? two : one).get(SPACES + "/s" + i).status()).isEqualTo(200);
            assertThat((i % 2 == 0 ? two : one)
                            .post(SPACES, "{\"namespace\":[\"s" + i + "\"]}")
                            .status())
                    .isEqualTo(409);
        }
    }

    @Test
    void aCrashBetweenMetadataAndEntryLeavesTheTableAsItWas() {
        Room room = made(Room.dev());
        room.clock.skipSleeps();
        room.buckets.fail((request, after) ->
                request.startsWith("PUT dev/_se/catalog/log/") ? new Failure(Failure.Kind.UNAVAILABLE, "gone") : null);
        CatalogReply reply = room.post(TABLES + "/t", Samples.setProperty("k", "v"));
        assertThat(reply.status()).isEqualTo(429);
        assertThat(reply.headers()).containsKey("retry-after");
        room.buckets.heal();
        Room next = room.restarted();
        assertThat(Room.text(next.get(TABLES + "/t"))).doesNotContain("\"k\":\"v\"");
        assertThat(next.post(TABLES + "/t", Samples.setProperty("k", "v")).status())
                .isEqualTo(200);
        assertThat(room.buckets
                        .bucket("dev")
                        .list(ListRequest.of("ns/"))
                        .orThrow()
                        .objects())
                .as("the file of the commit that did not happen is removed")
                .hasSize(2);
    }

    @Test
    void anUnknownCommitIsDecidedBeforeAnybodyLooks() {
        for (boolean landed : List.of(true, false)) {
            Room room = made(Room.dev());
            room.buckets.fail((request, after) -> request.startsWith("PUT dev/_se/catalog/log/") && after == landed
                    ? new Failure(Failure.Kind.UNKNOWN, "no answer")
                    : request.startsWith("GET dev/_se/catalog/log/")
                            ? new Failure(Failure.Kind.UNAVAILABLE, "")
                            : null);
            room.clock.skipSleeps();
            CatalogReply reply = room.post(TABLES + "/t", Samples.setProperty("k", "v"));
            assertThat(reply.status()).isEqualTo(500);
            assertThat(Room.text(reply)).contains("CommitStateUnknownException");
            room.buckets.heal();
            boolean seen = Room.text(room.get(TABLES + "/t")).contains("\"k\":\"v\"");
            if (landed) assertThat(seen).isTrue();
            assertThat(Room.text(room.restarted().get(TABLES + "/t")).contains("\"k\":\"v\""))
                    .isEqualTo(seen);
            assertThat(room.post(TABLES + "/t", Samples.setProperty("k2", "v")).status())
                    .isEqualTo(200);
        }
    }

    @Test
    void anUnreachableStorageIs503ToAReader() {
        Room room = made(Room.dev()).restarted();
        room.get("/catalogs/dev/v1/config");
        room.buckets.fail((request, after) -> new Failure(Failure.Kind.UNAVAILABLE, "host 10.1.1.1"));
        CatalogReply reply = room.get(TABLES + "/t");
        assertThat(reply.status()).isEqualTo(503);
        assertThat(Room.text(reply)).doesNotContain("10.1.1.1");
    }

    @Test
    void aLongHistoryIsReadFromItsCheckpoint() {
        Room room = made(Room.dev(options ->
                new CatalogOptions(true, "node-1", Map.of(), 64 << 20, 1 << 20, 10, 5_000, true, 5_000, false)));
        for (int i = 0; i < 60; i++) room.post(TABLES + "/t", Samples.setProperty("k", "v" + i));
        room.buckets.drain();
        Room next = room.restarted();
        assertThat(Room.text(next.get(TABLES + "/t"))).contains("v59");
        assertThat(verbs(next, request -> request.startsWith("GET dev/_se/catalog/log"))
                        .size())
                .isLessThan(15);
    }

    private static CommitTable commit(String uuid, String request, List<Watermark> marks, List<Claim> claims) {
        ByteBuffer json = ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8));
        return new CommitTable(TABLE, uuid, json, marks, claims);
    }

    private static String code(Outcome<?> outcome) {
        return outcome instanceof Outcome.Failed<?>(Failure failure) ? failure.code() : "ok";
    }

    @Test
    void rowsMarksAndClaimsOfIngestionMoveTogetherOnce() {
        Room room = made(Room.dev());
        String uuid = Samples.uuid(load(room).metadata());
        Claim claim = new Claim("key", "hash", "log", 4, "{\"accepted\":1}", room.clock.wallMillis()).in(7);
        CommitTable question =
                commit(uuid, Samples.append(7, null), List.of(new Watermark("log", 0, 4)), List.of(claim));
        CommittedTable done = (CommittedTable) room.service.answer(question).orThrow();
        assertThat(done.metadataLocation()).contains("/metadata/00001-");
        assertThat(code(room.service.answer(question))).isEqualTo("WatermarkMismatch");
        CommitTable sameKey =
                commit(uuid, Samples.append(8, 7L, 2, ""), List.of(new Watermark("log", 4, 5)), List.of(claim));
        assertThat(code(room.service.answer(sameKey))).isEqualTo("ClaimExists");
        CommitTable stale = commit(uuid, Samples.append(9, 7L, 1, ""), List.of(new Watermark("log", 4, 5)), List.of());
        assertThat(code(room.service.answer(stale))).isEqualTo("CommitFailedException");
        CommitTable marksOnly = commit(uuid, "{\"updates\":[]}", List.of(new Watermark("log", 4, 5)), List.of());
        room.buckets.drain();
        assertThat(code(room.service.answer(marksOnly))).isEqualTo("ok");
        assertThat(verbs(room, request -> true)).containsExactly("PUT dev/_se/catalog/log/N");

        room.post(
                "/catalogs/dev/v1/tables/rename",
                "{\"source\":{\"namespace\":[\"ns\"],\"name\":\"t\"},"
                        + "\"destination\":{\"namespace\":[\"ns\"],\"name\":\"moved\"}}");
        Room other = room.restarted();
        CommitTable oldName =
                commit(uuid, Samples.append(10, 7L, 2, ""), List.of(new Watermark("log", 5, 6)), List.of());
        assertThat(code(other.service.answer(oldName))).isEqualTo("ok");
        var moved = (LoadedTable) other.service
                .answer(new LoadTable(new TableRef("dev", List.of("ns"), "moved")))
                .orThrow();
        assertThat(moved.watermarks()).isEqualTo(Map.of("log", 6L));
        FoundClaim found = (FoundClaim)
                other.service.answer(new FindClaim(TABLE, uuid, "key")).orThrow();
        assertThat(found.claim()).contains(claim);
        assertThat(found.snapshotId()).isEqualTo(7);
        other.call("DELETE", TABLES + "/moved", "");
        CommitTable dropped = commit(uuid, "{\"updates\":[]}", List.of(new Watermark("log", 6, 7)), List.of());
        assertThat(code(other.service.answer(dropped))).isEqualTo("NoSuchTableException");
        var nowhere = other.service.answer(new LoadTable(new TableRef("nowhere", List.of("ns"), "t")));
        assertThat(code(nowhere)).isEqualTo("NoSuchCatalogException");
    }

    @Test
    void ofTwoCommitsWithOneMarkOneWins() throws Exception {
        Room one = shared();
        Room two = one.restarted(CatalogOptions.serve("node-2", Map.of()));
        String uuid = Samples.uuid(load(one).metadata());
        for (int round = 0; round < 10; round++) {
            CommitTable question =
                    commit(uuid, "{\"updates\":[]}", List.of(new Watermark("log", round, round + 1)), List.of());
            List<Callable<String>> both =
                    List.of(() -> code(one.service.answer(question)), () -> code(two.service.answer(question)));
            assertThat(together(both)).containsExactlyInAnyOrder("ok", "WatermarkMismatch");
        }
    }

    @Test
    void aNameMeansWhatItMeansNowWhoeverIsAsked() {
        Room one = shared();
        Room two = one.restarted(CatalogOptions.serve("node-2", Map.of()));
        two.get(TABLES + "/t");
        one.post(
                "/catalogs/dev/v1/tables/rename",
                "{\"source\":{\"namespace\":[\"ns\"],\"name\":\"t\"},"
                        + "\"destination\":{\"namespace\":[\"ns\"],\"name\":\"moved\"}}");
        assertThat(two.post(TABLES + "/t", Samples.setProperty("k", "v")).status())
                .isEqualTo(404);
        one.post(TABLES, Samples.createTable("t"));
        two.get(TABLES);
        one.call("DELETE", TABLES + "/t", "");
        one.post(TABLES, Samples.createTable("t"));
        assertThat(two.post(TABLES + "/t", Samples.setProperty("k", "v")).status())
                .isEqualTo(200);
        assertThat(Room.text(one.get(TABLES + "/t"))).contains("\"k\":\"v\"");
        assertThat(Room.text(one.get(TABLES + "/moved"))).doesNotContain("\"k\":\"v\"");
    }

    @Test
    void aViewCostsWhatATableCosts() {
        Room room = made(Room.dev());
        room.post(VIEWS, Samples.createView("v", "select 1"));
        assertThat(room.buckets.drain()).hasSize(2);
        room.get(VIEWS + "/v");
        room.get(VIEWS);
        room.call("HEAD", VIEWS + "/v", "");
        assertThat(verbs(room, request -> true)).isEmpty();
        room.post(VIEWS + "/v", Samples.setProperty("k", "v"));
        assertThat(room.buckets.drain())
                .satisfiesExactly(
                        file -> assertThat(file).matches("PUT dev/ns/v-[0-9a-f]{8}/metadata/00001-.*"),
                        entry -> assertThat(entry).startsWith("PUT dev/_se/catalog/log/"));
        Room other = room.restarted();
        other.get(VIEWS + "/v");
        other.get(VIEWS + "/v");
        assertThat(verbs(other, request -> request.contains("metadata"))).hasSize(1);
    }

    @Test
    void twoOwnersLoseNoCommitToAView() throws Exception {
        Room one = shared();
        Room two = one.restarted(CatalogOptions.serve("node-2", Map.of()));
        one.post(VIEWS, Samples.createView("v", "select 1"));
        List<Callable<CatalogReply>> work = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            Room room = i % 2 == 0 ? one : two;
            String key = "k" + i;
            work.add(() -> room.post(VIEWS + "/v", Samples.setProperty(key, "v")));
        }
        assertThat(together(work).stream().map(CatalogReply::status)).containsOnly(200);
        for (Room room : List.of(one, two, one.restarted())) {
            String metadata = Room.text(room.get(VIEWS + "/v"));
            for (int i = 0; i < 30; i++) assertThat(metadata).contains("\"k" + i + "\"");
        }
        assertThat(filesOf(one, "ns/v-"))
                .as("files of lost attempts are removed")
                .hasSize(31);
    }

    private static List<String> filesOf(Room room, String prefix) {
        return room.buckets.bucket("dev").list(ListRequest.of(prefix)).orThrow().objects().stream()
                .map(object -> object.key())
                .toList();
    }

    @Test
    void ofATableAndAViewThatWantOneNameOneGetsIt() throws Exception {
        Room one = shared();
        Room two = one.restarted(CatalogOptions.serve("node-2", Map.of()));
        String rename = "/catalogs/dev/v1/views/rename";
        one.post(VIEWS, Samples.createView("moving", "select 1"));
        for (int round = 0; round < 10; round++) {
            String name = "n" + round;
            List<Callable<CatalogReply>> all = List.of(
                    () -> one.post(TABLES, Samples.createTable(name)),
                    () -> two.post(VIEWS, Samples.createView(name, "select 1")),
                    () -> two.post(rename, Samples.rename("moving", name)));
            List<Integer> statuses =
                    together(all).stream().map(CatalogReply::status).toList();
            assertThat(statuses.stream().filter(status -> status < 300))
                    .as("%s", statuses)
                    .hasSize(1);
            assertThat(statuses.stream().filter(status -> status == 409))
                    .as("%s", statuses)
                    .hasSize(2);
            boolean isTable = one.call("HEAD", TABLES + "/" + name, "").status() == 204;
            boolean isView = two.call("HEAD", VIEWS + "/" + name, "").status() == 204;
            assertThat(isTable ^ isView).isTrue();
            two.post(rename, Samples.rename(name, "moving"));
        }
        for (String path : List.of(TABLES, VIEWS)) {
            assertThat(Room.text(one.restarted().get(path))).isEqualTo(Room.text(one.get(path)));
        }
    }

    @Test
    void aViewsFileGoesOnlyWhenItsCommitIsKnownToBeLost() {
        Room room = made(Room.dev());
        room.clock.skipSleeps();
        room.post(VIEWS, Samples.createView("v", "select 1"));
        for (Failure.Kind kind : List.of(Failure.Kind.UNAVAILABLE, Failure.Kind.UNKNOWN)) {
            int before = filesOf(room, "ns/v-").size();
            room.buckets.fail((request, after) -> request.contains("dev/_se/catalog/log/") && !after
                    ? new Failure(request.startsWith("PUT") ? kind : Failure.Kind.UNAVAILABLE, "gone")
                    : null);
            int status = room.post(VIEWS + "/v", Samples.setProperty("k" + kind, "v"))
                    .status();
            boolean unknown = kind == Failure.Kind.UNKNOWN;
            assertThat(status).isEqualTo(unknown ? 500 : 429);
            assertThat(filesOf(room, "ns/v-")).hasSize(unknown ? before + 1 : before);
            int made =
                    room.post(VIEWS, Samples.createView("w" + kind, "select 1")).status();
            assertThat(made).isIn(429, 503);
            room.buckets.heal();
            assertThat(filesOf(room, "ns/w" + kind)).isEmpty();
            assertThat(room.post(VIEWS + "/v", Samples.setProperty("again" + kind, "v"))
                            .status())
                    .isEqualTo(200);
        }
    }
}
