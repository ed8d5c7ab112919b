package io.storageengine.ingest.session;

import io.storageengine.core.Ask;
import io.storageengine.core.Clock;
import io.storageengine.ingest.table.Memory;
import io.storageengine.ingest.table.TableBuffers;
import io.storageengine.ingest.table.TableWriter;
import io.storageengine.ingest.table.Tables;

/// What requests work with.
///
/// @param askTimeoutMillis for questions to other rooms
public record Desk(
        Ask ask,
        long askTimeoutMillis,
        Tables tables,
        TableWriter writer,
        TableBuffers buffers,
        Memory memory,
        Clock clock,
        SessionOptions options) {}
