package io.storageengine.core.message;

/// Whether rows are in a snapshot.
///
/// @param committed false when they are not yet
/// @param snapshotId the table's snapshot, which has them; -1 when they are not committed or made no snapshot
public record CommittedRows(boolean committed, long snapshotId) implements Answer {}
