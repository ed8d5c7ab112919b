package io.storageengine.core.message;

/// The end of a request.
///
/// @param taken false when the whole request was refused because of bad rows; the answer then lists them
/// @param answer the HTTP answer's JSON, without a snapshot id
/// @param snapshotId the snapshot that holds the rows, when the request waited for it; else -1
public record EndedRows(boolean taken, String answer, long snapshotId) implements Answer {}
