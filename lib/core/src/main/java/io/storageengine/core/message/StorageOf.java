package io.storageengine.core.message;

/// Where and how the files of a table are reached: asked by rooms that write data or metadata files.
///
/// @param catalog the catalog's id
public record StorageOf(String catalog) implements Question<CatalogStorage> {
    @Override
    public Room room() {
        return Room.CATALOG;
    }

    @Override
    public boolean writes() {
        return false;
    }
}
