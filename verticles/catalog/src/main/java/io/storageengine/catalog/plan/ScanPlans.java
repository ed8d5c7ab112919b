package io.storageengine.catalog.plan;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.store.Buckets;
import io.storageengine.iceberg.StoreFileIO;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.rest.PlanStatus;
import org.apache.iceberg.rest.requests.PlanTableScanRequest;
import org.apache.iceberg.rest.responses.FetchPlanningResultResponse;
import org.apache.iceberg.rest.responses.FetchScanTasksResponse;
import org.apache.iceberg.rest.responses.PlanTableScanResponse;
import org.jspecify.annotations.Nullable;

/// Plans scans of native tables. A plan is completed when it is answered: with its first files, and with plan
/// tasks for the others. Plan tasks and plan ids say what they stand for ([PlanToken]), so that nothing is kept
/// and any process answers them. Thread-safe; calls block on storage. Failures are thrown as
/// [FailureException].
public final class ScanPlans {
    /// Longer ids would not fit into a path everywhere.
    private static final int ID_CHARS_MAX = 2_000;

    private static final String UNKEPT = "unkept-";
    private static final int TOKENS_CHARS_MAX = 256 << 10;
    private static final int TASK_BYTES = 500;
    private static final int DELETE_BYTES = 700;
    private static final int STATS_BYTES = 160;
    private static final int REFERENCE_BYTES = 8;

    private final StoreFileIO files;
    private final PlanLimits limits;
    private final PlanGate gate;

    public ScanPlans(Buckets buckets, PlanLimits limits) {
        this.files = new StoreFileIO(buckets);
        this.limits = limits;
        this.gate = new PlanGate(limits);
    }

    private record Part(List<FileScanTask> tasks, List<String> planTasks) {
        /// Null says none, as the specification has it.
        @Nullable
        List<String> planTasksOrNull() {
            return planTasks.isEmpty() ? null : planTasks;
        }
    }

    /// Plans a scan; `INVALID` when the request does not fit the table.
    public PlanTableScanResponse plan(TableMetadata metadata, PlanTableScanRequest request) {
        PlanToken whole = new PlanToken(Scanned.of(metadata, request), 0, PlanToken.END, 0);
        FailureException gone = new FailureException(
                Failure.Kind.CORRUPT, "a manifest of table " + metadata.uuid() + " is not in storage");
        Part part = part(metadata, whole, gone);
        if (isEnough(part.tasks(), request.minRowsRequested())) part = new Part(part.tasks(), List.of());
        return PlanTableScanResponse.builder(metadata.specsById())
                .withPlanStatus(PlanStatus.COMPLETED)
                .withPlanId(id(whole))
                .withFileScanTasks(part.tasks())
                .withPlanTasks(part.planTasksOrNull())
                .build();
    }

    private static String id(PlanToken whole) {
        String text = whole.text();
        return text.length() <= ID_CHARS_MAX ? text : UNKEPT + Integer.toHexString(text.hashCode());
    }

    /// Whether that many rows are surely in these files.
    private static boolean isEnough(List<FileScanTask> tasks, @Nullable Long rows) {
        if (rows == null) return false;
        long sure = tasks.stream()
                .filter(task -> task.deletes().isEmpty() && task.residual().op() == Expression.Operation.TRUE)
                .mapToLong(task -> task.file().recordCount())
                .sum();
        return sure >= rows;
    }

    /// The result of a plan, made again; `NOT_FOUND` (`NoSuchPlanIdException`), also for one whose request was
    /// too long to be its id.
    public FetchPlanningResultResponse fetch(TableMetadata metadata, String planId) {
        FailureException gone = noPlan();
        Part part = part(metadata, known(metadata, planId, gone), gone);
        return FetchPlanningResultResponse.builder(metadata.specsById())
                .withPlanStatus(PlanStatus.COMPLETED)
                .withFileScanTasks(part.tasks())
                .withPlanTasks(part.planTasksOrNull())
                .build();
    }

    /// Lets a plan go, of which nothing was kept; `NOT_FOUND` (`NoSuchPlanIdException`) when it is none.
    public void cancel(TableMetadata metadata, String planId) {
        if (!planId.startsWith(UNKEPT)) known(metadata, planId, noPlan());
    }

