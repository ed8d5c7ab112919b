package io.storageengine.checks.sim;

import static io.storageengine.checks.sim.LogChecker.demand;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/// What Iceberg's clients were told, held against the tables as they are in the end and the files that these
/// are made of.
final class RestChecker {
    private final Map<String, SimDisk> disks;
    private final Map<String, Told> told = new LinkedHashMap<>();
    private final List<Read> reads = new ArrayList<>();
    private final Map<String, Integer> properties = new HashMap<>();
    private final Map<String, Set<Integer>> tried = new HashMap<>();
    private final List<Audit> audits = new ArrayList<>();

    /// What a client knows of one append, to one table or to several at once.
    private static final class Told {
        private final String token;
        private final List<Integer> tables;
        private final long beganNanos;
        private long ackedNanos = Long.MAX_VALUE;
        private boolean isRefused;

        Told(String token, List<Integer> tables, long beganNanos) {
            this.token = token;
            this.tables = List.copyOf(tables);
            this.beganNanos = beganNanos;
        }

        boolean isAcked() {
            return ackedNanos < Long.MAX_VALUE;
        }
    }

    /// A table as a client found it.
    ///
    /// @param order its appends, the first one first
    private record Read(String who, int table, List<String> order, long beganNanos) {}

    /// A table in the end.
    ///
    /// @param order its appends, the first one first
    /// @param files how many live files each append has
    private record Audit(TableMetadata metadata, List<String> order, Map<String, Integer> files) {}

    RestChecker(Map<String, SimDisk> disks) {
        this.disks = disks;
    }

    void trying(String token, List<Integer> tables, long nanos) {
        told.put(token, new Told(token, tables, nanos));
    }

    void acked(String token, long nanos) {
        told(token).ackedNanos = nanos;
    }

    void refused(String token) {
        told(token).isRefused = true;
    }

    int ackedCount() {
        return (int) told.values().stream().filter(Told::isAcked).count();
    }

    private Told told(String token) {
        Told of = told.get(token);
        if (of == null) throw new IllegalStateException("nobody tried " + token);
        return of;
    }

    void read(String who, int table, TableMetadata metadata, long beganNanos) {
        reads.add(new Read(who, table, order(metadata), beganNanos));
    }

    void setting(String who, int table, int value) {
        tried.computeIfAbsent(who + table, key -> new HashSet<>()).add(value);
    }

    void set(String who, int table, int value) {
        properties.put(who + table, value);
    }

    /// The appends of the main branch, the first one first.
    private static List<String> order(TableMetadata metadata) {
        List<String> order = new ArrayList<>();
        Snapshot head = metadata.currentSnapshot();
        if (head == null) return order;
        for (Snapshot snapshot : SnapshotUtil.ancestorsOf(head.snapshotId(), metadata::snapshot))
            order.addFirst(snapshot.summary().get(StockWriter.TOKEN));
        return order;
    }

    /// Goes through all that the tables are made of.
    boolean audit(StockWriter by) {
        for (BaseTable table : by.all()) whole(table.operations().current(), by);
        for (int table = 0; table < StockWriter.TABLES; table++) {
            TableMetadata metadata = by.load(table).operations().current();
            audits.add(whole(metadata, by));
            propertiesOf(table, metadata);
        }
        return true;
    }

    private Audit whole(TableMetadata metadata, StockWriter by) {
        exists(metadata.metadataFileLocation(), "a table's metadata");
        metadata.previousFiles().forEach(file -> exists(file.file(), "the metadata log"));
        Map<String, Integer> live = new HashMap<>();
        Map<String, List<DataFile>> read = new HashMap<>();
        for (Snapshot snapshot : metadata.snapshots()) {
            exists(snapshot.manifestListLocation(), "a snapshot");
            boolean isCurrent = snapshot.equals(metadata.currentSnapshot());
            for (ManifestFile manifest : snapshot.allManifests(by.io())) {
                List<DataFile> files = read.computeIfAbsent(manifest.path(), path -> files(manifest, metadata, by));
                if (isCurrent) files.forEach(file -> live.merge(token(file), 1, Integer::sum));
            }
        }
        if (metadata.formatVersion() >= 3) rowIds(metadata, read.values());
        return new Audit(metadata, order(metadata), live);
    }

