package io.storageengine.core.log;

import java.nio.ByteBuffer;

/// An object of a log as the store holds it.
record Stored(Header header, ByteBuffer payload) {
    LogEntry entry() {
        LogEntry.Kind kind = header.kind() == Header.Kind.SEAL ? LogEntry.Kind.SEAL : LogEntry.Kind.DATA;
        return new LogEntry(header.position(), kind, header.epoch(), header.writer(), header.wallMillis(), payload);
    }
}
