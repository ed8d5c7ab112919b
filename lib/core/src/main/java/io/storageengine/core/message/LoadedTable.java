package io.storageengine.core.message;

import java.nio.ByteBuffer;
import java.util.Map;

/// A table as its catalog has it.
///
/// @param metadataLocation where the metadata file lies
/// @param metadata the table metadata as JSON (Iceberg's table metadata file, uncompressed)
/// @param watermarks per write-ahead log, the position up to which this table's rows are committed; logs
///     without a mark are left out
/// @param ioProperties what a `rest` upstream vends with the table for reaching its files; empty for a native
///     catalog; holds secrets, never logged
public record LoadedTable(
        String metadataLocation, ByteBuffer metadata, Map<String, Long> watermarks, Map<String, String> ioProperties)
        implements Answer {
    public LoadedTable {
        watermarks = Map.copyOf(watermarks);
        ioProperties = Map.copyOf(ioProperties);
    }

    @Override
    public String toString() {
        return "LoadedTable[" + metadataLocation + "]";
    }
}
