package io.storageengine.catalog.plan;

import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ImmutableTableScanContext;
import org.apache.iceberg.IncrementalAppendScan;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotParser;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.ManifestEvaluator;
import org.apache.iceberg.expressions.Projections;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.SnapshotUtil;

/// The manifests that a scan may have to read, in an order that never changes, and the files in them.
final class ScanSource {
    private final TableMetadata metadata;
    private final Scanned scan;
    private final Schema schema;
    private final Expression filter;
    private final PlanLimits limits;
    private final ManifestIo io;
    private final Map<Integer, PartitionSpec> specs;
    private final Map<Integer, ManifestEvaluator> evaluators = new HashMap<>();
    private final List<ManifestFile> data = new ArrayList<>();
    private final List<ManifestFile> deletes = new ArrayList<>();

    /// Reads the manifest lists: one for a scan of a snapshot, one of each append for an incremental one.
    ///
    /// @param scan of this table, see [Scanned#isIn]
    ScanSource(TableMetadata metadata, Scanned scan, FileIO files, PlanLimits limits) {
        this.metadata = metadata;
        this.scan = scan;
        this.schema = Objects.requireNonNull(metadata.schemasById().get(scan.schema()));
        this.filter = scan.expression();
        this.limits = limits;
        this.io = new ManifestIo(files, limits.aheadBytesMax());
        this.specs = specs(metadata, schema);
        if (scan.isIncremental()) readAppends();
        else if (scan.snapshot() != Scanned.NONE) readSnapshot();
    }

    /// The table's partition specs by the names of the schema, also where columns were renamed since.
    private static Map<Integer, PartitionSpec> specs(TableMetadata metadata, Schema schema) {
        if (schema.schemaId() == metadata.currentSchemaId()) return metadata.specsById();
        Map<Integer, PartitionSpec> specs = new HashMap<>();
        metadata.specsById()
                .forEach((id, spec) -> specs.put(id, spec.toUnbound().bind(schema, true)));
        return specs;
    }

    private void readSnapshot() {
        Snapshot snapshot = forgetful(metadata.snapshot(scan.snapshot()));
        data.addAll(snapshot.dataManifests(io));
        long files = 0;
        for (ManifestFile manifest : snapshot.deleteManifests(io)) {
            if (!matches(manifest)) continue;
            deletes.add(manifest);
            files += count(manifest.addedFilesCount()) + count(manifest.existingFilesCount());
        }
        if (files > limits.deletes()) {
            throw Refusals.bad("This scan may meet " + files + " delete files, more than the " + limits.deletes()
                    + " that the server plans with: narrow the filter, plan on the client or compact the table");
        }
    }

    private void readAppends() {
        List<Snapshot> appends = new ArrayList<>();
        Set<Long> ids = new HashSet<>();
        for (Snapshot snapshot : SnapshotUtil.ancestorsBetween(scan.snapshot(), scan.start(), metadata::snapshot)) {
            if (!DataOperations.APPEND.equals(snapshot.operation())) continue;
            appends.add(snapshot);
            ids.add(snapshot.snapshotId());
        }
        if (appends.size() > limits.snapshots()) {
            throw Refusals.bad("There are " + appends.size() + " appends between these snapshots, more than the "
                    + limits.snapshots() + " that the server plans at once: ask for fewer");
        }
        Map<String, ManifestFile> found = new LinkedHashMap<>();
        for (Snapshot append : appends) {
            for (ManifestFile manifest : forgetful(append).dataManifests(io)) {
                if (ids.contains(manifest.snapshotId())) found.putIfAbsent(manifest.path(), manifest);
            }
        }
        data.addAll(found.values());
    }

    /// A snapshot object keeps the manifest list that it read; those of cached metadata must not.
    private static Snapshot forgetful(Snapshot cached) {
        return SnapshotParser.fromJson(SnapshotParser.toJson(cached));
    }

    int size() {
        return data.size();
    }

    /// Manifests that are answered together.
    record Unit(int from, int to) {}

