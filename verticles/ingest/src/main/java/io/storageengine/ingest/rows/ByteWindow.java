package io.storageengine.ingest.rows;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.LongConsumer;

/// The bytes of a body that were read and not used up yet, from `from` to `to`; a 0 stands behind them.
final class ByteWindow {
    private static final int STEP = 256 << 10;

    private final InputStream body;
    private final LongConsumer memory;
    byte[] bytes = new byte[STEP + JsonScanner.SLACK];
    int from;
    int to;
    private boolean ended;

    /// @param memory is told how many bytes it holds more than at first
    ByteWindow(InputStream body, LongConsumer memory) {
        this.body = body;
        this.memory = memory;
    }

    int size() {
        return to - from;
    }

    /// Reads more; false at the end of the body. Moves what is left to the front when there is no room.
    boolean fill() throws IOException {
        if (ended) {
            return false;
        }
        makeRoom();
        int read = body.read(bytes, to, bytes.length - JsonScanner.SLACK - to);
        if (read < 0) {
            ended = true;
            return false;
        }
        to += read;
        bytes[to] = 0;
        return true;
    }

    private void makeRoom() {
        if (from > 0) {
            System.arraycopy(bytes, from, bytes, 0, to - from);
            to -= from;
            from = 0;
            bytes[to] = 0;
        }
        if (to + JsonScanner.SLACK >= bytes.length) {
            memory.accept(bytes.length);
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
    }
}
