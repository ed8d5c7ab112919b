package io.storageengine.core.message;

/// Puts parked rows into their table, once, and forgets them. `NOT_FOUND` (`NoSuchParkedRowsException`) when
/// there are none of that id, `CONFLICT` (`TableGoneException`) when their table is not there, or cannot take them.
///
/// @param catalog the catalog's id
/// @param id from [ParkedRows]
public record ReplayParked(String catalog, String id) implements Question<ReplayedRows> {
    @Override
    public Room room() {
        return Room.INGEST;
    }

    @Override
    public boolean writes() {
        return true;
    }
}
