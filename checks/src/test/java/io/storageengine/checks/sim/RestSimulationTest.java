package io.storageengine.checks.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RestSimulationTest {
    private static final int MUTANT_SEEDS = 1_000;

    @Test
    void stock_clients_and_nodes_keep_tables_whole_under_every_seed() {
        Seeds.each("rest", 300, seed -> new RestSimulation(seed, RestVariant.REAL));
    }

    /// Only a rebase has a node write a manifest list, and only a purge has it delete a manifest.
    @ParameterizedTest
    @ValueSource(
            strings = {" node-\\d+ PUT .*/snap-.* ok", " node-\\d+ DELETE .*-m0.avro.* ok", "node-\\d+ answers: 409"})
    void what_is_to_be_tried_happens(String line) {
        Predicate<String> wanted = Pattern.compile(line).asPredicate();
        long times = 0;
        for (long seed = 1; seed <= 30; seed++) {
            RestSimulation run = new RestSimulation(seed, RestVariant.REAL);
            run.check();
            times += run.world().trace().stream().filter(wanted).count();
        }
        assertThat(times).as(line).isGreaterThan(10);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REAL")
    void the_checker_catches_a_broken_catalog_or_client(RestVariant broken) {
        Seeds.caught(broken.name(), MUTANT_SEEDS, seed -> new RestSimulation(seed, broken));
    }
}
