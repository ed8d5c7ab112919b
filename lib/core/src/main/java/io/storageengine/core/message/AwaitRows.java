package io.storageengine.core.message;

/// Waits until the rows that a token stands for are in a snapshot. `INVALID` when it is no token.
///
/// @param table the table that took them
/// @param token from the answer to the rows
/// @param waitMillis how long to wait at most
public record AwaitRows(TableRef table, String token, long waitMillis) implements Question<CommittedRows> {
    @Override
    public Room room() {
        return Room.INGEST;
    }

    @Override
    public String catalog() {
        return table.catalog();
    }

    @Override
    public boolean writes() {
        return false;
    }
}
