package io.storageengine.gateway.node;

import io.vertx.core.VerticleBase;
import java.util.List;

/// The rooms of the engine: catalog, commit, ingest.
final class EngineRooms implements Rooms {
    @Override
    public List<VerticleBase> verticles(RoomPorts ports) {
        return List.of();
    }
}
