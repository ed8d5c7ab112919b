package io.storageengine.core.message;

/// The request's body is complete; answered as its `ack` asks. When the answer is lost, its rows may or may
/// not be in.
public record EndRows(String session, String catalog) implements Question<EndedRows> {
    @Override
    public Room room() {
        return Room.INGEST;
    }

    @Override
    public boolean writes() {
        return true;
    }
}
