package io.storageengine.ingest;

import io.storageengine.bus.RoomServer;
import io.storageengine.core.message.Question;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// Connects the ingest room to the event bus.
public final class IngestVerticle extends VerticleBase {
    private final IngestService service;
    private final long graceMillis;
    private @Nullable RoomServer server;

    /// @param graceMillis how long a stop may take to commit what was accepted
    public IngestVerticle(IngestService service, long graceMillis) {
        this.service = service;
        this.graceMillis = graceMillis;
    }

    @Override
    public Future<?> start() {
        service.start();
        RoomServer serving = RoomServer.serve(vertx, Question.Room.INGEST, service::answer);
        server = serving;
        return serving.ready();
    }

    /// Requests under way may still send and end; then nothing is answered any more.
    @Override
    public Future<?> stop() {
        Callable<Boolean> stopping = () -> {
            service.stop(graceMillis);
            return true;
        };
        RoomServer serving = server;
        return vertx.executeBlocking(stopping, false)
                .eventually(() -> serving == null ? Future.succeededFuture() : serving.stop());
    }
}
