package io.storageengine.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.ObjectInfo;
import org.junit.jupiter.api.Test;

class TruncateTest extends LogFixture {
    private ObjectLog truncated() {
        ObjectLog log = opened("keeper", PLAIN);
        fill(log, 1, 10);
        log.checkpoint(8, bytes("state")).orThrow();
        log.truncate(100).orThrow();
        clock.pass(RETENTION_MILLIS);
        log.truncate(100).orThrow();
        requests();
        return log;
    }

    @Test
    void nothing_goes_without_a_checkpoint_above_it() {
        ObjectLog log = opened("a", PLAIN);
        fill(log, 1, 3);
        log.truncate(3).orThrow();
        clock.pass(2 * RETENTION_MILLIS);
        log.truncate(3).orThrow();
        assertThat(store.keys()).containsExactly(key(1), key(2), key(3));
    }

    @Test
    void the_boundary_stands_for_the_retention_before_anything_below_it_goes() {
        ObjectLog log = opened("a", PLAIN);
        fill(log, 1, 3);
        log.checkpoint(2, bytes("s")).orThrow();
        log.truncate(3).orThrow();
        clock.pass(RETENTION_MILLIS - 1);
        log.truncate(3).orThrow();
        assertThat(store.keys()).contains(key(1), key(2), "p/boundary");
        clock.pass(1);
        log.truncate(3).orThrow();
        assertThat(store.keys()).contains(key(3), "p/boundary").doesNotContain(key(1), key(2));
    }

    @Test
    void the_tip_of_a_truncated_log_is_found_from_the_start() {
        truncated();
        assertThat(log("b", PLAIN).tip(0).orThrow()).isEqualTo(10);
        assertThat(failure(log("c", PLAIN).read(4)).code()).isEqualTo(ObjectLog.TRUNCATED);
    }

    @Test
    void a_slept_writer_does_not_believe_an_append_at_a_deleted_number() {
        ObjectLog slept = opened("slept", PLAIN);
        truncated();
        assertThat(failure(slept.append(1, 0, bytes("ghost"))).kind()).isEqualTo(Failure.Kind.UNKNOWN);
        assertThat(store.keys()).contains(key(1));
        assertThat(failure(opened("reader", PLAIN).read(1)).code()).isEqualTo(ObjectLog.TRUNCATED);
        assertThat(log("other", PLAIN).tip(0).orThrow()).isEqualTo(10);
    }

    @Test
    void a_suspended_machine_is_a_slept_writer_though_its_monotonic_clock_stood_still() {
        ObjectLog slept = opened("slept", PLAIN);
        clock.suspend(RETENTION_MILLIS);
        assertThat(slept.append(1, 0, bytes("x"))).isEqualTo(new Appended.Won(1));
        assertThat(requests()).containsExactly("PUT " + key(1), "GET p/boundary");
    }

    @Test
    void a_wall_clock_set_back_makes_no_writer_young_again() {
        ObjectLog slept = opened("slept", PLAIN);
        clock.pass(RETENTION_MILLIS);
        clock.setWallBack(RETENTION_MILLIS);
        slept.append(1, 0, bytes("x"));
        assertThat(requests()).containsExactly("PUT " + key(1), "GET p/boundary");
    }

    @Test
    void a_writer_that_sleeps_during_its_put_looks_too() {
        ObjectLog slept = opened("slept", PLAIN);
        store.onNextPut(real -> {
            truncated();
            return real.get();
        });
        assertThat(failure(slept.append(1, 0, bytes("ghost"))).kind()).isEqualTo(Failure.Kind.UNKNOWN);
    }

    @Test
    void an_append_that_was_truncated_before_its_writer_heard_of_it_is_unknown() {
        ObjectLog slept = opened("slept", PLAIN);
        store.onNextPut(real -> {
            Outcome<ObjectInfo> answer = real.get();
            ObjectLog keeper = opened("keeper", PLAIN);
            keeper.checkpoint(1, bytes("s")).orThrow();
            keeper.truncate(2).orThrow();
            clock.pass(RETENTION_MILLIS);
            return answer;
        });
        assertThat(failure(slept.append(1, 0, bytes("x"))).kind()).isEqualTo(Failure.Kind.UNKNOWN);
    }

    @Test
    void a_ghost_is_swept_by_a_later_truncation() {
        ObjectLog slept = opened("slept", PLAIN);
        ObjectLog keeper = truncated();
        slept.append(1, 0, bytes("ghost"));
        clock.pass(RETENTION_MILLIS);
        keeper.truncate(100).orThrow();
        assertThat(store.keys()).doesNotContain(key(1));
    }

    @Test
    void a_boundary_put_of_unknown_outcome_deletes_nothing_and_never_falls() {
        ObjectLog log = truncated();
        fill(log, 11, 12);
        log.checkpoint(12, bytes("s")).orThrow();
        clock.pass(RETENTION_MILLIS);
        store.loseRequest();
        assertThat(failure(log.truncate(100)).kind()).isEqualTo(Failure.Kind.UNKNOWN);
        assertThat(store.keys()).contains(key(9), key(12));
        store.loseAnswer();
        log.truncate(100).orThrow();
        assertThat(log.first().orThrow()).isEqualTo(13);
    }

    @Test
    void the_two_newest_checkpoints_and_the_first_of_a_span_are_kept() {
        ObjectLog log = opened("a", PLAIN);
        fill(log, 1, 4);
        for (long n = 1; n <= 4; n++) log.checkpoint(n, bytes("s" + n)).orThrow();
        assertThat(store.keys().stream().filter(key -> key.contains("checkpoint")))
                .containsExactly(
                        "p/checkpoint/00000000000000000001",
                        "p/checkpoint/00000000000000000003",
                        "p/checkpoint/00000000000000000004");
        assertThat(log.checkpointUpTo(2).orThrow().orElseThrow().position()).isEqualTo(1);
        assertThat(log.checkpointUpTo(3).orThrow().orElseThrow().position()).isEqualTo(3);
        assertThat(log.checkpointUpTo(0).orThrow()).isEmpty();
        assertThat(failure(log.checkpoint(5, bytes("s"))).kind()).isEqualTo(Failure.Kind.INVALID);
    }

    @Test
    void a_long_log_goes_page_by_page() {
        ObjectLog log = opened("a", PLAIN);
        fill(log, 1, 2_500);
        log.checkpoint(2_499, bytes("s")).orThrow();
        log.truncate(2_500).orThrow();
        clock.pass(RETENTION_MILLIS);
        requests();
        log.truncate(2_500).orThrow();
        assertThat(requests().stream().filter(request -> request.startsWith("DELETE")))
                .containsExactly("DELETE 1000", "DELETE 1000", "DELETE 499");
        assertThat(store.keys()).contains(key(2_500)).doesNotContain(key(2_499));
    }
}
