package io.storageengine.core.message;

import java.util.Optional;

/// The claim on a key, when there is one.
///
/// @param claim the claim
/// @param snapshotId the table's current snapshot (which holds the claimed rows or descends from one that
///     did); -1 when it has none
public record FoundClaim(Optional<Claim> claim, long snapshotId) implements Answer {}
