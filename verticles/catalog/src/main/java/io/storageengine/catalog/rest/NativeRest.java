package io.storageengine.catalog.rest;

import io.storageengine.catalog.plan.ScanPlans;
import io.storageengine.catalog.state.TableName;
import io.storageengine.catalog.tables.NativeCatalog;
import io.storageengine.core.Clock;
import io.storageengine.core.message.CatalogReply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The Iceberg REST API of one native catalog. Failures are thrown as
/// [io.storageengine.core.FailureException].
///
/// Dropping a table forgets it and leaves its files; with `purgeRequested=true` they are deleted behind the
/// answer.
public final class NativeRest {
    private final NamespaceCalls namespaces;
    private final TableCalls tables;
    private final TableServiceCalls services;
    private final FunctionCalls functions;
    private final ViewCalls views;
    private final PlanCalls plans;
    private final HistoryCalls history;

    /// @param tableConfig what a loaded table's `config` says
    public NativeRest(
            NativeCatalog catalog,
            Map<String, String> tableConfig,
            TableReports reports,
            ScanPlans plans,
            PackedTables packed,
            Clock clock) {
        Idempotency idempotency = new Idempotency(catalog);
        TableAccess access = new TableAccess(tableConfig);
        this.namespaces = new NamespaceCalls(catalog, idempotency);
        this.tables = new TableCalls(catalog, idempotency, access, packed);
        this.services = new TableServiceCalls(catalog, access, reports, clock);
        this.functions = new FunctionCalls(catalog);
        this.views = new ViewCalls(catalog, idempotency);
        this.plans = new PlanCalls(catalog, plans);
        this.history = new HistoryCalls(catalog, idempotency);
    }

    /// What is beside the Iceberg REST API.
    ///
    /// @param name the segment of the path after `/catalogs/{id}`
    public Optional<CatalogReply> beside(Call call, String name) {
        return history.answer(call, name);
    }

    /// @param segments of the path after `/catalogs/{id}/v1`, decoded
    public CatalogReply answer(Call call, List<String> segments) {
        Optional<Route> found = Route.of(segments);
        if (found.isEmpty()) {
            return Replies.error(
                    404, "NoSuchRouteException", "No route for " + call.method() + " v1/" + String.join("/", segments));
        }
        Route route = found.get();
        if (!route.methods().contains(call.method())) {
            return Replies.methodNotAllowed(call.method(), "v1/" + String.join("/", segments), route.methods());
        }
        String space = segments.size() > 1 ? segments.get(1) : "";
        String name = segments.size() > 3 ? segments.get(3) : "";
        return switch (route) {
            case CONFIG -> config();
            case NAMESPACES -> call.writes() ? namespaces.create(call) : namespaces.list(call);
            case NAMESPACE -> call.writes() ? namespaces.drop(call, space) : namespaces.load(call, space);
            case PROPERTIES -> namespaces.changeProperties(call, space);
            case TABLES -> call.writes() ? tables.create(call, space) : tables.list(call, space);
            case TABLE -> table(call, new TableName(space, name));
            case PLAN -> plans.plan(call, new TableName(space, name));
            case PLANNED -> plans.planned(call, new TableName(space, name), segments.get(5));
            case TASKS -> plans.tasks(call, new TableName(space, name));
            case METRICS -> services.report(call, new TableName(space, name));
            case CREDENTIALS -> services.credentials(new TableName(space, name));
            case SIGN -> services.sign(call, new TableName(space, name));
            case UNREGISTER -> tables.unregister(call, new TableName(space, name));
            case FUNCTIONS -> functions.list(call, space);
            case FUNCTION -> functions.load(space, name);
            case REGISTER -> tables.register(call, space);
            case RENAME -> tables.rename(call);
            case TRANSACTION -> tables.commitAll(call);
            case VIEWS -> call.writes() ? views.create(call, space) : views.list(call, space);
            case VIEW -> view(call, new TableName(space, segments.get(3)));
            case REGISTER_VIEW -> views.register(call, space);
            case RENAME_VIEW -> views.rename(call);
        };
    }

    private static CatalogReply config() {
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("defaults", Map.of());
        config.put("overrides", Map.of());
        config.put("endpoints", Route.endpoints());
        config.put("idempotency-key-lifetime", Idempotency.LIFETIME);
        return Replies.of(config);
    }

    private CatalogReply table(Call call, TableName name) {
        return switch (call.method()) {
            case "HEAD" -> tables.exists(name);
            case "DELETE" -> tables.drop(call, name);
            case "POST" -> tables.commit(call, name);
            default -> tables.load(call, name);
        };
    }

    private CatalogReply view(Call call, TableName name) {
        return switch (call.method()) {
            case "HEAD" -> views.exists(name);
            case "DELETE" -> views.drop(call, name);
            case "POST" -> views.commit(call, name);
            default -> views.load(name);
        };
    }
}
