package io.storageengine.core.message;

import java.util.Optional;

/// The claim on a key, when there is one.
public record FoundClaim(Optional<Claim> claim) implements Answer {
    /// The snapshot that was made of the claimed rows; -1 when there is no claim, or no snapshot was made.
    public long snapshotId() {
        return claim.map(Claim::snapshotId).orElse(-1L);
    }
}
