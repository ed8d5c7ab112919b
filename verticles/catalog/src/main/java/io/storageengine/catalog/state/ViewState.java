package io.storageengine.catalog.state;

import java.util.UUID;

/// A view as the catalog knows it; everything else is in its metadata file.
///
/// @param uuid never changes
/// @param metadataLocation of the current metadata file
public record ViewState(UUID uuid, String metadataLocation) {}
