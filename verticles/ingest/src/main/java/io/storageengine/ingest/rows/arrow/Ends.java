package io.storageengine.ingest.rows.arrow;

import org.apache.arrow.memory.ArrowBuf;

/// Where values of many parts begin and end.
sealed interface Ends {
    int from(int at);

    int to(int at);

    /// Each begins where the one before it ends.
    record Narrow(ArrowBuf offsets) implements Ends {
        @Override
        public int from(int at) {
            return offsets.getInt(4L * at);
        }

        @Override
        public int to(int at) {
            return offsets.getInt(4L * at + 4);
        }
    }

    /// As [Narrow], of 64 bits; they are checked to fit 32.
    record Wide(ArrowBuf offsets) implements Ends {
        @Override
        public int from(int at) {
            return (int) offsets.getLong(8L * at);
        }

        @Override
        public int to(int at) {
            return (int) offsets.getLong(8L * at + 8);
        }
    }

    record Fixed(int size) implements Ends {
        @Override
        public int from(int at) {
            return size * at;
        }

        @Override
        public int to(int at) {
            return size * at + size;
        }
    }

    /// Anywhere, with a size each.
    record Views(ArrowBuf offsets, ArrowBuf sizes, int width) implements Ends {
        @Override
        public int from(int at) {
            return (int) NumberCells.integer(offsets, width, true, at);
        }

        @Override
        public int to(int at) {
            return from(at) + (int) NumberCells.integer(sizes, width, true, at);
        }
    }
}
