package io.storageengine.core.message;

import java.nio.ByteBuffer;

/// A table after a commit.
///
/// @param metadataLocation where the new metadata file lies
/// @param metadata the new table metadata as JSON
public record CommittedTable(String metadataLocation, ByteBuffer metadata) implements Answer {}
