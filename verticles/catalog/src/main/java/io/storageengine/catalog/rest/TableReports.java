package io.storageengine.catalog.rest;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.iceberg.metrics.CommitReport;
import org.apache.iceberg.metrics.CounterResult;
import org.apache.iceberg.metrics.ScanReport;
import org.apache.iceberg.metrics.TimerResult;
import org.apache.iceberg.rest.requests.ReportMetricsRequest;
import org.jspecify.annotations.Nullable;

/// What engines report of their scans and commits, as meters of the process:
///
/// - `se.client.reports` (catalog, kind): how many
/// - `se.client.scan.planning` (catalog): how long a scan was planned; `se.client.scan.files`,
///   `se.client.scan.bytes`: what it is to read
/// - `se.client.commit.duration` (catalog, operation): how long a commit took with all its attempts;
///   `se.client.commit.attempts`, `se.client.commit.records`
///
/// Tables are no tag: there may be any number. Of the catalogs the first [#CATALOGS_MAX] have their names, all
/// others are `other`.
public final class TableReports {
    private static final int CATALOGS_MAX = 100;
    private static final String OTHER = "other";
    private static final Set<String> OPERATIONS = Set.of("append", "overwrite", "delete", "replace");

    private final MeterRegistry meters;
    private final Set<String> catalogs = ConcurrentHashMap.newKeySet();

    public TableReports(MeterRegistry meters) {
        this.meters = meters;
    }

    void add(String catalog, ReportMetricsRequest request) {
        String tag = tag(catalog);
        switch (request.report()) {
            case ScanReport scan -> scan(tag, scan);
            case CommitReport commit -> commit(tag, commit);
            default -> count(tag, "unknown");
        }
    }

    private String tag(String catalog) {
        if (catalogs.contains(catalog)) return catalog;
        if (catalogs.size() >= CATALOGS_MAX) return OTHER;
        catalogs.add(catalog);
        return catalog;
    }

    private void count(String catalog, String kind) {
        Counter.builder("se.client.reports")
                .tag("catalog", catalog)
                .tag("kind", kind)
                .register(meters)
                .increment();
    }

    private void scan(String catalog, ScanReport scan) {
        count(catalog, "scan");
        var metrics = scan.scanMetrics();
        time("se.client.scan.planning", catalog, "", metrics.totalPlanningDuration());
        add("se.client.scan.files", catalog, metrics.resultDataFiles());
        add("se.client.scan.bytes", catalog, metrics.totalFileSizeInBytes());
    }

    private void commit(String catalog, CommitReport commit) {
        count(catalog, "commit");
        var metrics = commit.commitMetrics();
        String operation = OPERATIONS.contains(commit.operation()) ? commit.operation() : OTHER;
        time("se.client.commit.duration", catalog, operation, metrics.totalDuration());
        add("se.client.commit.attempts", catalog, metrics.attempts());
        add("se.client.commit.records", catalog, metrics.addedRecords());
    }

    private void time(String name, String catalog, String operation, @Nullable TimerResult result) {
        if (result == null || result.totalDuration().isNegative()) return;
        Timer.Builder timer = Timer.builder(name).tag("catalog", catalog);
        if (!operation.isEmpty()) timer = timer.tag("operation", operation);
        timer.register(meters).record(result.totalDuration());
    }

    private void add(String name, String catalog, @Nullable CounterResult result) {
        if (result == null || result.value() < 0) return;
        Counter.builder(name).tag("catalog", catalog).register(meters).increment((double) result.value());
    }
}
