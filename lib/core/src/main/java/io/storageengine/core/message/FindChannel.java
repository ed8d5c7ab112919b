package io.storageengine.core.message;

/// Who holds a channel. `NOT_FOUND` (`NoSuchTableException`) when the table of that uuid is gone.
///
/// @param table the table, for its catalog
/// @param tableUuid the table that the channel belongs to
/// @param channel its name
public record FindChannel(TableRef table, String tableUuid, String channel) implements Question<FoundChannel> {
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
