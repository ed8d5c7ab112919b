package io.storageengine.core.message;

/// Where a channel stands. Offsets count rows from 0, and are those of the next row.
///
/// @param channel its name
/// @param epoch its epoch
/// @param durable rows before it are durable, as far as the answering node knows: more may be on the way in the
///     node that holds the channel
/// @param committed rows before it are in a snapshot
/// @param snapshotId the table's snapshot in which they are; -1 when it has none
/// @param rejected how many rows were refused and passed over (`on-error=skip`)
public record ChannelStatus(String channel, long epoch, long durable, long committed, long snapshotId, long rejected)
        implements Answer {}
