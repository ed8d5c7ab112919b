package io.storageengine.checks.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LogSimulationTest {
    private static final int MUTANT_SEEDS = 500;

    @Test
    void a_log_keeps_its_promises_under_every_seed() {
        Seeds.each("object log", seed -> new LogSimulation(seed, LogVariant.REAL));
    }

    @Test
    void a_write_ahead_log_keeps_its_promises_under_every_seed() {
        Seeds.each("write-ahead log", seed -> new WalSimulation(seed, LogVariant.REAL));
    }

    @Test
    void the_same_seed_tells_the_same_story() {
        for (long seed = 1; seed <= 20; seed++) {
            assertThat(story(new LogSimulation(seed, LogVariant.REAL)))
                    .isEqualTo(story(new LogSimulation(seed, LogVariant.REAL)))
                    .hasSizeGreaterThan(100);
            assertThat(story(new WalSimulation(seed, LogVariant.REAL)))
                    .isEqualTo(story(new WalSimulation(seed, LogVariant.REAL)));
        }
        assertThat(story(new LogSimulation(1, LogVariant.REAL)))
                .isNotEqualTo(story(new LogSimulation(2, LogVariant.REAL)));
    }

    private static List<String> story(Seeds.Run run) {
        run.check();
        return run.world().trace();
    }

    @ParameterizedTest
    @EnumSource(
            value = LogVariant.class,
            names = {"UNKNOWN_IS_FAILURE", "FORGETS_OWN_WRITES", "NEVER_DOUBTS", "IGNORES_SEALS"})
    void the_checker_catches_a_broken_log(LogVariant broken) {
        Seeds.caught(broken + " log", MUTANT_SEEDS, seed -> new LogSimulation(seed, broken));
    }

    @ParameterizedTest
    @EnumSource(
            value = LogVariant.class,
            names = {"FORGETS_OWN_WRITES", "ACKS_OUT_OF_ORDER"})
    void the_checker_catches_a_broken_write_ahead_log(LogVariant broken) {
        Seeds.caught(broken + " write-ahead log", MUTANT_SEEDS, seed -> new WalSimulation(seed, broken));
    }
}
