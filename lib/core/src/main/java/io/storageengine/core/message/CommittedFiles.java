package io.storageengine.core.message;

/// The files are in the table.
///
/// @param snapshotId the snapshot that holds them; -1 when there were no files
public record CommittedFiles(long snapshotId) implements Answer {}
