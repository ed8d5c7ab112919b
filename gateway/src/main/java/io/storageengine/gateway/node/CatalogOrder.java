package io.storageengine.gateway.node;

import java.util.Optional;

/// What `se catalog` is to do, and with which storage.
///
/// @param logLevel as `--log.level`
record CatalogOrder(Action action, Settings.Storage storage, String logLevel) {
    sealed interface Action {}

    /// Write a catalog to one file.
    ///
    /// @param to a file, or `s3://bucket/key` in the same storage
    record Export(String catalog, String to) implements Action {}

    /// Make a catalog from such a file.
    ///
    /// @param from as `to`
    /// @param catalog id of the new one; empty: as it was exported
    /// @param warehouse of the new one; empty: as it was exported
    record Import(String from, Optional<String> catalog, Optional<String> warehouse) implements Action {}

    /// Rebuild a lost log from the metadata files of the warehouse.
    ///
    /// @param isDry whether to tell only what would be done
    /// @param parksRows whether rows in write-ahead logs are to be put aside
    record Recover(String catalog, boolean isDry, boolean parksRows) implements Action {}
}
