package io.storageengine.ingest.rows;

import java.util.Arrays;
import java.util.List;

/// Finds a field's place by the bytes of its name. Only a schema's names are in it, so that no client can fill
/// it with collisions.
final class NameTable {
    private final byte[][] names;
    private final int[] places;
    private final int mask;

    NameTable(List<Name> names) {
        int size = Integer.highestOneBit(Math.max(4, names.size() * 2)) * 2;
        this.names = new byte[size][];
        this.places = new int[size];
        this.mask = size - 1;
        for (int i = 0; i < names.size(); i++) {
            byte[] name = names.get(i).utf8();
            int slot = slot(name, 0, name.length);
            this.names[slot] = name;
            this.places[slot] = i;
        }
    }

    /// The place of a name, or -1.
    int find(byte[] bytes, int from, int to) {
        int slot = slot(bytes, from, to);
        return names[slot] == null ? -1 : places[slot];
    }

    private int slot(byte[] bytes, int from, int to) {
        int slot = hash(bytes, from, to) & mask;
        while (names[slot] != null && !Arrays.equals(names[slot], 0, names[slot].length, bytes, from, to)) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private static int hash(byte[] bytes, int from, int to) {
        int hash = to - from;
        for (int i = from; i < to; i++) {
            hash = hash * 31 + bytes[i];
        }
        return hash ^ hash >>> 15;
    }
}
