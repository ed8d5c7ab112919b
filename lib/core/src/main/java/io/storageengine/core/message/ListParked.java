package io.storageengine.core.message;

/// Rows of a catalog that no table could take.
///
/// @param catalog the catalog's id
/// @param after continues after the page that ended with this [ParkedRows#next]; empty for the first
/// @param max rows' entries at most, from 1
public record ListParked(String catalog, String after, int max) implements Question<ParkedRows> {
    @Override
    public Room room() {
        return Room.INGEST;
    }

    @Override
    public boolean writes() {
        return false;
    }
}
