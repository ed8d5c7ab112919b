package io.storageengine.core.message;

/// Loads the current state of a table. `NOT_FOUND` with code `NoSuchTableException` or
/// `NoSuchNamespaceException`; `NOT_FOUND` with code `NoSuchCatalogException`.
///
/// @param table where the table was last seen
/// @param tableUuid which table it must be, whatever it is called now; empty for the one of that name. A
///     catalog elsewhere knows tables by name only: there the asker compares the uuid
public record LoadTable(TableRef table, String tableUuid) implements Question<LoadedTable> {
    /// The table that has the name now.
    public LoadTable(TableRef table) {
        this(table, "");
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
        return false;
    }
}
