package io.storageengine.catalog.rest;

import io.storageengine.catalog.iceberg.IcebergJson;
import io.storageengine.catalog.iceberg.Location;
import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.catalog.state.TableName;
import io.storageengine.catalog.tables.NativeCatalog;
import io.storageengine.catalog.tables.NativeTables;
import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.message.CatalogReply;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.rest.requests.RemoteSignRequest;
import org.apache.iceberg.rest.requests.ReportMetricsRequest;

/// What is served beside a table's metadata: credentials and signatures for its files, reports about it.
final class TableServiceCalls {
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "PUT", "POST", "DELETE");

    private final NativeTables tables;
    private final TableAccess access;
    private final TableReports reports;
    private final Clock clock;

    TableServiceCalls(NativeCatalog catalog, TableAccess access, TableReports reports, Clock clock) {
        this.tables = catalog.tables();
        this.access = access;
        this.reports = reports;
        this.clock = clock;
    }

    /// The keys of this node's S3 API, as a load's `config` has them.
    CatalogReply credentials(TableName name) {
        String location = tables.load(name).stored().metadata().location();
        Map<String, Object> credential = new LinkedHashMap<>();
        credential.put("prefix", location);
        credential.put("config", access.credentials());
        return Replies.of(Map.of("storage-credentials", access.hasKeys() ? List.of(credential) : List.of()));
    }

    /// Signs an S3 request for a file of the table.
    CatalogReply sign(Call call, TableName name) {
        RemoteSignRequest request = IcebergJson.read(call.body(), RemoteSignRequest.class);
        if (!METHODS.contains(request.method())) throw Refusals.bad("Invalid method: " + request.method());
        if (!request.region().matches("[a-z0-9-]{1,64}")) throw Refusals.bad("Invalid region: " + request.region());
        if (!access.hasKeys()) {
            throw new FailureException(
                    new Failure(Failure.Kind.FORBIDDEN, "ForbiddenException", "This server has no key to sign with"));
        }
        Location location = tables.placeFor(name, SignRule.objects(request));
        Refusals.of(() -> {
            new SignRule(URI.create(access.setting("s3.endpoint")), location).check(request);
            return request;
        });
        S3Signature key = new S3Signature(access.setting(TableAccess.KEY_ID), access.setting(TableAccess.SECRET));
        Map<String, Object> response = new LinkedHashMap<>();
        response.put("uri", request.uri().toString());
        response.put("headers", key.sign(request, clock.wallMillis()));
        return Replies.of(response);
    }

    /// Counts what an engine tells of a scan or a commit.
    CatalogReply report(Call call, TableName name) {
        tables.checkKnown(name);
        reports.add(call.path().getFirst(), IcebergJson.read(call.body(), ReportMetricsRequest.class));
        return Replies.noContent();
    }
}
