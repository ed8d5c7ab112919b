package io.storageengine.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import org.junit.jupiter.api.Test;

class ObjectLogTest extends LogFixture {
    @Test
    void an_undisturbed_append_costs_exactly_one_put() {
        ObjectLog log = opened("a", PLAIN);
        fill(log, 1, 3);
        assertThat(requests()).containsExactly("PUT " + key(1), "PUT " + key(2), "PUT " + key(3));
    }

    @Test
    void a_busy_writer_never_looks_at_the_boundary() {
        ObjectLog log = opened("a", PLAIN);
        for (long n = 1; n <= 100; n++) {
            clock.pass(RETENTION_MILLIS / 10);
            fill(log, n, n);
        }
        assertThat(requests()).hasSize(100);
    }

    @Test
    void what_was_appended_is_read_back() {
        ObjectLog log = opened("a", PLAIN);
        log.append(1, 7, bytes("hello"));
        LogEntry entry = log.read(1).orThrow();
        assertThat(entry.position()).isEqualTo(1);
        assertThat(entry.epoch()).isEqualTo(7);
        assertThat(entry.writer()).isEqualTo("a");
        assertThat(entry.wallMillis()).isEqualTo(clock.wallMillis());
        assertThat(entry.isSeal()).isFalse();
        assertThat(text(entry.payload())).isEqualTo("hello");
        assertThat(failure(log.read(2)).code()).isEqualTo(ObjectLog.NO_SUCH_ENTRY);
    }

    @Test
    void opening_costs_one_list_one_get_of_the_checkpoint_and_one_get_per_entry_after_it() {
        ObjectLog writer = opened("a", PLAIN);
        fill(writer, 1, 5);
        writer.checkpoint(3, bytes("state")).orThrow();
        requests();

        ObjectLog reader = log("b", PLAIN);
        Checkpoint newest = reader.newestCheckpoint().orThrow().orElseThrow();
        assertThat(newest.position()).isEqualTo(3);
        assertThat(text(newest.state())).isEqualTo("state");
        assertThat(text(reader, 4)).isEqualTo("e4");
        assertThat(text(reader, 5)).isEqualTo("e5");
        assertThat(reader.read(6).failedWith(Failure.Kind.NOT_FOUND)).isTrue();
        assertThat(reader.append(6, 0, bytes("e6"))).isEqualTo(new Appended.Won(6));
        assertThat(requests())
                .containsExactly(
                        "LIST p/checkpoint/",
                        "GET p/checkpoint/00000000000000000003",
                        "GET " + key(4),
                        "GET " + key(5),
                        "GET " + key(6),
                        "PUT " + key(6));
    }

    @Test
    void who_loses_the_race_gets_the_winner_for_one_put_and_one_get() {
        ObjectLog a = opened("a", PLAIN);
        ObjectLog b = opened("b", PLAIN);
        fill(a, 1, 1);
        requests();
        assertThat(b.append(1, 0, bytes("mine")))
                .isInstanceOfSatisfying(
                        Appended.Lost.class,
                        lost -> assertThat(text(lost.winner().payload())).isEqualTo("e1"));
        assertThat(requests()).containsExactly("PUT " + key(1), "GET " + key(1));
    }

    @Test
    void a_lost_answer_is_recognised_as_the_own_write() {
        ObjectLog log = opened("a", PLAIN);
        store.loseAnswer();
        assertThat(log.append(1, 0, bytes("x"))).isEqualTo(new Appended.Won(1));
        assertThat(requests()).containsExactly("PUT " + key(1), "GET " + key(1));
    }

    @Test
    void the_same_text_of_another_writer_is_not_the_own_write() {
        ObjectLog a = opened("a", PLAIN);
        ObjectLog b = opened("b", PLAIN);
        store.onNextPut(real -> {
            assertThat(b.append(1, 0, bytes("x"))).isEqualTo(new Appended.Won(1));
            return Outcome.failed(Failure.Kind.UNKNOWN, "no answer");
        });
        assertThat(a.append(1, 0, bytes("x"))).isInstanceOf(Appended.Lost.class);
    }

