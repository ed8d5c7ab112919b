package io.storageengine.catalog.log;

/// How a catalog's log is held.
///
/// @param exclusive true when this process alone writes to the storage (`dev` holds its lock): reads need no
///     look at the tip
/// @param checkpointEvery entries between two checkpoints
/// @param batchMax commands in one entry, at most
public record CatalogLogOptions(boolean exclusive, int checkpointEvery, int batchMax) {
    public CatalogLogOptions {
        if (checkpointEvery < 1 || batchMax < 1) {
            throw new IllegalArgumentException("limits are positive");
        }
    }
}
