package io.storageengine.catalog;

import io.storageengine.bus.RoomServer;
import io.storageengine.core.message.Question;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import org.jspecify.annotations.Nullable;

/// Connects the catalog room to the event bus.
public final class CatalogVerticle extends VerticleBase {
    private final CatalogService service;
    private @Nullable RoomServer server;

    public CatalogVerticle(CatalogService service) {
        this.service = service;
    }

    @Override
    public Future<?> start() {
        RoomServer serving = RoomServer.serve(vertx, Question.Room.CATALOG, service::answer);
        server = serving;
        return serving.ready();
    }

    @Override
    public Future<?> stop() {
        RoomServer serving = server;
        return serving == null ? Future.succeededFuture() : serving.stop();
    }
}
