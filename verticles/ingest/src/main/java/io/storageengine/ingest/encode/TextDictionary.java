package io.storageengine.ingest.encode;

import java.util.Arrays;

/// Numbers different texts in the order in which they first come.
final class TextDictionary {
    private static final int LENGTH = Integer.BYTES;
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final int DETOURS = 4;

    /// The entries as Parquet has them plain: length and bytes.
    private final PageBuffer plain = new PageBuffer(1 << 10);
    private int[] places = new int[1 << 8];
    private int[] hashes = new int[1 << 8];
    /// The first eight bytes of each entry: mostly they tell texts apart, and short ones are no more than that.
    private long[] heads = new long[1 << 8];
    private int size;
    /// An entry's number plus one, where its text hashes to or the next free place; 0 is free.
    private int[] slots = new int[1 << 10];
    private final Text entry = new Text();
    private long asked;
    private long detours;

    int size() {
        return size;
    }

    /// Bytes of all entries, plain.
    int bytes() {
        return plain.size;
    }

    /// Texts were made to collide, or are as if they were.
    boolean isSlow() {
        return detours > DETOURS * (asked + slots.length);
    }

    /// A text's number.
    int number(byte[] bytes, int from, int length) {
        asked++;
        long head = head(bytes, from, length);
        int hash = hash(head, bytes, from, length);
        int slot = hash & slots.length - 1;
        for (int found = slots[slot]; found != 0; found = slots[slot]) {
            int number = found - 1;
            if (hashes[number] == hash && heads[number] == head && isEntry(number, bytes, from, length)) {
                return number;
            }
            detours++;
            slot = slot + 1 & slots.length - 1;
        }
        slots[slot] = add(bytes, from, length, hash, head);
        if (2 * size > slots.length) {
            spread();
        }
        return size - 1;
    }

    /// For an entry with the same head.
    private boolean isEntry(int number, byte[] bytes, int from, int length) {
        int end = number + 1 == size ? plain.size : places[number + 1];
        boolean sameLength = end - places[number] - LENGTH == length;
        return sameLength && (length <= Long.BYTES || entry(number).isSame(bytes, from, length));
    }

    /// An entry; good until the next is asked for.
    Text entry(int number) {
        int end = number + 1 == size ? plain.size : places[number + 1];
        int from = places[number] + LENGTH;
        entry.set(plain.bytes, from, end - from);
        return entry;
    }

    private int add(byte[] bytes, int from, int length, int hash, long head) {
        if (size == places.length) {
            places = Arrays.copyOf(places, 2 * size);
            heads = Arrays.copyOf(heads, 2 * size);
            hashes = Arrays.copyOf(hashes, 2 * size);
        }
        places[size] = plain.size;
        hashes[size] = hash;
        heads[size] = head;
        plain.putText(bytes, from, length);
        return ++size;
    }

    private void spread() {
        int[] wider = new int[4 * slots.length];
        for (int i = 0; i < size; i++) {
            int slot = hashes[i] & wider.length - 1;
            while (wider[slot] != 0) {
                slot = slot + 1 & wider.length - 1;
            }
            wider[slot] = i + 1;
        }
        slots = wider;
    }

    /// Appends the first entries, plain.
    void write(int entries, PageBuffer out) {
        int end = entries == size ? plain.size : places[entries];
        out.reserve(end);
        System.arraycopy(plain.bytes, 0, out.bytes, out.size, end);
        out.size += end;
    }

    /// Appends one entry, plain.
    void writeEntry(int number, PageBuffer out) {
        Text text = entry(number);
        out.putText(text.bytes, text.from, text.length);
    }

    private static long head(byte[] bytes, int from, int length) {
        long word = PageBuffer.longAt(bytes, from);
        return length >= Long.BYTES ? word : word & ((1L << (Byte.SIZE * length)) - 1);
    }

    private static int hash(long head, byte[] bytes, int from, int length) {
        long hash = (head ^ length) * MIX;
        for (int i = Long.BYTES; i < length; i += Long.BYTES) {
            hash = (hash ^ (hash >>> 32) ^ head(bytes, from + i, length - i)) * MIX;
        }
        return (int) (hash ^ (hash >>> 32));
    }
}
