package io.storageengine.gateway;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.storageengine.bus.BusAsk;
import io.storageengine.bus.RoomServer;
import io.storageengine.core.AllowedHere;
import io.storageengine.core.Clock;
import io.storageengine.core.Ids;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.Answer;
import io.storageengine.core.message.Question;
import io.storageengine.core.store.Buckets;
import io.storageengine.gateway.auth.Access;
import io.storageengine.gateway.auth.AccessKey;
import io.storageengine.gateway.auth.SigV4;
import io.storageengine.gateway.auth.TokenCache;
import io.storageengine.gateway.auth.TokenStore;
import io.storageengine.gateway.auth.TokensFront;
import io.storageengine.gateway.door.Admission;
import io.storageengine.gateway.door.Door;
import io.storageengine.gateway.door.DoorVerticle;
import io.storageengine.gateway.door.Fronts;
import io.storageengine.gateway.iceberg.CatalogFront;
import io.storageengine.gateway.iceberg.EventsFront;
import io.storageengine.gateway.ingest.ChannelsFront;
import io.storageengine.gateway.ingest.CommittedFront;
import io.storageengine.gateway.ingest.ParkedFront;
import io.storageengine.gateway.ingest.RowsFront;
import io.storageengine.gateway.ops.OpsFront;
import io.storageengine.gateway.s3.Hidden;
import io.storageengine.gateway.s3.S3Front;
import io.storageengine.store.memory.MemoryBuckets;
import io.vertx.core.Vertx;
import io.vertx.ext.healthchecks.HealthChecks;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.function.Function;

/// The door with its fronts over storage in memory, and rooms that a test makes up.
public final class TestServer implements AutoCloseable {
    public static final AccessKey KEY = new AccessKey("SETESTKEY", "test-secret");
    public static final int BODY_BYTES_MAX = 1 << 20;

    private final Vertx vertx = Vertx.vertx();
    private final Admission admission;
    private final Buckets buckets;
    private final TokenStore tokens;
    private final DoorVerticle verticle;

    public TestServer() throws Exception {
        this("", Hidden.NOTHING, 1_000);
    }

    public TestServer(String token, Hidden hidden, int requestsMax) throws Exception {
        Clock clock = new WallClock();
        SecureRandom random = new SecureRandom();
        admission = new Admission(requestsMax);
        admission.open();
        buckets = new MemoryBuckets(clock, new Ids(random));
        BusAsk ask = new BusAsk(vertx);
        Buckets own = new MemoryBuckets(clock, new Ids(random));
        own.create("own").orThrow();
        tokens = new TokenStore(own.bucket("own"), clock, random);
        TokenCache cache = new TokenCache(tokens::find, clock);
        Access access = new Access(!token.isEmpty(), token, cache, clock);
        SigV4 signatures = new SigV4(id -> id.equals(KEY.id()) ? Optional.of(KEY) : Optional.empty());
        Fronts fronts = new Fronts(
                new OpsFront(HealthChecks.create(vertx), new PrometheusMeterRegistry(PrometheusConfig.DEFAULT)),
                new CatalogFront(ask, access, BODY_BYTES_MAX),
                new EventsFront(ask, access, clock, admission::isServing),
                new RowsFront(ask, access),
                new ChannelsFront(ask, access),
                new CommittedFront(ask, access),
                new ParkedFront(ask, access),
                new TokensFront(access, tokens, cache),
                new S3Front(buckets, hidden, signatures, clock));
        verticle = new DoorVerticle("127.0.0.1", 0, new Door(fronts, admission, clock, random));
        vertx.deployVerticle(verticle).toCompletionStage().toCompletableFuture().get();
    }

    /// Lets a made-up room answer.
    public TestServer room(Question.Room room, Function<Question<?>, Outcome<? extends Answer>> service)
            throws Exception {
        RoomServer.serve(vertx, room, service)
                .ready()
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        return this;
    }

    public Vertx vertx() {
        return vertx;
    }

    public Admission admission() {
        return admission;
    }

    public Buckets buckets() {
        return buckets;
    }

    /// The tokens that are known here, when one was given to begin with.
    public TokenStore tokens() {
        return tokens;
    }

    public int port() {
        return verticle.port();
    }

    public String uri(String target) {
        return "http://127.0.0.1:" + port() + target;
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @AllowedHere(why = "signatures are checked against the time of the client, which is the machine's")
    private static final class WallClock implements Clock {
        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleep(long millis) throws InterruptedException {
            Thread.sleep(millis);
        }
    }
}
