package io.storageengine.ingest.rows.arrow;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;

/// Where the bytes of a column's values lie; checked before it is made.
sealed interface Extents {
    int length(int at);

    void copy(int at, byte[] target, int offset);

    /// One behind the other.
    record Joined(Ends ends, ArrowBuf data) implements Extents {
        @Override
        public int length(int at) {
            return ends.to(at) - ends.from(at);
        }

        @Override
        public void copy(int at, byte[] target, int offset) {
            data.getBytes(ends.from(at), target, offset, length(at));
        }
    }

    /// All of one length.
    record Fixed(int width, ArrowBuf data) implements Extents {
        @Override
        public int length(int at) {
            return width;
        }

        @Override
        public void copy(int at, byte[] target, int offset) {
            data.getBytes((long) width * at, target, offset, width);
        }
    }

    /// Short ones in place, long ones in one of several buffers.
    record Views(ArrowBuf views, List<ArrowBuf> data) implements Extents {
        private static final int BYTES = 16;
        private static final int SHORT_MAX = 12;

        public Views {
            data = List.copyOf(data);
        }

        @Override
        public int length(int at) {
            return views.getInt((long) BYTES * at);
        }

        @Override
        public void copy(int at, byte[] target, int offset) {
            int length = length(at);
            if (length <= SHORT_MAX) {
                views.getBytes((long) BYTES * at + 4, target, offset, length);
            } else {
                buffer(at).getBytes(views.getInt((long) BYTES * at + 12), target, offset, length);
            }
        }

        private ArrowBuf buffer(int at) {
            return data.get(views.getInt((long) BYTES * at + 8));
        }

        /// Whether a value lies where there are bytes.
        boolean isGood(int at) {
            int length = length(at);
            if (length < 0 || length <= SHORT_MAX) {
                return length >= 0;
            }
            int index = views.getInt((long) BYTES * at + 8);
            long start = views.getInt((long) BYTES * at + 12);
            return index >= 0
                    && index < data.size()
                    && start >= 0
                    && start + length <= data.get(index).capacity();
        }
    }
}
