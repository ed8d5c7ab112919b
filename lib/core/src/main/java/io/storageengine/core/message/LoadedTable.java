package io.storageengine.core.message;

import java.nio.ByteBuffer;
import java.util.Map;

/// A table as its catalog has it.
///
/// @param metadataLocation where the metadata file lies
/// @param metadata the table metadata as JSON (Iceberg's table metadata file, uncompressed)
/// @param watermarks per write-ahead log, the position up to which this table's rows are committed; logs without a
///     mark are left out
public record LoadedTable(String metadataLocation, ByteBuffer metadata, Map<String, Long> watermarks)
        implements Answer {
    public LoadedTable {
        watermarks = Map.copyOf(watermarks);
    }
}
