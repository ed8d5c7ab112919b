package io.storageengine.catalog.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SortedTreeTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void itDoesWhatAMapDoesAndEarlierVersionsStay(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TreeMap<Integer, Integer> map = new TreeMap<>();
        SortedTree<Integer, Integer> tree = SortedTree.empty();
        for (int i = 0; i < 2_000; i++) {
            SortedTree<Integer, Integer> before = tree;
            TreeMap<Integer, Integer> mapBefore = i % 100 == 0 ? new TreeMap<>(map) : null;
            int key = random.nextInt(300);
            if (random.nextInt(3) == 0) {
                map.remove(key);
                tree = tree.without(key);
            } else {
                map.put(key, i);
                tree = tree.with(key, i);
            }
            int probe = random.nextInt(300);
            assertThat(tree.size()).as("seed %s", seed).isEqualTo(map.size());
            assertThat(tree.get(probe)).isEqualTo(map.get(probe));
            assertThat(tree.ceiling(probe)).isEqualTo(map.ceilingKey(probe));
            assertThat(tree.higher(probe)).isEqualTo(map.higherKey(probe));
            if (mapBefore != null) assertThat(entries(before)).isEqualTo(List.copyOf(mapBefore.keySet()));
        }
        assertThat(entries(tree)).isEqualTo(List.copyOf(map.keySet()));
    }

    private static List<Integer> entries(SortedTree<Integer, Integer> tree) {
        List<Integer> keys = new ArrayList<>();
        tree.forEach((key, value) -> keys.add(key));
        return keys;
    }
}
