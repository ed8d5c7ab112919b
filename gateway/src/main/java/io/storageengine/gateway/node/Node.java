package io.storageengine.gateway.node;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.storageengine.bus.BusAsk;
import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.Ids;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.gateway.auth.Access;
import io.storageengine.gateway.auth.AccessKey;
import io.storageengine.gateway.auth.AccessKeyFile;
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
import io.storageengine.gateway.s3.S3Front;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One running node: storage, the port and the rooms behind it.
final class Node {
    private static final Logger LOG = LoggerFactory.getLogger(Node.class);
    private static final long ASK_MILLIS = 30_000;
    private static final int LOOPS_MAX = 16;
    private static final long STOP_STEP_MILLIS = 5_000;

    private final Settings settings;
    private final Clock clock;
    private final OpenStorage storage;
    private final Vertx vertx;
    private final AccessKey accessKey;
    private final Admission admission;
    private final List<String> roomIds = new ArrayList<>();
    private final List<String> doorIds = new ArrayList<>();
    private int port;

    private Node(Settings settings, Clock clock, OpenStorage storage, Vertx vertx, AccessKey accessKey) {
        this.settings = settings;
        this.clock = clock;
        this.storage = storage;
        this.vertx = vertx;
        this.accessKey = accessKey;
        this.admission = new Admission(settings.server().requestsMax());
    }

    /// Starts a node; when this returns it serves.
    ///
    /// @param random fit for secrets, thread-safe
    /// @throws StartRefused when it cannot; nothing is left running
    static Node start(Settings settings, Rooms rooms, Clock clock, RandomGenerator random) {
        OpenStorage storage = OpenStorage.open(settings.storage(), clock, random);
        Vertx vertx = null;
        try {
            SecretsKey secretsKey = SecretsKey.load(settings, random);
            AccessKey accessKey =
                    accessKey(new AccessKeyFile(storage.cluster(), secretsKey.bytes(), random).loadOrMake());
            PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            vertx = NodeVertx.create(metrics);
            Node node = new Node(settings, clock, storage, vertx, accessKey);
            node.listen(metrics, random);
            node.startRooms(rooms, secretsKey, metrics, random);
            if (settings.mode() == Mode.DEV) node.makeDevCatalog();
            node.admission.open();
            return node;
        } catch (RuntimeException e) {
            if (vertx != null) Waiting.quietly(vertx.close(), STOP_STEP_MILLIS);
            storage.close();
            throw e;
        }
    }

    private static AccessKey accessKey(Outcome<AccessKey> loaded) {
        return switch (loaded) {
            case Outcome.Ok<AccessKey>(AccessKey key) -> key;
            case Outcome.Failed<AccessKey>(Failure failure) ->
                throw new StartRefused("The cluster storage cannot be used: " + failure.message());
        };
    }

    private void startRooms(Rooms rooms, SecretsKey secretsKey, MeterRegistry meters, RandomGenerator random) {
        RoomPorts ports = new RoomPorts(
                settings,
                storage.buckets(),
                storage.cluster(),
                secretsKey,
                accessKey,
                new BusAsk(vertx),
                meters,
                clock,
                random,
                new Ids(random),
                settings.server().url(port));
        for (VerticleBase verticle : rooms.verticles(ports)) {
            roomIds.add(Waiting.orRefuse(vertx.deployVerticle(verticle), "a room does not start"));
        }
    }

    private void makeDevCatalog() {
        ByteBuffer body = ByteBuffer.wrap(
                "{\"catalog_id\":\"dev\",\"config\":{\"type\":\"native\"}}".getBytes(StandardCharsets.UTF_8));
        CallCatalog call = new CallCatalog("POST", "/catalogs", "", Map.of("content-type", "application/json"), body);
        Outcome<CatalogReply> reply = new BusAsk(vertx).ask(call, ASK_MILLIS);
        int status = reply.map(CatalogReply::status).isOk() ? reply.orThrow().status() : 0;
        if (status == 201 || status == 409) return;
        String why = reply.map(answer ->
                        StandardCharsets.UTF_8.decode(answer.body().duplicate()).toString())
                .toString();
        throw new StartRefused("The catalog 'dev' cannot be made: " + why);
    }

    /// Listens before the rooms are ready: a port in use stops the start early, and who comes early is told so.
    private void listen(PrometheusMeterRegistry metrics, RandomGenerator random) {
        Gauge.builder("se.requests.inside", admission, Admission::inside).register(metrics);
        Door door = new Door(fronts(metrics, random), admission, clock, random);
        for (int i = 0; i < loops(); i++) {
            DoorVerticle verticle =
                    new DoorVerticle(settings.server().host(), settings.server().port(), door);
            doorIds.add(Waiting.orRefuse(vertx.deployVerticle(verticle), cannotListen()));
            port = verticle.port();
        }
    }

    private Fronts fronts(PrometheusMeterRegistry metrics, RandomGenerator random) {
        BusAsk ask = new BusAsk(vertx);
        TokenStore tokens = new TokenStore(storage.cluster(), clock, random);
        TokenCache cache = new TokenCache(tokens::find, clock);
        Access access = new Access(settings.auth().asks(), settings.auth().token(), cache, clock);
        SigV4 signatures = new SigV4(id -> id.equals(accessKey.id()) ? Optional.of(accessKey) : Optional.empty());
        return new Fronts(
                new OpsFront(NodeVertx.readiness(vertx, storage.cluster(), admission), metrics),
                new CatalogFront(ask, access, settings.server().restBodyBytesMax()),
                new EventsFront(ask, access, clock, admission::isServing),
                new RowsFront(ask, access),
                new ChannelsFront(ask, access),
                new CommittedFront(ask, access),
                new ParkedFront(ask, access),
                new TokensFront(access, tokens, cache),
                new S3Front(storage.buckets(), storage.hidden(), signatures, clock));
    }

    /// Several loops share a port that is named; any free one is for tests and is one loop's.
    private int loops() {
        int cores = Runtime.getRuntime().availableProcessors();
        return settings.server().port() == 0 ? 1 : Math.clamp(cores, 1, LOOPS_MAX);
    }

    private String cannotListen() {
        return "cannot listen on " + settings.server().host() + ":"
                + settings.server().port() + " (is the port in use? --server.address names another)";
    }

    int port() {
        return port;
    }

    AccessKey accessKey() {
        return accessKey;
    }

    /// Lets nobody in any more, finishes what is inside (for a bounded time), flushes and closes. Idempotent
    /// only in that the second call finds nothing to do.
    void stop() {
        LOG.info("stopping: {} requests are finished first", admission.inside());
        admission.close();
        awaitInside();
        for (String id : doorIds) Waiting.quietly(vertx.undeploy(id), STOP_STEP_MILLIS);
        long flushMillis = settings.server().stopMillis() / 2 + STOP_STEP_MILLIS;
        for (String id : roomIds.reversed()) Waiting.quietly(vertx.undeploy(id), flushMillis);
        Waiting.quietly(vertx.close(), STOP_STEP_MILLIS);
        storage.close();
        LOG.info("stopped");
    }

    private void awaitInside() {
        long deadline =
                clock.nanos() + TimeUnit.MILLISECONDS.toNanos(settings.server().stopMillis() / 2);
        try {
            while (admission.inside() > 0 && clock.nanos() < deadline) clock.sleep(10);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
