package io.storageengine.ingest.rows;

/// Bounds on what one row may cost.
///
/// @param rowBytesMax longest row (NDJSON: line) in bytes of JSON
/// @param depthMax objects and arrays in each other, the row itself counted
/// @param faultsMax faults kept with their reasons; all are counted
public record RowLimits(int rowBytesMax, int depthMax, int faultsMax) {
    /// 16 MiB a row, 64 deep, 100 faults.
    public static final RowLimits DEFAULT = new RowLimits(16 << 20, 64, 100);

    public RowLimits {
        if (rowBytesMax < 2 || rowBytesMax > 256 << 20 || depthMax < 1 || depthMax > 500 || faultsMax < 0) {
            throw new IllegalArgumentException("rowBytesMax 2 to 256 MiB, depthMax 1 to 500, faultsMax from 0");
        }
    }
}
