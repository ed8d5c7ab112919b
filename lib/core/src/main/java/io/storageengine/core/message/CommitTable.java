package io.storageengine.core.message;

import java.nio.ByteBuffer;
import java.util.List;

/// Commits a change of one table together with the marks and claims that it covers: all of it or nothing.
///
/// `CONFLICT` with code `CommitFailedException` when a requirement fails, `WatermarkMismatch` when a log's
/// mark is not where it was expected (somebody else committed these entries), `ClaimExists` when a key is
/// claimed by another request; `NOT_FOUND` (`NoSuchTableException`) when the table of that uuid is gone;
/// `UNKNOWN` when nobody knows.
///
/// @param table where the table was last seen
/// @param tableUuid which table it must be
/// @param request Iceberg's `CommitTableRequest` as JSON (requirements and updates)
/// @param watermarks at most one per log
/// @param claims keys of the requests that the commit covers
public record CommitTable(
        TableRef table, String tableUuid, ByteBuffer request, List<Watermark> watermarks, List<Claim> claims)
        implements Question<CommittedTable> {
    public CommitTable {
        watermarks = List.copyOf(watermarks);
        claims = List.copyOf(claims);
    }

    @Override
    public Room room() {
        return Room.CATALOG;
    }

    @Override
    public String catalog() {
        return table.catalog();
    }

    @Override
    public boolean writes() {
        return true;
    }
}
