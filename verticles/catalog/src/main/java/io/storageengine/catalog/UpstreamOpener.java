package io.storageengine.catalog;

import io.storageengine.catalog.channels.ChannelHolds;
import io.storageengine.catalog.log.CatalogLog;
import io.storageengine.catalog.registry.CatalogConfig;
import io.storageengine.catalog.upstream.Proxy;
import io.storageengine.catalog.upstream.Upstream;
import io.storageengine.catalog.upstream.UpstreamCatalog;
import io.storageengine.catalog.upstream.UpstreamClaims;
import io.storageengine.catalog.upstream.UpstreamHttp;
import io.storageengine.core.Clock;
import io.storageengine.core.store.ObjectStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Opens catalogs elsewhere. Their claims are held once per id and process, whatever registration it has.
final class UpstreamOpener {
    private final ObjectStore clusterStore;
    private final CatalogLogs logs;
    private final UpstreamHttp http;
    private final Clock clock;
    private final Map<String, CatalogLog> claims = new ConcurrentHashMap<>();

    UpstreamOpener(ObjectStore clusterStore, CatalogLogs logs, UpstreamHttp http, Clock clock) {
        this.clusterStore = clusterStore;
        this.logs = logs;
        this.http = http;
        this.clock = clock;
    }

    Hosted open(String id, CatalogConfig.Rest config) {
        CatalogLog log = claims.computeIfAbsent(id, of -> logs.hold(clusterStore, "claims/" + of + "/"));
        Upstream upstream = new Upstream(http, config, clock);
        return new HostedUpstream(
                new Proxy(upstream),
                new UpstreamCatalog(upstream, new UpstreamClaims(log, clock), new ChannelHolds(log, true)));
    }
}
