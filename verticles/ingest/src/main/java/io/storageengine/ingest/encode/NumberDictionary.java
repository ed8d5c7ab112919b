package io.storageengine.ingest.encode;

import java.util.Arrays;

/// Numbers different values in the order in which they first come. Values are equal when their bits are.
final class NumberDictionary {
    /// Steps beside the right slot, per value, that are taken to be an accident.
    private static final int DETOURS = 4;

    private long[] entries = new long[1 << 8];
    private int size;
    /// An entry's number plus one, where its value hashes to or the next free place; 0 is free.
    private int[] slots = new int[1 << 10];
    private long asked;
    private long detours;

    int size() {
        return size;
    }

    /// Values by their numbers.
    long[] entries() {
        return entries;
    }

    /// Values were made to collide, or are as if they were.
    boolean isSlow() {
        return detours > DETOURS * (asked + slots.length);
    }

    /// Puts the numbers of values into `numbers`, from `at` on.
    void number(long[] values, int count, int[] numbers, int at) {
        asked += count;
        for (int i = 0; i < count; i++) {
            numbers[at + i] = number(values[i]);
        }
    }

    private int number(long value) {
        int slot = slot(value, slots.length);
        for (int found = slots[slot]; found != 0; found = slots[slot]) {
            if (entries[found - 1] == value) {
                return found - 1;
            }
            detours++;
            slot = slot + 1 & slots.length - 1;
        }
        slots[slot] = add(value);
        if (2 * size > slots.length) {
            spread();
        }
        return size - 1;
    }

    private int add(long value) {
        if (size == entries.length) {
            entries = Arrays.copyOf(entries, 2 * size);
        }
        entries[size] = value;
        return ++size;
    }

    private void spread() {
        int[] wider = new int[4 * slots.length];
        for (int i = 0; i < size; i++) {
            int slot = slot(entries[i], wider.length);
            while (wider[slot] != 0) {
                slot = slot + 1 & wider.length - 1;
            }
            wider[slot] = i + 1;
        }
        slots = wider;
    }

    private static int slot(long value, int slots) {
        long mixed = (value ^ (value >>> 32)) * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32) & slots - 1;
    }
}
