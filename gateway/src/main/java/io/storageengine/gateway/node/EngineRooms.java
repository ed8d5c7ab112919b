package io.storageengine.gateway.node;

import io.storageengine.catalog.CatalogOptions;
import io.storageengine.catalog.CatalogService;
import io.storageengine.catalog.CatalogVerticle;
import io.storageengine.catalog.secrets.EncryptedSecrets;
import io.storageengine.catalog.secrets.SecretStore;
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
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/// The rooms of the engine: catalog, commit, ingest.
final class EngineRooms implements Rooms {
    private static final String REGION = "us-east-1";

    @Override
    public List<VerticleBase> verticles(RoomPorts ports) {
        return List.of(catalog(ports), commit(ports), ingest(ports));
    }

    private static VerticleBase catalog(RoomPorts ports) {
        String writer = ports.settings().nodeName() + "-" + ports.ids().uuid();
        CatalogOptions options = switch (ports.settings().storage()) {
            case Settings.LocalStorage local -> CatalogOptions.dev(writer, tableConfig(ports));
            case Settings.S3Storage s3 -> CatalogOptions.serve(writer, tableConfig(ports));
        };
        SecretStore secrets =
                new EncryptedSecrets(ports.cluster(), ports.secretsKey().bytes(), ports.random());
        return new CatalogVerticle(
                new CatalogService(ports.cluster(), ports.buckets(), secrets, options, ports.clock(), ports.random()));
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

    private static VerticleBase ingest(RoomPorts ports) {
        int cores = Runtime.getRuntime().availableProcessors();
        Settings settings = ports.settings();
        IngestOptions options = IngestOptions.of(
                        settings.nodeName(), settings.ingest().memoryBytesMax(), cores)
                .with(sessions(settings.ingest()));
        ThreadFactory threads = Thread.ofPlatform().daemon().name("encode-", 0).factory();
        IngestService service = new IngestService(
                ports.cluster(),
                ports.ask(),
                new TableFiles(ports.buckets()),
                Executors.newFixedThreadPool(cores, threads),
                ports.clock(),
                ports.random(),
                options);
        return new IngestVerticle(service, settings.server().stopMillis());
    }

    private static SessionOptions sessions(Settings.Ingest settings) {
        SessionOptions usual = SessionOptions.DEFAULT;
        return new SessionOptions(
                settings.atomicBytesMax(),
                Math.toIntExact(settings.inlineBytesMax()),
                Math.max(usual.bufferBytesMax(), settings.inlineBytesMax()),
                usual.sessionsMax(),
                usual.idleMillis(),
                usual.roomMillis(),
                usual.logMillis(),
                usual.commitMillis(),
                new Pace(settings.commitIntervalMillis(), settings.commitBytes()),
                usual.limits());
    }
}
