package io.storageengine.core.message;

/// Begins a request that appends rows. `NOT_FOUND` when there is no such table and it is not to be created,
/// `THROTTLED` past the memory budget, `INVALID` when the table cannot take rows.
public record BeginRows(TableRef table, RowOptions options) implements Question<BegunRows> {
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
        return true;
    }
}
