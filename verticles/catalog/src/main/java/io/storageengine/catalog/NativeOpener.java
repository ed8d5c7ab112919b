package io.storageengine.catalog;

import io.storageengine.catalog.channels.ChannelHolds;
import io.storageengine.catalog.iceberg.MetadataFiles;
import io.storageengine.catalog.iceberg.TablePaths;
import io.storageengine.catalog.iceberg.ViewFiles;
import io.storageengine.catalog.log.CatalogLog;
import io.storageengine.catalog.plan.PlanLimits;
import io.storageengine.catalog.plan.ScanPlans;
import io.storageengine.catalog.rebase.AppendRebase;
import io.storageengine.catalog.registry.CatalogConfig;
import io.storageengine.catalog.rest.NativeRest;
import io.storageengine.catalog.rest.PackedTables;
import io.storageengine.catalog.rest.TableReports;
import io.storageengine.catalog.tables.LocationRule;
import io.storageengine.catalog.tables.NativeCatalog;
import io.storageengine.catalog.tables.NativeTables;
import io.storageengine.catalog.tables.Restores;
import io.storageengine.catalog.tables.Submissions;
import io.storageengine.catalog.tables.TableCommits;
import io.storageengine.catalog.tables.Transactions;
import io.storageengine.catalog.threads.Threads;
import io.storageengine.catalog.views.NativeViews;
import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.Ids;
import io.storageengine.core.store.Buckets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Opens native catalogs: one hold on a log per warehouse and process, whatever ids it is registered under.
final class NativeOpener {
    /// What views may take of memory, as a part of what tables may.
    private static final int VIEWS_PART = 8;

    /// What packed answers may take of memory, as a part of what tables may.
    private static final int PACKED_PART = 8;

    private final Buckets buckets;
    private final CatalogOptions options;
    private final Clock clock;
    private final CatalogLogs logs;
    private final Ids ids;
    private final Threads threads;
    private final MetadataFiles files;
    private final ViewFiles viewFiles;
    private final LocationRule locations;
    private final ScanPlans plans;
    private final PackedTables packed;
    private final TableReports reports;
    private final Map<CatalogConfig.Native, HostedNative> open = new ConcurrentHashMap<>();

    NativeOpener(Buckets buckets, CatalogLogs logs, Ids ids, Threads threads, TableReports reports) {
        this.reports = reports;
        this.buckets = buckets;
        this.options = logs.options();
        this.clock = logs.clock();
        this.logs = logs;
        this.ids = ids;
        this.threads = threads;
        this.files = new MetadataFiles(buckets, ids, threads, options.cacheBytesMax());
        this.viewFiles = new ViewFiles(buckets, ids, options.cacheBytesMax() / VIEWS_PART);
        this.locations = new LocationRule(buckets, options.replacesForeignLocations());
        this.plans = new ScanPlans(buckets, PlanLimits.USUAL);
        this.packed = new PackedTables(options.cacheBytesMax() / PACKED_PART);
    }

    HostedNative open(CatalogConfig.Native config) {
        HostedNative opened = open.get(config);
        if (opened != null) return opened;
        ensureBucket(config.bucket());
        HostedNative fresh = assemble(config);
        HostedNative other = open.putIfAbsent(config, fresh);
        return other == null ? fresh : other;
    }

    private void ensureBucket(String bucket) {
        if (!buckets.head(bucket).failedWith(Failure.Kind.NOT_FOUND)) return;
        var created = buckets.create(bucket);
        if (!created.failedWith(Failure.Kind.EXISTS)) created.orThrow();
    }

    private HostedNative assemble(CatalogConfig.Native config) {
        CatalogLog log = logs.hold(buckets.bucket(config.bucket()), config.prefix() + TablePaths.LOG);
        Submissions submissions = new Submissions(log, files);
        TableCommits commits = new TableCommits(log, files, locations, submissions, new AppendRebase(buckets), clock);
        TablePaths paths = new TablePaths(config.bucket(), config.prefix());
        NativeTables tables =
                new NativeTables(log, files, paths, locations, commits, submissions, buckets, threads, ids);
        Transactions transactions = new Transactions(log, files, tables, commits);
        NativeViews views = new NativeViews(log, viewFiles, paths, locations, submissions, ids);
        Restores restores = new Restores(log, submissions, files, viewFiles);
        NativeCatalog catalog = new NativeCatalog(log, submissions, tables, transactions, views, restores, clock);
        NativeRest rest = new NativeRest(catalog, options.tableConfig(), reports, plans, packed, clock);
        return new HostedNative(catalog, commits, new ChannelHolds(log, false), rest, clock);
    }
}
