package io.storageengine.core.message;

/// The request's body will not be completed: nothing of an atomic request becomes visible.
public record AbortRows(String session, String catalog) implements Question<AbortedRows> {
    @Override
    public Room room() {
        return Room.INGEST;
    }

    @Override
    public boolean writes() {
        return true;
    }
}
