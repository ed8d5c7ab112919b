package io.storageengine.gateway.s3;

import java.util.zip.Checksum;

/// CRC-64/NVME: polynomial 0xAD93D23594C93659 reflected, all ones in and out; eight bytes a step.
final class Crc64Nvme implements Checksum {
    private static final long POLYNOMIAL = Long.reverse(0xAD93D23594C93659L);
    private static final long[][] TABLES = tables();

    private long state = -1L;

    private static long[][] tables() {
        long[][] tables = new long[8][256];
        for (int i = 0; i < 256; i++) {
            long crc = i;
            for (int bit = 0; bit < 8; bit++) crc = (crc & 1) == 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
            tables[0][i] = crc;
        }
        for (int i = 0; i < 256; i++) {
            for (int t = 1; t < 8; t++) {
                long before = tables[t - 1][i];
                tables[t][i] = (before >>> 8) ^ tables[0][(int) before & 0xff];
            }
        }
        return tables;
    }

    @Override
    public void update(int b) {
        state = (state >>> 8) ^ TABLES[0][(int) (state ^ b) & 0xff];
    }

    @Override
    public void update(byte[] bytes, int offset, int length) {
        int i = offset;
        int end = offset + length;
        for (; end - i >= 8; i += 8) {
            long x = state;
            for (int k = 0; k < 8; k++) x ^= (bytes[i + k] & 0xffL) << (8 * k);
            long next = 0;
            for (int k = 0; k < 8; k++) next ^= TABLES[7 - k][(int) (x >>> (8 * k)) & 0xff];
            state = next;
        }
        for (; i < end; i++) update(bytes[i]);
    }

    @Override
    public long getValue() {
        return ~state;
    }

    @Override
    public void reset() {
        state = -1L;
    }
}
