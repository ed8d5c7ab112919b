package io.storageengine.core.message;

import java.util.List;

/// A page of parked rows.
///
/// @param parked in the order of their ids
/// @param next for [ListParked#after]; empty on the last page
public record ParkedRows(List<Parked> parked, String next) implements Answer {
    public ParkedRows {
        parked = List.copyOf(parked);
    }

    /// Rows of one request.
    ///
    /// @param id names them in [ReplayParked]
    /// @param table where their table was last
    /// @param tableUuid their table
    /// @param rows how many
    /// @param wallMillis when they were accepted
    /// @param channel the channel that they came by; empty when by none
    public record Parked(String id, TableRef table, String tableUuid, long rows, long wallMillis, String channel) {}
}
