package io.storageengine.core.message;

/// Parked rows are durable in the way of their table.
///
/// @param rows how many; 0 when they were in it already
/// @param token to wait for their commit with; empty when they were in the table already
public record ReplayedRows(long rows, String token) implements Answer {}