    private List<DataFile> files(ManifestFile manifest, TableMetadata metadata, StockWriter by) {
        exists(manifest.path(), "a manifest list");
        List<DataFile> files = new ArrayList<>();
        try (ManifestReader<DataFile> reader = ManifestFiles.read(manifest, by.io(), metadata.specsById())) {
            for (DataFile file : reader) {
                exists(file.location(), "a manifest");
                files.add(file.copy());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    private void exists(@Nullable String location, String where) {
        if (location == null) throw new AssertionError(where + " names no file");
        int bucket = location.indexOf("://") + 3;
        int key = location.indexOf('/', bucket) + 1;
        SimDisk disk = disks.get(location.substring(bucket, key - 1));
        demand(
                disk != null && disk.objects().containsKey(location.substring(key)),
                where,
                "names",
                location,
                "which is gone");
    }

    private static String token(DataFile file) {
        String path = file.location();
        return path.substring(path.lastIndexOf('/') + 1, path.lastIndexOf('.'));
    }

    /// No row id is given twice.
    private static void rowIds(TableMetadata metadata, Iterable<List<DataFile>> manifests) {
        TreeMap<Long, Long> ends = new TreeMap<>();
        for (List<DataFile> files : manifests) {
            for (DataFile file : files) {
                Long first = file.firstRowId();
                if (first == null) throw new AssertionError(file.location() + " has no row ids");
                demand(ends.put(first, first + file.recordCount()) == null, file.location(), "has another's row ids");
            }
        }
        long last = 0;
        for (Map.Entry<Long, Long> range : ends.entrySet()) {
            demand(range.getKey() >= last, "row ids overlap at", range.getKey());
            last = range.getValue();
        }
        demand(last <= metadata.nextRowId(), "next-row-id is", metadata.nextRowId(), "and row ids go to", last);
    }

    /// Values only go down: what was set last stands, or what was tried after it.
    private void propertiesOf(int table, TableMetadata metadata) {
        properties.forEach((key, acked) -> {
            if (!key.endsWith(Integer.toString(table))) return;
            String who = key.substring(0, key.length() - 1);
            String value = metadata.properties().get("p-" + who);
            if (value == null) throw new AssertionError(who + " set a property of table " + table + ", and it is lost");
            int now = Integer.parseInt(value);
            demand(
                    now == acked
                            || (now < acked && tried.getOrDefault(key, Set.of()).contains(now)),
                    who,
                    "set",
                    acked,
                    "and it is",
                    now);
        });
    }

    void finish() {
        demand(audits.size() == StockWriter.TABLES, "the tables were not looked at");
        told.values().forEach(this::fate);
        audits.forEach(RestChecker::numbers);
        for (int table = 0; table < audits.size(); table++) inRealTime(table);
        readsNeverGoBack();
    }

    /// In each of its tables once, or in none; and its file just where its snapshot is.
    private void fate(Told of) {
        Set<Boolean> fates = new HashSet<>();
        for (int table : of.tables) {
            Audit audit = audits.get(table);
            long times = audit.order().stream().filter(of.token::equals).count();
            int files = audit.files().getOrDefault(of.token, 0);
            demand(times <= 1, of.token, "is in table", table, times, "times");
            demand(files == times, of.token, "has", files, "files in table", table, "and", times, "snapshots");
            if (of.isAcked()) demand(times == 1, of.token, "was acknowledged and is not in table", table);
            if (of.isRefused) demand(times == 0, of.token, "was refused and is in table", table);
            fates.add(times == 1);
        }
        demand(fates.size() == 1, of.token, "is done in a part of", of.tables);
    }

    private static void numbers(Audit audit) {
        Set<Long> numbers = new LinkedHashSet<>();
        for (Snapshot snapshot : audit.metadata().snapshots())
            demand(
                    numbers.add(snapshot.sequenceNumber()),
                    "sequence number",
                    snapshot.sequenceNumber(),
                    "is given twice");
        long last = audit.metadata().lastSequenceNumber();
        for (long number : numbers) demand(number <= last, "last-sequence-number is", last, "and there is", number);
    }

    /// What was acknowledged before another began comes before it.
    private void inRealTime(int table) {
        List<String> order = audits.get(table).order();
        for (int later = 0; later < order.size(); later++) {
            long began = told(order.get(later)).beganNanos;
            for (String after : order.subList(later + 1, order.size()))
                demand(told(after).ackedNanos >= began, order.get(later), "began after", after, "and comes before it");
        }
    }

    /// A read finds at least what was acknowledged to anybody before it began, and what its reader found
    /// before; and what it found stays.
    private void readsNeverGoBack() {
        Map<String, List<String>> seen = new HashMap<>();
        for (Read read : reads) {
            List<String> end = audits.get(read.table()).order();
            demand(
                    read.order()
                            .equals(end.subList(
                                    0, Math.min(end.size(), read.order().size()))),
                    read,
                    "is not in",
                    end);
            List<String> before = seen.put(read.who() + read.table(), read.order());
            demand(before == null || before.size() <= read.order().size(), read, "goes back behind", before);
            for (Told of : told.values()) {
                if (of.ackedNanos < read.beganNanos() && of.tables.contains(read.table()))
                    demand(read.order().contains(of.token), read, "does not find", of.token);
            }
        }
    }
}
