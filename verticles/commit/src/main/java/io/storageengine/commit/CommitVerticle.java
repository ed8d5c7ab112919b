package io.storageengine.commit;

import io.storageengine.bus.RoomServer;
import io.storageengine.core.message.Question;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import org.jspecify.annotations.Nullable;

/// Connects the commit room to the event bus.
public final class CommitVerticle extends VerticleBase {
    private final CommitService service;
    private @Nullable RoomServer server;

    public CommitVerticle(CommitService service) {
        this.service = service;
    }

    @Override
    public Future<?> start() {
        RoomServer serving = RoomServer.serve(vertx, Question.Room.COMMIT, service::answer);
        server = serving;
        return serving.ready();
    }

    @Override
    public Future<?> stop() {
        RoomServer serving = server;
        return serving == null ? Future.succeededFuture() : serving.stop();
    }
}
