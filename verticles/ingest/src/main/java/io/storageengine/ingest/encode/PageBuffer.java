package io.storageengine.ingest.encode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.parquet.bytes.BytesInput;

/// Bytes of a page while it grows, numbers in little-endian order as Parquet has them.
///
/// Room is asked for by [#reserve]; eight bytes more may be written behind it, so that short texts can be
/// copied in whole words.
final class PageBuffer {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    /// Bytes that may be read or written behind what counts.
    static final int SLACK = 8;
    /// Longest text that is copied in words.
    private static final int WORDS_MAX = 64;

    byte[] bytes;
    int size;

    PageBuffer(int room) {
        bytes = new byte[room + SLACK];
    }

    void clear() {
        size = 0;
    }

    void reserve(int more) {
        long needed = (long) size + more + SLACK;
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.toIntExact(Math.max(needed, Math.min(2L * bytes.length, 1L << 30))));
        }
    }

    static long longAt(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }

    static void putLong(byte[] bytes, int at, long value) {
        LONGS.set(bytes, at, value);
    }

    static void putInt(byte[] bytes, int at, int value) {
        INTS.set(bytes, at, value);
    }

    /// Puts a number of 4 bytes where there is room.
    void putInt(int value) {
        INTS.set(bytes, size, value);
        size += Integer.BYTES;
    }

    /// Puts an unsigned number as Parquet's varint, where there is room for 5 bytes.
    void putVarint(int value) {
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    /// Puts a text, its length in front; the text has eight readable bytes behind it.
    void putText(byte[] from, int at, int length) {
        reserve(Integer.BYTES + length);
        putInt(length);
        if (length <= WORDS_MAX) {
            for (int i = 0; i < length; i += 8) {
                putLong(bytes, size + i, longAt(from, at + i));
            }
        } else {
            System.arraycopy(from, at, bytes, size, length);
        }
        size += length;
    }

    BytesInput input() {
        return BytesInput.from(bytes, 0, size);
    }
}
