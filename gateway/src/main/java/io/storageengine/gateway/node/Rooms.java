package io.storageengine.gateway.node;

import io.vertx.core.VerticleBase;
import java.util.List;

/// Makes the rooms' verticles, in the order in which they start; they stop in the reverse order.
interface Rooms {
    List<VerticleBase> verticles(RoomPorts ports);
}
