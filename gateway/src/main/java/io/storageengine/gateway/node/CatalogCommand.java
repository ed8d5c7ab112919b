package io.storageengine.gateway.node;

import io.storageengine.catalog.backup.BackupStorage;
import io.storageengine.catalog.backup.CatalogExport;
import io.storageengine.catalog.backup.LostCatalog;
import io.storageengine.catalog.backup.RecoveryPlan;
import io.storageengine.catalog.backup.Transfers;
import io.storageengine.catalog.registry.ClusterPlace;
import io.storageengine.core.Clock;
import io.storageengine.core.FailureException;
import io.storageengine.core.Ids;
import io.storageengine.ingest.recovery.LeftLogs;
import java.io.PrintStream;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/// Does what `se catalog` is asked for.
final class CatalogCommand {
    private static final int SHOWN_MAX = 10;

    private final OpenStorage open;
    private final BackupStorage storage;
    private final PrintStream out;

    private CatalogCommand(OpenStorage open, BackupStorage storage, PrintStream out) {
        this.open = open;
        this.storage = storage;
        this.out = out;
    }

    /// @throws StartRefused when it cannot be done
    static void run(CatalogOrder order, Clock clock, RandomGenerator random, PrintStream out) {
        OpenStorage open = OpenStorage.open(
                order.storage(), clock, random, "a node that runs on a folder has it alone: stop it first");
        ClusterPlace reserved = switch (order.storage()) {
            case Settings.LocalStorage local -> ClusterPlace.ELSEWHERE;
            case Settings.S3Storage s3 -> new ClusterPlace(s3.bucket(), s3.prefix());
        };
        try {
            BackupStorage storage = new BackupStorage(open.buckets(), open.cluster(), reserved, clock, random);
            new CatalogCommand(open, storage, out).run(order.action());
        } catch (FailureException e) {
            throw new StartRefused(e.failure().message());
        } finally {
            open.close();
        }
    }

    private void run(CatalogOrder.Action action) {
        switch (action) {
            case CatalogOrder.Export export -> export(export);
            case CatalogOrder.Import from -> importFrom(from);
            case CatalogOrder.Recover recover -> recover(recover);
        }
    }

    private void export(CatalogOrder.Export order) {
        CatalogExport export = new Transfers(storage).export(order.catalog());
        byte[] bytes = export.encode();
        new ExportPlace(order.to(), open.buckets()).write(bytes);
        out.println("Exported catalog " + export.catalog() + " as of entry " + export.position() + " of its log to "
                + order.to() + " (" + bytes.length + " bytes): " + export.holds());
        out.println("Not in it: the tables' data and metadata files. They are in the warehouse "
                + export.warehousePlace() + " and wherever else tables were put: copy or replicate those buckets.");
    }

    private void importFrom(CatalogOrder.Import order) {
        CatalogExport export;
        try {
            export = CatalogExport.decode(new ExportPlace(order.from(), open.buckets()).read());
        } catch (FailureException e) {
            throw new StartRefused(order.from() + ": " + e.failure().message());
        }
        String id = order.catalog().orElse(export.catalog());
        Transfers.Imported done = new Transfers(storage).importFrom(export, id, order.warehouse());
        out.println("Imported catalog " + done.id() + ", which is catalog " + export.catalog() + " as of entry "
                + export.position() + " of its log: " + export.holds());
        if (done.missing().isEmpty()) return;
        out.println(done.missing().size() + " metadata files are not in this storage: their tables and views cannot be"
                + " read before the files are copied to buckets of the same names:");
        shown(done.missing()).forEach(file -> out.println("  " + file));
    }

    private void recover(CatalogOrder.Recover order) {
        LostCatalog lost = LostCatalog.find(storage, order.catalog());
        RecoveryPlan plan = lost.plan();
        RecoveryReport.of(plan, order.isDry()).forEach(out::println);
        Set<String> ids = new TreeSet<>(lost.ids());
        LeftLogs logs = new LeftLogs(
                open.cluster(), storage.clock(), storage.random(), "se-catalog-" + new Ids(storage.random()).uuid());
        List<LeftLogs.Left> left = logs.survey(ids);
        left.forEach(log -> out.println("Write-ahead log " + log.id() + " of catalog " + log.catalog() + " has "
                + log.rows() + " rows in " + log.entries() + " entries"));
        if (!left.isEmpty() && !order.parksRows()) {
            String why = "Write-ahead logs hold rows, and the lost log alone knew which of them are in their tables:"
                    + " replayed, some would be there twice. With --park-rows they are put aside under parked/ in the"
                    + " cluster storage, to be compared with the tables by whoever knows them";
            if (!order.isDry()) throw new StartRefused(why);
            out.println(why);
        }
        if (order.isDry()) return;
        if (!left.isEmpty()) out.println("Parked " + logs.park(ids) + " rows; their logs are ended");
        lost.rebuild(plan);
        out.println("The new log of catalog " + String.join(" and ", ids) + " is written. What was lost for good:"
                + " properties of namespaces, namespaces without tables, and the keys of requests that were answered:"
                + " a client that repeats one adds its rows again.");
    }

    static List<String> shown(List<String> all) {
        return all.size() <= SHOWN_MAX ? all : all.subList(0, SHOWN_MAX);
    }
}
