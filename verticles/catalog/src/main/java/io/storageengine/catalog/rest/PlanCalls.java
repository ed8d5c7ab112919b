package io.storageengine.catalog.rest;

import io.storageengine.catalog.iceberg.IcebergJson;
import io.storageengine.catalog.plan.ScanPlans;
import io.storageengine.catalog.state.TableName;
import io.storageengine.catalog.tables.NativeCatalog;
import io.storageengine.core.message.CatalogReply;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.rest.requests.FetchScanTasksRequest;
import org.apache.iceberg.rest.requests.PlanTableScanRequest;

/// The operations of scan planning: plan, fetch and cancel a plan, fetch the files of a plan task. They change
/// nothing, so that a failure is never an unknown state.
final class PlanCalls {
    private final NativeCatalog catalog;
    private final ScanPlans plans;

    PlanCalls(NativeCatalog catalog, ScanPlans plans) {
        this.catalog = catalog;
        this.plans = plans;
    }

    CatalogReply plan(Call call, TableName name) {
        TableMetadata table = metadata(name);
        return Replies.of(plans.plan(table, IcebergJson.read(call.body(), PlanTableScanRequest.class)));
    }

    CatalogReply planned(Call call, TableName name, String planId) {
        if (!call.writes()) return Replies.of(plans.fetch(metadata(name), planId));
        plans.cancel(metadata(name), planId);
        return Replies.noContent();
    }

    CatalogReply tasks(Call call, TableName name) {
        TableMetadata table = metadata(name);
        var request = IcebergJson.read(call.body(), FetchScanTasksRequest.class);
        return Replies.of(plans.tasks(table, request.planTask()));
    }

    private TableMetadata metadata(TableName name) {
        return catalog.tables().load(name).stored().metadata();
    }
}
