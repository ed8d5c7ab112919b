package io.storageengine.ingest.encode;

import java.util.Arrays;

/// The entries of one leaf column for some rows, as Dremel counts them: repetition level, definition level and
/// where the value lies in its vector, -1 for none.
final class Levels {
    int[] repetitions = new int[1 << 12];
    int[] definitions = new int[1 << 12];
    int[] values = new int[1 << 12];
    int size;

    void clear() {
        size = 0;
    }

    void add(int repetition, int definition, int value) {
        if (size == values.length) {
            repetitions = Arrays.copyOf(repetitions, 2 * size);
            definitions = Arrays.copyOf(definitions, 2 * size);
            values = Arrays.copyOf(values, 2 * size);
        }
        repetitions[size] = repetition;
        definitions[size] = definition;
        values[size++] = value;
    }
}
