package io.storageengine.ingest.encode;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.parquet.column.statistics.Statistics;

/// Booleans, a bit each; they have no dictionary.
final class FlatBooleans extends FlatValues {
    private ArrowBuf data = ArrowFeed.EMPTY;
    private int count;
    private int trues;

    FlatBooleans() {
        super(0);
    }

    @Override
    void begin(FieldVector vector) {
        data = vector.getDataBuffer();
    }

    @Override
    int fitting(int[] places, int wanted, long bytes) {
        return (int) Math.min(wanted, bytes * Byte.SIZE);
    }

    @Override
    void take(int[] places, int more) {
        plain.reserve(more / Byte.SIZE + 2);
        byte[] bits = plain.bytes;
        for (int i = 0; i < more; i++) {
            int place = places[i];
            int bit = data.getByte(place >> 3) >> (place & 7) & 1;
            int shift = count & 7;
            bits[count >> 3] = (byte) (shift == 0 ? bit : bits[count >> 3] | bit << shift);
            trues += bit;
            count++;
        }
        plain.size = (count + Byte.SIZE - 1) / Byte.SIZE;
        plainBytes = plain.size;
    }

    @Override
    void finishStatistics(Statistics<?> page) {
        if (trues < count) {
            page.updateStats(false);
        }
        if (trues > 0) {
            page.updateStats(true);
        }
        trues = 0;
    }

    @Override
    void clearPage() {
        super.clearPage();
        count = 0;
        trues = 0;
    }

    @Override
    void boundNumbered() {}

    @Override
    boolean isDictionaryTooLarge(long bytesMax) {
        return false;
    }

    @Override
    int dictionarySize() {
        return 0;
    }

    @Override
    long dictionaryBytes() {
        return 0;
    }

    @Override
    void writeDictionary(int entries, PageBuffer out) {}

    @Override
    void writeNumbered(PageBuffer out) {}
}
