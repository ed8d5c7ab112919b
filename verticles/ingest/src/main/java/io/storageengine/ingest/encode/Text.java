package io.storageengine.ingest.encode;

import java.util.Arrays;

/// Bytes somewhere in an array, with [PageBuffer#SLACK] readable bytes behind them; may be set to others.
final class Text {
    byte[] bytes = new byte[PageBuffer.SLACK];
    int from;
    int length;

    void set(byte[] bytes, int from, int length) {
        this.bytes = bytes;
        this.from = from;
        this.length = length;
    }

    /// Keeps a copy, when the bytes lie in an array that will be used again.
    @SuppressWarnings("ReferenceEquality") // the very array, not one like it
    void keepFrom(byte[] shared) {
        if (bytes == shared) {
            set(Arrays.copyOfRange(bytes, from, from + length + PageBuffer.SLACK), 0, length);
        }
    }

    boolean isSame(byte[] other, int otherFrom, int otherLength) {
        return length == otherLength && compare(other, otherFrom, otherLength) == 0;
    }

    /// Compares byte by byte, unsigned, as Parquet orders texts.
    int compare(byte[] other, int otherFrom, int otherLength) {
        int common = Math.min(length, otherLength);
        for (int i = 0; i < common; i += Long.BYTES) {
            long mine = PageBuffer.longAt(bytes, from + i);
            long theirs = PageBuffer.longAt(other, otherFrom + i);
            long differ = mine ^ theirs;
            if (common - i < Long.BYTES) {
                differ &= (1L << (Byte.SIZE * (common - i))) - 1;
            }
            if (differ != 0) {
                int shift = Long.numberOfTrailingZeros(differ) & -Byte.SIZE;
                return Long.compare(mine >>> shift & 0xFF, theirs >>> shift & 0xFF);
            }
        }
        return length - otherLength;
    }
}
