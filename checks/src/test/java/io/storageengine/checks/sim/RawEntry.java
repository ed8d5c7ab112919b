package io.storageengine.checks.sim;

import io.storageengine.core.log.LogEntry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// A log entry as the checker decodes it from the store's bytes, without the code under test.
record RawEntry(boolean seal, long epoch, String writer, String payload) {
    private static final int FIXED = 52;

    static RawEntry of(ByteBuffer bytes) {
        ByteBuffer in = bytes.slice();
        int length = in.getShort(6);
        String all = StandardCharsets.ISO_8859_1.decode(in.duplicate()).toString();
        return new RawEntry(
                in.get(5) == 2, in.getLong(16), all.substring(FIXED, FIXED + length), all.substring(FIXED + length));
    }

    static RawEntry of(LogEntry entry) {
        return new RawEntry(entry.isSeal(), entry.epoch(), entry.writer(), text(entry.payload()));
    }

    static String text(ByteBuffer bytes) {
        return StandardCharsets.ISO_8859_1.decode(bytes.duplicate()).toString();
    }

    static ByteBuffer bytes(String text) {
        return StandardCharsets.ISO_8859_1.encode(text);
    }
}