    @Test
    void a_412_after_the_stores_own_retry_is_recognised_as_the_own_write() {
        ObjectLog log = opened("a", PLAIN);
        store.onNextPut(real -> real.get().then(info -> real.get()));
        assertThat(log.append(1, 0, bytes("x"))).isEqualTo(new Appended.Won(1));
    }

    @Test
    void a_lost_request_is_repeated_at_the_same_position_with_the_same_bytes() {
        ObjectLog log = opened("a", PLAIN);
        store.loseRequest();
        store.loseRequest();
        assertThat(log.append(1, 0, bytes("x"))).isEqualTo(new Appended.Won(1));
        assertThat(store.keys()).containsExactly(key(1));
    }

    @Test
    void a_conditional_request_conflict_is_repeated_until_it_is_decided() {
        ObjectLog log = opened("a", PLAIN);
        store.onNextPut(
                real -> Outcome.failed(Failure.Kind.CONFLICT, "ConditionalRequestConflict", "a race is in flight"));
        assertThat(log.append(1, 0, bytes("x"))).isEqualTo(new Appended.Won(1));
    }

    @Test
    void past_the_deadline_an_undecided_append_is_unknown() {
        ObjectLog log = opened("a", PLAIN);
        for (int i = 0; i < 100; i++) store.loseRequest();
        assertThat(failure(log.append(1, 0, bytes("x"))).kind()).isEqualTo(Failure.Kind.UNKNOWN);
        assertThat(store.requests).hasSizeLessThan(40);
    }

    @Test
    void past_the_deadline_an_append_that_never_left_is_unavailable() {
        ObjectLog log = opened("a", PLAIN);
        for (int i = 0; i < 100; i++) {
            store.onNextPut(real -> Outcome.failed(Failure.Kind.UNAVAILABLE, "no route"));
        }
        assertThat(failure(log.append(1, 0, bytes("x"))).kind()).isEqualTo(Failure.Kind.UNAVAILABLE);
    }

    @Test
    void what_the_store_refuses_for_good_is_not_repeated() {
        ObjectLog log = opened("a", PLAIN);
        store.onNextPut(real -> Outcome.failed(Failure.Kind.FORBIDDEN, "no"));
        assertThat(failure(log.append(1, 0, bytes("x"))).kind()).isEqualTo(Failure.Kind.FORBIDDEN);
        assertThat(requests()).hasSize(1);
    }

    @Test
    void a_log_that_was_not_read_cannot_be_appended_to() {
        ObjectLog a = opened("a", PLAIN);
        fill(a, 1, 2);
        assertThat(failure(log("b", PLAIN).append(3, 0, bytes("x"))).message()).contains("read the log up to entry 2");
    }

    @Test
    void the_tip_follows_the_log() {
        ObjectLog a = opened("a", PLAIN);
        ObjectLog b = log("b", PLAIN);
        assertThat(b.tip(0).orThrow()).isZero();
        fill(a, 1, 4);
        assertThat(b.tip(0).orThrow()).isEqualTo(4);
        requests();
        assertThat(b.tip(4).orThrow()).isEqualTo(4);
        assertThat(requests()).containsExactly("GET " + key(5));
    }

    @Test
    void damaged_bytes_are_told_not_taken() {
        ObjectLog log = opened("a", PLAIN);
        fill(log, 1, 1);
        byte[] good = store.bytes(key(1));
        for (int at = 0; at < good.length; at++) {
            byte[] bad = good.clone();
            bad[at] ^= 0x10;
            store.overwrite(key(1), bad);
            assertThat(failure(log.read(1)).kind()).as("byte %d", at).isEqualTo(Failure.Kind.CORRUPT);
        }
        for (int length = 0; length < good.length; length++) {
            store.overwrite(key(1), java.util.Arrays.copyOf(good, length));
            assertThat(failure(log.read(1)).kind()).as("length %d", length).isEqualTo(Failure.Kind.CORRUPT);
        }
        store.overwrite(key(2), good);
        assertThat(failure(log.read(2)).message()).contains("says that it is number 1");
    }
}
