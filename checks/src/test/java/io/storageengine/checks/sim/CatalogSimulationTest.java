package io.storageengine.checks.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CatalogSimulationTest {
    private static final int MUTANT_SEEDS = 500;

    @Test
    void a_catalog_keeps_its_promises_under_every_seed() {
        Seeds.each("catalog", seed -> new CatalogSimulation(seed, CatalogVariant.REAL));
    }

    @Test
    void the_same_seed_tells_the_same_story() {
        for (long seed = 1; seed <= 20; seed++)
            assertThat(story(seed)).isEqualTo(story(seed)).hasSizeGreaterThan(100);
        assertThat(story(1)).isNotEqualTo(story(2));
    }

    private static List<String> story(long seed) {
        CatalogSimulation run = new CatalogSimulation(seed, CatalogVariant.REAL);
        run.check();
        return run.world().trace();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REAL")
    void the_checker_catches_a_broken_catalog(CatalogVariant broken) {
        Seeds.caught(broken.name(), MUTANT_SEEDS, seed -> new CatalogSimulation(seed, broken));
    }
}
