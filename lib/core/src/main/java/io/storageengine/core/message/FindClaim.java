package io.storageengine.core.message;

/// Whether a key was claimed by a committed request.
///
/// @param table the table, for its catalog
/// @param tableUuid the table's uuid
/// @param key the `Idempotency-Key`
public record FindClaim(TableRef table, String tableUuid, String key) implements Question<FoundClaim> {
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
