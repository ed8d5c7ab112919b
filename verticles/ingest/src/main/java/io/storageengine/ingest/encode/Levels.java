package io.storageengine.ingest.encode;

import java.util.Arrays;

/// The entries of one leaf column for some rows, as Dremel counts them: repetition level, definition level and
/// where the value lies in its vector, -1 for none.
final class Levels {
    int[] repetitions = new int[1 << 12];
    int[] definitions = new int[1 << 12];
    int[] values = new int[1 << 12];
    int size;
    /// Entries without a value.
    int nulls;

    void clear() {
        size = 0;
        nulls = 0;
    }

    void add(int repetition, int definition, int value) {
        if (size == values.length) {
            grow(2 * size);
        }
        repetitions[size] = repetition;
        definitions[size] = definition;
        values[size++] = value;
        nulls += value < 0 ? 1 : 0;
    }

    /// Adds rows `from` to `to` of a selection, none of them null and nothing repeated.
    void addRows(Selection rows, int from, int to, int definition) {
        if (size + to - from > values.length) {
            grow(size + to - from);
        }
        for (int i = from; i < to; i++) {
            values[size + i - from] = rows.row(i);
        }
        Arrays.fill(repetitions, size, size + to - from, 0);
        Arrays.fill(definitions, size, size + to - from, definition);
        size += to - from;
    }

    private void grow(int room) {
        repetitions = Arrays.copyOf(repetitions, room);
        definitions = Arrays.copyOf(definitions, room);
        values = Arrays.copyOf(values, room);
    }
}
