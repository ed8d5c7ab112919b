package io.storageengine.core.message;

import java.util.Optional;

/// A channel's holder.
///
/// @param hold empty when there is no such channel
/// @param epochMax the highest epoch that a retired channel of the table had, 0 when there is none: a new one
///     begins above it
public record FoundChannel(Optional<ChannelHold> hold, long epochMax) implements Answer {}
