package io.storageengine.core.message;

/// Loads the current state of a table. `NOT_FOUND` with code `NoSuchTableException` or
/// `NoSuchNamespaceException`; `NOT_FOUND` with code `NoSuchCatalogException`.
public record LoadTable(TableRef table) implements Question<LoadedTable> {
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
        return false;
    }
}
