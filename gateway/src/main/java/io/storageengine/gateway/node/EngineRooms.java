package io.storageengine.gateway.node;

import io.storageengine.catalog.CatalogOptions;
import io.storageengine.catalog.CatalogService;
import io.storageengine.catalog.CatalogVerticle;
import io.storageengine.catalog.registry.ClusterPlace;
import io.storageengine.catalog.secrets.EncryptedSecrets;
import io.storageengine.catalog.secrets.SecretStore;
import io.storageengine.catalog.threads.Threads;
import io.storageengine.commit.CommitOptions;
import io.storageengine.commit.CommitService;
import io.storageengine.commit.CommitVerticle;
import io.storageengine.iceberg.TableFiles;
import io.storageengine.ingest.IngestOptions;
import io.storageengine.ingest.IngestService;
import io.storageengine.ingest.IngestVerticle;
import io.storageengine.ingest.session.SessionOptions;
import io.storageengine.ingest.table.Pace;
import io.vertx.core.VerticleBase;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// The rooms of the engine: catalog, commit, ingest.
final class EngineRooms implements Rooms {
    private static final String REGION = "us-east-1";

    @Override
    public List<VerticleBase> verticles(RoomPorts ports) {
        return List.of(catalog(ports), commit(ports), ingest(ports));
    }

    private static VerticleBase catalog(RoomPorts ports) {
        String writer = ports.settings().nodeName() + "-" + ports.ids().uuid();
        CatalogOptions standard = switch (ports.settings().storage()) {
            case Settings.LocalStorage local -> CatalogOptions.dev(writer, tableConfig(ports));
            case Settings.S3Storage s3 ->
                CatalogOptions.serve(writer, tableConfig(ports)).with(new ClusterPlace(s3.bucket(), s3.prefix()));
        };
        CatalogOptions options =
                standard.replacingForeignLocations(ports.settings().catalog().replacesForeignLocations());
        SecretStore secrets =
                new EncryptedSecrets(ports.cluster(), ports.secretsKey().bytes(), ports.random());
        return new CatalogVerticle(new CatalogService(
                ports.cluster(),
                ports.buckets(),
                secrets,
                options,
                ports.meters(),
                ports.clock(),
                Threads.VIRTUAL,
                ports.random()));
    }

    private static VerticleBase ingest(RoomPorts ports) {
        Settings.Ingest settings = ports.settings().ingest();
        int cores = Runtime.getRuntime().availableProcessors();
        SessionOptions standard = SessionOptions.DEFAULT;
        SessionOptions sessions = new SessionOptions(
                settings.atomicBytesMax(),
                settings.inlineBytesMax(),
                standard.bufferBytesMax(),
                standard.sessionsMax(),
                standard.idleMillis(),
                standard.roomMillis(),
                standard.logMillis(),
                standard.commitMillis(),
                new Pace(settings.commitIntervalMillis(), settings.commitBytes()),
                standard.limits());
        IngestOptions options = IngestOptions.of(ports.settings().nodeName(), settings.memoryBytesMax(), cores)
                .with(sessions);
        IngestService service = new IngestService(
                ports.cluster(),
                ports.ask(),
                new TableFiles(ports.buckets()),
                encoders(cores),
                ports.clock(),
                ports.random(),
                options);
        return new IngestVerticle(service, ports.settings().server().stopMillis() / 2);
    }

    /// The bounded pool for encoding: one thread a core, gone with the process.
    private static ExecutorService encoders(int cores) {
        return Executors.newFixedThreadPool(
                cores, Thread.ofPlatform().daemon().name("encode-", 0).factory());
    }

    /// What engines need for the tables' files: this node's own S3 API.
    static Map<String, String> tableConfig(RoomPorts ports) {
        return Map.of(
                "s3.endpoint",
                ports.url(),
                "s3.path-style-access",
                "true",
                "s3.access-key-id",
                ports.accessKey().id(),
                "s3.secret-access-key",
                ports.accessKey().secret(),
                "s3.region",
                REGION,
                "client.region",
                REGION);
    }

    private static VerticleBase commit(RoomPorts ports) {
        TableFiles files = new TableFiles(ports.buckets());
        return new CommitVerticle(
                new CommitService(ports.ask(), files, ports.clock(), ports.random(), CommitOptions.DEFAULT));
    }
}
