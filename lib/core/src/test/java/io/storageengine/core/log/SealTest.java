package io.storageengine.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import org.junit.jupiter.api.Test;

class SealTest extends LogFixture {
    @Test
    void a_sealed_writer_never_succeeds_again() {
        ObjectLog old = opened("old", PLAIN);
        fill(old, 1, 2);
        ObjectLog owner = opened("new", PLAIN);
        assertThat(owner.seal(0, 1)).isEqualTo(new Appended.Won(3));

        assertThat(old.append(3, 0, bytes("late")))
                .isInstanceOfSatisfying(
                        Appended.Lost.class,
                        lost -> assertThat(lost.winner().isSeal()).isTrue());
        assertThat(failure(old.append(4, 0, bytes("late"))).code()).isEqualTo(ObjectLog.SEALED);
        assertThat(owner.append(4, 1, bytes("e4"))).isEqualTo(new Appended.Won(4));
    }

    @Test
    void a_checkpoint_remembers_the_seal_below_it() {
        ObjectLog owner = opened("new", PLAIN);
        owner.seal(0, 5);
        owner.checkpoint(1, bytes("s")).orThrow();
        ObjectLog other = opened("other", PLAIN);
        assertThat(other.sealedEpoch()).isEqualTo(5);
        assertThat(failure(other.append(2, 4, bytes("x"))).code()).isEqualTo(ObjectLog.SEALED);
        assertThat(other.append(2, 5, bytes("x"))).isEqualTo(new Appended.Won(2));
    }

    @Test
    void of_two_seals_with_one_epoch_the_second_loses() {
        ObjectLog a = opened("a", PLAIN);
        ObjectLog b = opened("b", PLAIN);
        assertThat(a.seal(0, 1)).isEqualTo(new Appended.Won(1));
        assertThat(b.seal(0, 1)).isInstanceOf(Appended.Lost.class);
        assertThat(b.seal(0, 2)).isEqualTo(new Appended.Won(2));
        assertThat(a.seal(1, 1)).isInstanceOf(Appended.Lost.class);
    }

    @Test
    void a_seal_repeated_by_its_writer_is_won_again() {
        ObjectLog a = opened("a", WRITE_AHEAD);
        store.loseAnswer();
        assertThat(a.seal(0, 1)).isEqualTo(new Appended.Won(1));
        assertThat(a.seal(0, 1)).isEqualTo(new Appended.Won(1));
        assertThat(store.keys()).containsExactly(key(1));
    }

    @Test
    void a_write_ahead_log_ends_with_its_first_seal() {
        ObjectLog owner = opened("owner", WRITE_AHEAD);
        fill(owner, 1, 2);
        ObjectLog heir = log("heir", WRITE_AHEAD);
        assertThat(heir.seal(0, 1)).isEqualTo(new Appended.Won(3));
        assertThat(owner.append(4, 0, bytes("in flight"))).isEqualTo(new Appended.Won(4));
        assertThat(owner.append(3, 0, bytes("below it"))).isInstanceOf(Appended.Lost.class);
        assertThat(failure(owner.append(5, 9, bytes("later"))).code()).isEqualTo(ObjectLog.SEALED);
        assertThat(log("third", WRITE_AHEAD).seal(0, 9))
                .isInstanceOfSatisfying(
                        Appended.Lost.class,
                        lost -> assertThat(lost.winner().position()).isEqualTo(3));
    }

    @Test
    void below_its_seal_a_write_ahead_log_is_truncated_at_once_and_the_seal_stays() {
        ObjectLog owner = opened("owner", WRITE_AHEAD);
        fill(owner, 1, 4);
        ObjectLog heir = log("heir", WRITE_AHEAD);
        assertThat(heir.seal(0, 1)).isEqualTo(new Appended.Won(5));
        heir.truncate(100).orThrow();
        assertThat(store.keys()).containsExactly("p/boundary", key(5));
        assertThat(heir.first().orThrow()).isEqualTo(5);
        assertThat(failure(heir.read(3)).code()).isEqualTo(ObjectLog.TRUNCATED);
        assertThat(owner.append(5, 0, bytes("late"))).isInstanceOf(Appended.Lost.class);

        ObjectLog second = log("second", WRITE_AHEAD);
        assertThat(second.seal(0, 1))
                .isInstanceOfSatisfying(
                        Appended.Lost.class,
                        lost -> assertThat(lost.winner().position()).isEqualTo(5));
    }

    @Test
    void who_looked_before_others_sealed_and_truncated_finds_their_seal() {
        ObjectLog owner = opened("owner", WRITE_AHEAD);
        fill(owner, 1, 2);
        ObjectLog looked = opened("looked", WRITE_AHEAD);
        fill(owner, 3, 4);
        ObjectLog heir = log("heir", WRITE_AHEAD);
        assertThat(heir.seal(0, 1)).isEqualTo(new Appended.Won(5));
        heir.truncate(5).orThrow();

        assertThat(failure(looked.read(3)).code()).isEqualTo(ObjectLog.TRUNCATED);
        assertThat(looked.seal(2, 1))
                .isInstanceOfSatisfying(
                        Appended.Lost.class,
                        lost -> assertThat(lost.winner().position()).isEqualTo(5));
        assertThat(store.keys()).containsExactly("p/boundary", key(5));
    }

    @Test
    void a_seal_needs_an_epoch() {
        assertThat(failure(opened("a", PLAIN).seal(0, 0)).kind()).isEqualTo(Failure.Kind.INVALID);
    }
}
