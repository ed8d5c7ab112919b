package io.storageengine.commit;

import io.storageengine.core.Backoff;

/// Settings of the commit room.
///
/// @param deadlineMillis how long a commit is tried before its askers are told how it stands
/// @param askTimeoutMillis how long one question to the catalog room may take
/// @param waitingMax commits that may wait for one table; more are refused as `THROTTLED`
/// @param groupMax commits that one snapshot may take
/// @param groupFilesMax data files that one snapshot of several commits may take
/// @param upkeepMillis how often at most a table's history is shortened; ten times that when there is little to do
/// @param backoff between tries
public record CommitOptions(
        long deadlineMillis,
        long askTimeoutMillis,
        int waitingMax,
        int groupMax,
        int groupFilesMax,
        long upkeepMillis,
        Backoff backoff) {
    public static final CommitOptions DEFAULT =
            new CommitOptions(60_000, 30_000, 1_000, 64, 10_000, 60_000, new Backoff(20, 5_000));

    public CommitOptions {
        if (deadlineMillis < 1 || askTimeoutMillis < 1 || upkeepMillis < 1)
            throw new IllegalArgumentException("times are positive");
        if (waitingMax < 1 || groupMax < 1 || groupFilesMax < 1) throw new IllegalArgumentException("bounds are 1 up");
    }
}
