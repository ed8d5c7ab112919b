package io.storageengine.ingest.encode;

import java.util.BitSet;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.io.api.Binary;

/// Texts and bytes of any length.
final class FlatTexts extends FlatValues {
    /// How much is copied to the heap at once.
    private static final int STRETCH = 64 << 10;

    private final TextDictionary dictionary = new TextDictionary();
    private ArrowBuf offsets = ArrowFeed.EMPTY;
    private ArrowBuf data = ArrowFeed.EMPTY;
    private int end;
    /// A stretch of the vector's bytes, from `heapFrom` to `heapTo`.
    private byte[] heap = new byte[STRETCH + PageBuffer.SLACK];
    private int heapFrom;
    private int heapTo;

    private boolean isBounded;
    private final Text lower = new Text();
    private final Text upper = new Text();

    FlatTexts(long dictionaryBytesMax) {
        super(dictionaryBytesMax);
    }

    @Override
    void begin(FieldVector vector) {
        data = vector.getDataBuffer();
        offsets = vector.getOffsetBuffer();
        end = start(vector.getValueCount());
        heapFrom = 0;
        heapTo = 0;
    }

    /// Where a value starts and the one before it ends.
    private int start(int place) {
        return offsets.getInt((long) place << 2);
    }

    @Override
    int fitting(int[] places, int count, long bytes) {
        long room = bytes;
        for (int i = 0; i < count; i++) {
            room -= Integer.BYTES + start(places[i] + 1) - start(places[i]);
            if (room < 0) {
                return i;
            }
        }
        return count;
    }

    @Override
    void take(int[] places, int count) {
        int taken = 0;
        while (taken < count) {
            load(start(places[taken]), start(places[taken] + 1));
            taken = takeLoaded(places, taken, count);
            lower.keepFrom(heap);
            upper.keepFrom(heap);
        }
    }

    private void load(int from, int to) {
        if (from >= heapFrom && to <= heapTo) {
            return;
        }
        if (to - from > heap.length - PageBuffer.SLACK) {
            heap = new byte[to - from + PageBuffer.SLACK];
        }
        heapFrom = from;
        heapTo = (int) Math.min(end, (long) from + heap.length - PageBuffer.SLACK);
        data.getBytes(heapFrom, heap, 0, heapTo - heapFrom);
    }

    /// Takes values as long as they are on the heap.
    private int takeLoaded(int[] places, int first, int count) {
        for (int i = first; i < count; i++) {
            int from = start(places[i]);
            int to = start(places[i] + 1);
            if (from < heapFrom || to > heapTo) {
                return i;
            }
            take(from - heapFrom, to - from);
        }
        return count;
    }

    private void take(int at, int length) {
        plainBytes += Integer.BYTES + length;
        if (usesDictionary) {
            numbers[numbered++] = dictionary.number(heap, at, length);
        } else {
            plain.putText(heap, at, length);
            bound(heap, at, length);
        }
    }

    private void bound(byte[] bytes, int at, int length) {
        if (!isBounded) {
            isBounded = true;
            lower.set(bytes, at, length);
            upper.set(bytes, at, length);
        } else if (lower.compare(bytes, at, length) > 0) {
            lower.set(bytes, at, length);
        } else if (upper.compare(bytes, at, length) < 0) {
            upper.set(bytes, at, length);
        }
    }

    @Override
    void boundNumbered() {
        BitSet seen = new BitSet(dictionary.size());
        for (int i = 0; i < numbered; i++) {
            if (!seen.get(numbers[i])) {
                seen.set(numbers[i]);
                Text entry = dictionary.entry(numbers[i]);
                bound(entry.bytes, entry.from, entry.length);
            }
        }
    }

    @Override
    void finishStatistics(Statistics<?> page) {
        if (isBounded) {
            page.updateStats(Binary.fromReusedByteArray(lower.bytes, lower.from, lower.length));
            page.updateStats(Binary.fromReusedByteArray(upper.bytes, upper.from, upper.length));
        }
        isBounded = false;
    }

    @Override
    boolean isDictionaryTooLarge(long bytesMax) {
        return dictionary.bytes() > bytesMax || dictionary.isSlow();
    }

    @Override
    int dictionarySize() {
        return dictionary.size();
    }

    @Override
    long dictionaryBytes() {
        return dictionary.bytes();
    }

    @Override
    void writeDictionary(int entries, PageBuffer out) {
        dictionary.write(entries, out);
    }

    @Override
    void writeNumbered(PageBuffer out) {
        for (int i = 0; i < numbered; i++) {
            dictionary.writeEntry(numbers[i], out);
        }
    }
}