    /// The files of a plan task, and plan tasks for what did not fit; `NOT_FOUND` (`NoSuchPlanTaskException`)
    /// when it is none of this table's, or the snapshot has expired.
    public FetchScanTasksResponse tasks(TableMetadata metadata, String planTask) {
        FailureException gone = new FailureException(new Failure(
                Failure.Kind.NOT_FOUND,
                "NoSuchPlanTaskException",
                "Not a plan task of this table, or its snapshot has expired: plan the scan again"));
        Part part = part(metadata, known(metadata, planTask, gone), gone);
        return FetchScanTasksResponse.builder(metadata.specsById())
                .withFileScanTasks(part.tasks())
                .withPlanTasks(part.planTasksOrNull())
                .build();
    }

    private static FailureException noPlan() {
        return new FailureException(new Failure(
                Failure.Kind.NOT_FOUND,
                "NoSuchPlanIdException",
                "Not a plan of this table, or its snapshot has expired: plan the scan again"));
    }

    private static PlanToken known(TableMetadata metadata, String text, FailureException gone) {
        PlanToken token = PlanToken.parse(text).orElseThrow(() -> gone);
        if (!token.scan().isIn(metadata)) throw gone;
        return token;
    }

    private Part part(TableMetadata metadata, PlanToken token, FailureException gone) {
        Supplier<Part> work = () -> {
            try {
                return read(metadata, token, gone);
            } catch (RuntimeException e) {
                throw ScanSource.told(e, gone);
            }
        };
        return gate.pass(work);
    }

    private Part read(TableMetadata metadata, PlanToken token, FailureException gone) {
        ScanSource source = new ScanSource(metadata, token.scan(), files, limits);
        int to = token.to() == PlanToken.END ? source.size() : token.to();
        if (to > source.size() || token.from() > to) throw gone;
        List<ScanSource.Unit> units =
                token.skip() > 0 ? List.of(new ScanSource.Unit(token.from(), to)) : source.units(token.from(), to);
        if (units.isEmpty()) return new Part(List.of(), List.of());
        ScanSource.Unit first = units.getFirst();
        List<FileScanTask> tasks = new ArrayList<>();
        List<PlanToken> rest = new ArrayList<>();
        if (collect(source.files(first), token, tasks)) {
            rest.add(new PlanToken(token.scan(), first.from(), first.to(), token.skip() + tasks.size()));
        }
        for (ScanSource.Unit unit : units.subList(1, units.size())) {
            rest.add(new PlanToken(token.scan(), unit.from(), unit.to(), 0));
        }
        return new Part(tasks, texts(rest, to));
    }

    /// Takes files until the answer is full.
    ///
    /// @return whether there are more
    private boolean collect(CloseableIterable<FileScanTask> found, PlanToken token, List<FileScanTask> tasks) {
        int seen = 0;
        long bytes = 0;
        Set<String> deletes = new HashSet<>();
        try (found) {
            for (FileScanTask task : found) {
                if (seen++ < token.skip()) continue;
                if (tasks.size() >= limits.tasks() || bytes >= limits.bytesMax()) return true;
                tasks.add(task);
                bytes += weight(task, token.scan(), deletes);
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// About the length of a task's JSON.
    private static long weight(FileScanTask task, Scanned scan, Set<String> deletes) {
        long bytes = TASK_BYTES
                + task.file().location().length()
                + (long) STATS_BYTES * scan.stats().size();
        if (task.residual().op() != Expression.Operation.TRUE)
            bytes += scan.filter().length();
        for (DeleteFile delete : task.deletes()) {
            bytes += REFERENCE_BYTES + (deletes.add(delete.location()) ? DELETE_BYTES : 0);
        }
        return bytes;
    }

    /// A few parts as text; where there are more, the last stands for all that follow.
    private List<String> texts(List<PlanToken> rest, int to) {
        if (rest.isEmpty()) return List.of();
        int length = rest.getFirst().text().length() + 20;
        int most = Math.max(2, Math.min(limits.tokens(), TOKENS_CHARS_MAX / length));
        List<PlanToken> told = new ArrayList<>(rest.subList(0, Math.min(rest.size(), most)));
        if (rest.size() > most) {
            PlanToken last = told.removeLast();
            told.add(new PlanToken(last.scan(), last.from(), to, 0));
        }
        return told.stream().map(PlanToken::text).toList();
    }
}
