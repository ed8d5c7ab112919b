package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A process is cut off from its storage at every request of a script, before and after the request took
/// effect: the next process finds everything that was acknowledged, and of the call under way all or nothing.
final class CrashTest {
    private static final String SPACES = "/catalogs/dev/v1/namespaces";

    /// What the script is about.
    enum Thing {
        TABLE("tables", Samples.createTable("t")),
        VIEW("views", Samples.createView("t", "select 1"));

        private final String all;
        private final String create;

        Thing(String kind, String create) {
            this.all = SPACES + "/ns/" + kind;
            this.create = create;
        }

        String one() {
            return all + "/t";
        }
    }

    @ParameterizedTest
    @EnumSource(Thing.class)
    void whatWasAcknowledgedIsThereAfterACutAtAnyRequest(Thing thing) {
        for (boolean tookEffect : List.of(false, true)) {
            int cutAt = 0;
            while (script(thing, cutAt, tookEffect)) cutAt++;
            assertThat(cutAt).isGreaterThan(15);
        }
    }

    /// A room that is cut off at a request; `left` tells how many are to come before it.
    private static Room cutOff(AtomicInteger left, boolean tookEffect, Room room) {
        room.clock.skipSleeps();
        room.buckets.fail((request, after) -> {
            int now = after ? left.get() : left.getAndDecrement();
            boolean cut = tookEffect ? now < 0 : !after && now <= 0;
            return cut ? new Failure(Failure.Kind.UNKNOWN, "cut off") : null;
        });
        return room;
    }

    /// Runs the script with a cut at a request; false when the script ended before it.
    private static boolean script(Thing thing, int cutAt, boolean tookEffect) {
        String at = "cut at request " + cutAt + (tookEffect ? " after" : " before") + " its effect";
        AtomicInteger left = new AtomicInteger(cutAt);
        Room room = cutOff(left, tookEffect, Room.dev());
        List<Integer> acknowledged = new ArrayList<>();
        for (int step = 0; step < 8; step++) {
            int status = step(room, thing, step);
            assertThat(status).as(at).isIn(200, 204, 404, 409, 429, 500, 503);
            if (status < 300) acknowledged.add(step);
        }
        boolean ended = left.get() >= 0;
        room.buckets.heal();
        Room next = room.restarted();
        String metadata = Room.text(next.get(thing.one()));
        String spaces = Room.text(next.get(SPACES));
        for (int step : acknowledged) {
            if (step == 0) assertThat(spaces).as(at).contains("\"ns\"");
            else if (step == 1) assertThat(metadata).as(at).contains("\"metadata-location\"");
            else assertThat(metadata).as(at).contains("\"step-" + step + "\"");
        }
        for (int step = 0; step < 8; step++) {
            if (!acknowledged.contains(step)) {
                assertThat(step(next, thing, step))
                        .as(at + ", step %s again", step)
                        .isIn(200, 409);
            }
        }
        assertThat(Room.text(next.restarted().get(thing.one()))).as(at).contains("\"step-7\"");
        return !ended;
    }

    /// S3 answers 409 `ConditionalRequestConflict` while it does not know yet who wins: perhaps nothing is there.
    @ParameterizedTest
    @EnumSource(Thing.class)
    void aWriteThatMetARaceIsNotTakenForDone(Thing thing) {
        Room room = Room.dev();
        room.post(SPACES, "{\"namespace\":[\"ns\"]}");
        room.buckets.fail((request, after) -> request.startsWith("PUT ") && request.endsWith(".metadata.json")
                ? new Failure(Failure.Kind.CONFLICT, ObjectStore.UNDECIDED, "a race is in flight")
                : null);
        assertThat(room.post(thing.all, thing.create).status()).isEqualTo(429);
        room.buckets.heal();
        assertThat(room.get(thing.one()).status()).isEqualTo(404);
        assertThat(room.post(thing.all, thing.create).status()).isEqualTo(200);
    }

    /// The same for transactions over two tables, each sent with a key until it is answered: every one of
    /// them is in both tables, in neither of them half, and none was done twice.
    @Test
    void aTransactionWithAKeyIsDoneOnceAndWholeWhateverRequestIsCut() {
        for (boolean tookEffect : List.of(false, true)) {
            int cutAt = 0;
            while (transactions(cutAt, tookEffect)) cutAt++;
            assertThat(cutAt).isGreaterThan(8);
        }
    }

