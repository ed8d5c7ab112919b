package io.storageengine.catalog.rest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The paths of the Iceberg REST API that a native catalog serves, below `/catalogs/{id}/v1`, and their
/// methods.
enum Route {
    CONFIG("config", "GET"),
    NAMESPACES("namespaces", "GET POST"),
    NAMESPACE("namespaces/{namespace}", "GET HEAD DELETE"),
    PROPERTIES("namespaces/{namespace}/properties", "POST"),
    VIEWS("namespaces/{namespace}/views", "GET POST"),
    VIEW("namespaces/{namespace}/views/{view}", "GET HEAD POST DELETE"),
    REGISTER_VIEW("namespaces/{namespace}/register-view", "POST"),
    RENAME_VIEW("views/rename", "POST"),
    TABLES("namespaces/{namespace}/tables", "GET POST"),
    TABLE("namespaces/{namespace}/tables/{table}", "GET HEAD POST DELETE"),
    PLAN("namespaces/{namespace}/tables/{table}/plan", "POST"),
    PLANNED("namespaces/{namespace}/tables/{table}/plan/{plan-id}", "GET DELETE"),
    TASKS("namespaces/{namespace}/tables/{table}/tasks", "POST"),
    METRICS("namespaces/{namespace}/tables/{table}/metrics", "POST"),
    CREDENTIALS("namespaces/{namespace}/tables/{table}/credentials", "GET"),
    SIGN("namespaces/{namespace}/tables/{table}/sign", "POST"),
    UNREGISTER("namespaces/{namespace}/tables/{table}/unregister", "POST"),
    FUNCTIONS("namespaces/{namespace}/functions", "GET"),
    FUNCTION("namespaces/{namespace}/functions/{function}", "GET"),
    REGISTER("namespaces/{namespace}/register", "POST"),
    RENAME("tables/rename", "POST"),
    TRANSACTION("transactions/commit", "POST");

    private final String pattern;
    private final String methods;

    Route(String pattern, String methods) {
        this.pattern = pattern;
        this.methods = methods;
    }

    List<String> methods() {
        return List.of(methods.split(" ", -1));
    }

    /// The route of these segments.
    static Optional<Route> of(List<String> segments) {
        return Arrays.stream(values()).filter(route -> route.matches(segments)).findFirst();
    }

    private boolean matches(List<String> segments) {
        String[] parts = pattern.split("/", -1);
        if (segments.size() != parts.length) return false;
        for (int i = 0; i < parts.length; i++) {
            if (!parts[i].startsWith("{") && !parts[i].equals(segments.get(i))) return false;
        }
        return true;
    }

    /// What `/v1/config` advertises: `GET /v1/{prefix}/namespaces` and so on.
    static List<String> endpoints() {
        List<String> endpoints = new ArrayList<>();
        for (Route route : values()) {
            if (route == CONFIG) continue;
            route.methods().forEach(method -> endpoints.add(method + " /v1/{prefix}/" + route.pattern));
        }
        return endpoints;
    }
}
