package io.storageengine.ingest.encode;

import java.util.Arrays;

/// Parquet's RLE/bit-packing hybrid: runs of eight and more equal values as one, the others packed in groups of
/// eight (parquet-format, Encodings, "Run Length Encoding / Bit-Packing Hybrid").
final class HybridRuns {
    private static final int GROUP = 8;

    private HybridRuns() {}

    /// Bits that hold 0 to `max`.
    static int width(int max) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(max);
    }

    /// Appends `values[0]` to `values[count - 1]`, without a length in front.
    ///
    /// @param width bits of a value
    static void append(int[] values, int count, int width, PageBuffer out) {
        int at = 0;
        while (at < count) {
            int end = runEnd(values, at, count);
            if (end - at >= GROUP) {
                appendRun(values[at], end - at, width, out);
            } else {
                end = packedEnd(values, at, count);
                appendPacked(values, at, end, width, out);
            }
            at = end;
        }
    }

    /// Appends one value many times.
    static void appendRun(int value, int count, int width, PageBuffer out) {
        out.reserve(2 * Integer.BYTES + 1);
        out.putVarint(count << 1);
        for (int bits = 0; bits < width; bits += Byte.SIZE) {
            out.bytes[out.size++] = (byte) (value >>> bits);
        }
    }

    private static int runEnd(int[] values, int from, int count) {
        int value = values[from];
        int end = from + 1;
        while (end < count && values[end] == value) {
            end++;
        }
        return end;
    }

    /// The end of the groups before the next group that begins a run.
    private static int packedEnd(int[] values, int from, int count) {
        int end = from + GROUP;
        while (end < count && runEnd(values, end, Math.min(count, end + GROUP)) - end < GROUP) {
            end += GROUP;
        }
        return Math.min(end, count);
    }

    /// Packs values from the lowest bit on; the last group is filled up with zeros.
    private static void appendPacked(int[] values, int from, int to, int width, PageBuffer out) {
        int groups = (to - from + GROUP - 1) / GROUP;
        out.reserve(Integer.BYTES + 1 + groups * width);
        out.putVarint(groups << 1 | 1);
        int end = out.size + groups * width;
        int at = out.size;
        long word = 0;
        int bits = 0;
        for (int i = from; i < to; i++) {
            word |= (long) values[i] << bits;
            bits += width;
            if (bits >= Integer.SIZE) {
                PageBuffer.putInt(out.bytes, at, (int) word);
                at += Integer.BYTES;
                word >>>= Integer.SIZE;
                bits -= Integer.SIZE;
            }
        }
        Arrays.fill(out.bytes, at, end, (byte) 0);
        for (; bits > 0; bits -= Byte.SIZE) {
            out.bytes[at++] = (byte) word;
            word >>>= Byte.SIZE;
        }
        out.size = end;
    }
}