    private static boolean transactions(int cutAt, boolean tookEffect) {
        String at = "cut at request " + cutAt + (tookEffect ? " after" : " before") + " its effect";
        Room room = Room.dev();
        room.post(SPACES, "{\"namespace\":[\"ns\"]}");
        for (String name : List.of("t", "u")) room.post(SPACES + "/ns/tables", Samples.createTable(name));
        AtomicInteger left = new AtomicInteger(cutAt);
        cutOff(left, tookEffect, room);
        List<Integer> acknowledged = new ArrayList<>();
        for (int number = 1; number <= 3; number++) {
            int status = transaction(room, number);
            assertThat(status).as(at).isIn(204, 409, 429, 500);
            if (status == 204) acknowledged.add(number);
        }
        boolean ended = left.get() >= 0;
        room.buckets.heal();
        Room next = room.restarted();
        assertThat(snapshots(next, "t")).as(at).isEqualTo(snapshots(next, "u")).containsAll(acknowledged);
        for (int number = 1; number <= 3; number++) {
            int status = transaction(next, number);
            assertThat(status).as(at + ", transaction %s", number).isEqualTo(204);
            assertThat(snapshots(next, "t")).as(at).contains(number).isEqualTo(snapshots(next, "u"));
        }
        Room last = next.restarted();
        for (String name : List.of("t", "u"))
            assertThat(snapshots(last, name)).as(at).containsExactly(1, 2, 3);
        return !ended;
    }

    /// Appends snapshot `number` to both tables: a second time it would be refused.
    private static int transaction(Room room, int number) {
        Long parent = number == 1 ? null : number - 1L;
        String body = Transactions.of(
                Transactions.append("t", number, parent, number), Transactions.append("u", number, parent, number));
        Map<String, String> key = Map.of("idempotency-key", "017f22e2-79b0-7cc3-98c4-00000000000" + number);
        return room.call("POST", "/catalogs/dev/v1/transactions/commit", key, body)
                .status();
    }

    private static List<Integer> snapshots(Room room, String table) {
        List<Integer> ids = new ArrayList<>();
        Room.json(room.get(SPACES + "/ns/tables/" + table))
                .path("metadata")
                .path("snapshots")
                .forEach(snapshot -> ids.add(snapshot.path("snapshot-id").asInt()));
        return ids;
    }

    private static int step(Room room, Thing thing, int step) {
        return switch (step) {
            case 0 -> room.post(SPACES, "{\"namespace\":[\"ns\"]}").status();
            case 1 -> room.post(thing.all, thing.create).status();
            default ->
                room.post(thing.one(), Samples.setProperty("step-" + step, "v")).status();
        };
    }

    @Test
    void aRenameIsDoneOrNotAfterACutAtAnyRequest() {
        for (boolean tookEffect : List.of(false, true)) {
            int cutAt = 0;
            while (renamed(cutAt, tookEffect)) cutAt++;
            assertThat(cutAt).isGreaterThan(0);
        }
    }

    /// Renames a view with a cut at a request; false when there was no such request.
    private static boolean renamed(int cutAt, boolean tookEffect) {
        Room room = Room.dev();
        room.post(SPACES, "{\"namespace\":[\"ns\"]}");
        room.post(Thing.VIEW.all, Thing.VIEW.create);
        AtomicInteger left = new AtomicInteger(cutAt);
        int status = cutOff(left, tookEffect, room)
                .post("/catalogs/dev/v1/views/rename", Samples.rename("t", "u"))
                .status();
        boolean ended = left.get() >= 0;
        room.buckets.heal();
        String listed = Room.text(room.restarted().get(Thing.VIEW.all));
        String at = "cut at request " + cutAt + ", answered " + status + ": " + listed;
        assertThat(listed.contains("\"t\"") ^ listed.contains("\"u\"")).as(at).isTrue();
        if (status == 204) assertThat(listed).as(at).contains("\"u\"");
        assertThat(status).as(at).isIn(204, 429, 500);
        return !ended;
    }
}
