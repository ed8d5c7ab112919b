package io.storageengine.core.message;

import java.nio.ByteBuffer;

/// The next bytes of a request's body; answered when there is room for more. One at a time per session, in
/// order. A failure ends the session.
///
/// @param session from [BegunRows]
/// @param catalog the catalog's id
/// @param bytes read-only by agreement; the asker never changes them afterwards
public record SendRows(String session, String catalog, ByteBuffer bytes) implements Question<TakenRows> {
    @Override
    public Room room() {
        return Room.INGEST;
    }

    @Override
    public boolean writes() {
        return true;
    }
}
