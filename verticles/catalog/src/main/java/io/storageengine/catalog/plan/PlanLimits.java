package io.storageengine.catalog.plan;

/// What one call of scan planning may cost.
///
/// @param tasks data files in one answer
/// @param bytesMax about the length of one answer's JSON
/// @param manifests data manifests read for one answer
/// @param aheadBytesMax manifests that are fetched at once and held, for one call; longer ones are streamed
/// @param deletes delete files that may have to be looked at for one answer
/// @param snapshots manifest lists read for an incremental scan
/// @param tokens plan tasks in one answer
/// @param running calls that plan at the same time
/// @param waiting calls that may wait for their turn
public record PlanLimits(
        int tasks,
        long bytesMax,
        int manifests,
        long aheadBytesMax,
        int deletes,
        int snapshots,
        int tokens,
        int running,
        int waiting) {
    /// What a node allows.
    public static final PlanLimits USUAL = new PlanLimits(5_000, 8L << 20, 64, 16L << 20, 100_000, 1_000, 500, 4, 64);

    public PlanLimits {
        if (tasks < 1 || bytesMax < 1 || manifests < 1 || aheadBytesMax < 0 || deletes < 0) {
            throw new IllegalArgumentException("an answer has room for one task at least");
        }
        if (snapshots < 1 || tokens < 1 || running < 1 || waiting < 1) {
            throw new IllegalArgumentException("a limit of calls is nothing");
        }
    }
}
