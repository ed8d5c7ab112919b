package io.storageengine.gateway.node;

import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.ListPage;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.gateway.door.Admission;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.ext.healthchecks.HealthChecks;
import io.vertx.ext.healthchecks.Status;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;

/// Vert.x as this node uses it.
final class NodeVertx {
    private static final long READY_MILLIS = 5_000;

    private NodeVertx() {}

    static Vertx create(PrometheusMeterRegistry metrics) {
        new JvmMemoryMetrics().bindTo(metrics);
        new JvmThreadMetrics().bindTo(metrics);
        new ProcessorMetrics().bindTo(metrics);
        new UptimeMetrics().bindTo(metrics);
        bindGc(metrics);
        VertxOptions options = new VertxOptions()
                .setPreferNativeTransport(true)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false))
                .setMetricsOptions(new MicrometerMetricsOptions().setEnabled(true));
        return Vertx.builder()
                .with(options)
                .withMetrics(new MicrometerMetricsFactory(metrics))
                .build();
    }

    /// Lives as long as the process.
    @SuppressWarnings("resource")
    private static void bindGc(PrometheusMeterRegistry metrics) {
        new JvmGcMetrics().bindTo(metrics);
    }

    /// Ready means: the node lets requests in, and the object store answers.
    static HealthChecks readiness(Vertx vertx, ObjectStore cluster, Admission admission) {
        HealthChecks checks = HealthChecks.create(vertx);
        return checks.register(
                "object-store",
                READY_MILLIS,
                promise -> Thread.ofVirtual()
                        .name("ready")
                        .start(() -> promise.tryComplete(
                                admission.isServing() && reaches(cluster) ? Status.OK() : Status.KO())));
    }

    private static boolean reaches(ObjectStore cluster) {
        Outcome<ListPage> page = cluster.list(new ListRequest("keys/", "", "", 1));
        return page.isOk() || page.failedWith(Failure.Kind.NOT_FOUND);
    }
}