    /// Cuts manifests into units: none for those that hold nothing of the scan.
    List<Unit> units(int from, int to) {
        List<Unit> units = new ArrayList<>();
        int start = -1;
        int manifests = 0;
        long files = 0;
        for (int i = from; i < to; i++) {
            if (!matches(data.get(i))) continue;
            long more = files(data.get(i));
            if (start >= 0 && (files + more > limits.tasks() || manifests >= limits.manifests())) {
                units.add(new Unit(start, i));
                start = -1;
            }
            if (start < 0) {
                start = i;
                files = 0;
                manifests = 0;
            }
            files += more;
            manifests++;
        }
        if (start >= 0) units.add(new Unit(start, to));
        return units;
    }

    private long files(ManifestFile manifest) {
        if (manifest.addedFilesCount() == null || manifest.existingFilesCount() == null) return limits.tasks();
        return count(manifest.addedFilesCount()) + count(manifest.existingFilesCount());
    }

    private static long count(Integer files) {
        return files == null ? 0 : Math.max(0, files);
    }

    private boolean matches(ManifestFile manifest) {
        PartitionSpec spec = specs.get(manifest.partitionSpecId());
        if (!manifest.hasAddedFiles() && !manifest.hasExistingFiles()) return false;
        return spec == null
                || evaluators
                        .computeIfAbsent(spec.specId(), id -> evaluator(spec))
                        .eval(manifest);
    }

    private ManifestEvaluator evaluator(PartitionSpec spec) {
        Expression projected = Projections.inclusive(spec, scan.exact()).project(filter);
        return ManifestEvaluator.forPartitionFilter(projected, spec, scan.exact());
    }

    /// The files of a unit that may hold rows of the scan; the same in the same order each time. Manifests are
    /// read while it is read.
    CloseableIterable<FileScanTask> files(Unit unit) {
        List<ManifestFile> seen = data.subList(unit.from(), Math.min(unit.to(), data.size())).stream()
                .filter(this::matches)
                .toList();
        if (seen.isEmpty()) return CloseableIterable.empty();
        List<ManifestFile> all = new ArrayList<>(deletes);
        all.addAll(seen);
        io.fetch(all);
        if (!scan.isIncremental()) return wholeScan(seen).doPlanFiles();
        return CloseableIterable.concat(seen.stream().map(this::appended).toList());
    }

    private SliceScan wholeScan(List<ManifestFile> seen) {
        var context = ImmutableTableScanContext.builder()
                .rowFilter(filter)
                .caseSensitive(scan.exact())
                .returnColumnStats(!scan.stats().isEmpty())
                .columnsToKeepStats(statsIds());
        if (scan.snapshot() != Scanned.NONE) context.snapshotId(scan.snapshot());
        return new SliceScan(table(seen), schema, context.build());
    }

    private List<Integer> statsIds() {
        return scan.stats().stream()
                .map(schema::findField)
                .filter(Objects::nonNull)
                .map(Types.NestedField::fieldId)
                .toList();
    }

    /// One manifest at a time: then Iceberg reads it on this thread, and in order.
    private CloseableIterable<FileScanTask> appended(ManifestFile manifest) {
        IncrementalAppendScan appends = table(List.of(manifest))
                .newIncrementalAppendScan()
                .fromSnapshotExclusive(scan.start())
                .toSnapshot(scan.snapshot())
                .filter(filter)
                .caseSensitive(scan.exact());
        Collection<String> stats = scan.stats();
        return (stats.isEmpty() ? appends : appends.includeColumnStats(stats)).planFiles();
    }

    private SlicedTable table(List<ManifestFile> seen) {
        return new SlicedTable(metadata, schema, specs, io, seen, deletes);
    }

    /// What reading a table failed by, told so that it says what to do.
    ///
    /// @param gone what to say when a file is not there
    static RuntimeException told(RuntimeException failed, FailureException gone) {
        Throwable cause = failed;
        for (int depth = 0; cause != null && depth < 20; depth++) {
            if (cause instanceof NotFoundException) return gone;
            if (cause instanceof FailureException known) {
                return known.failure().kind() == Failure.Kind.UNKNOWN
                        ? new FailureException(
                                Failure.Kind.UNAVAILABLE, known.failure().message())
                        : known;
            }
            if (cause instanceof ValidationException invalid) {
                return Refusals.bad(Refusals.said(invalid));
            }
            cause = cause.getCause();
        }
        return failed;
    }
}
