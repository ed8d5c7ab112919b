package io.storageengine.ingest.rows;

import java.util.List;

/// The bad rows of one body.
///
/// @param rows how many rows were bad
/// @param first the first of them, at most [RowLimits#faultsMax]
public record RowFaults(long rows, List<RowFault> first) {
    public RowFaults {
        first = List.copyOf(first);
    }
}
