package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.storageengine.catalog.plan.PlanLimits;
import io.storageengine.catalog.plan.ScanPlans;
import io.storageengine.core.Failure;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CatalogReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.rest.requests.PlanTableScanRequest;
import org.apache.iceberg.rest.responses.PlanTableScanResponse;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Scan planning of native tables, over their REST API and by Iceberg's own client.
final class ScanPlanningTest {
    private static final Schema SCHEMA = new Schema(
            Types.NestedField.required(1, "id", Types.LongType.get()),
            Types.NestedField.optional(2, "region", Types.StringType.get()));
    private static final PartitionSpec BY_REGION =
            PartitionSpec.builderFor(SCHEMA).identity("region").build();
    private static final TableIdentifier TABLE = TableIdentifier.of("ns", "tbl");
    private static final String PATH = "/catalogs/dev/v1/namespaces/ns/tables/tbl";

    private final Room room = Room.dev();
    private final RESTCatalog catalog = clientOf(room);

    private static RESTCatalog clientOf(Room room) {
        RESTCatalog catalog =
                new RESTCatalog(Room.anybody(), properties -> new DirectClient(room.service, "/catalogs/dev"));
        catalog.initialize(
                "it",
                Map.of(
                        "uri",
                        "http://none.invalid/",
                        "rest-metrics-reporting-enabled",
                        "false",
                        "scan-planning-mode",
                        "server",
                        "io-impl",
                        MemoryIo.class.getName()));
        return catalog;
    }

    private Table created(int formatVersion) {
        return created(formatVersion, BY_REGION);
    }

    private Table created(int formatVersion, PartitionSpec spec) {
        MemoryIo.BUCKETS.set(room.buckets);
        catalog.createNamespace(Namespace.of("ns"));
        return catalog.buildTable(TABLE, SCHEMA)
                .withPartitionSpec(spec)
                .withProperty("format-version", Integer.toString(formatVersion))
                .withProperty("commit.manifest-merge.enabled", "false")
                .create();
    }

    private static String path(String name) {
        return "s3://dev/data/" + name + ".parquet";
    }

    private static DataFile file(String region, String name) {
        return DataFiles.builder(BY_REGION)
                .withPath(path(name))
                .withPartitionPath("region=" + region)
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(1_000)
                .withRecordCount(10)
                .build();
    }

    /// A file of an unpartitioned table that holds ids of a range.
    private static DataFile ids(String name, long least, long most) {
        Map<Integer, Long> counts = Map.of(1, 10L);
        Metrics metrics = new Metrics(
                10L,
                counts,
                counts,
                Map.of(1, 0L),
                Map.of(),
                Map.of(1, Conversions.toByteBuffer(Types.LongType.get(), least)),
                Map.of(1, Conversions.toByteBuffer(Types.LongType.get(), most)));
        return DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath(path(name))
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(1_000)
                .withMetrics(metrics)
                .build();
    }

    private static List<String> names(TableScan scan) {
        List<String> names = new ArrayList<>();
        tasks(scan).forEach(task -> names.add(name(task)));
        return names;
    }

    private static List<FileScanTask> tasks(TableScan scan) {
        List<FileScanTask> tasks = new ArrayList<>();
        try (CloseableIterable<FileScanTask> planned = scan.planFiles()) {
            planned.forEach(tasks::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return tasks;
    }

    private static String name(FileScanTask task) {
        String location = task.file().location();
        return location.substring("s3://dev/data/".length(), location.length() - ".parquet".length());
    }

    private JsonNode plan(String request) {
        CatalogReply reply = room.post(PATH + "/plan", request);
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(200);
        return Room.json(reply);
    }

    private static List<String> paths(JsonNode plan) {
        List<String> paths = new ArrayList<>();
        plan.path("file-scan-tasks")
                .forEach(task ->
                        paths.add(task.path("data-file").path("file-path").asText()));
        return paths;
    }

    private CatalogReply fetch(Room from, String token) {
        return from.post(PATH + "/tasks", "{\"plan-task\":\"" + token + "\"}");
    }

    private static void refused(CatalogReply reply, int status, String type) {
        assertThat(reply.status()).as(Room.text(reply)).isEqualTo(status);
        assertThat(Room.json(reply).path("error").path("type").asText()).isEqualTo(type);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void theJavaClientScansByTheServersPlan(int formatVersion) {
        Table table = created(formatVersion);
        table.newFastAppend()
                .appendFile(file("eu", "a"))
                .appendFile(file("us", "b"))
                .commit();
        table.newFastAppend().appendFile(file("eu", "c")).commit();
        Table seen = catalog.loadTable(TABLE);
        assertThat(seen.newScan().getClass().getSimpleName()).isEqualTo("RESTTableScan");
        assertThat(names(seen.newScan())).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(names(seen.newScan().filter(Expressions.equal("region", "eu"))))
                .containsExactlyInAnyOrder("a", "c");
        assertThat(names(
                        seen.newScan().filter(Expressions.equal("REGION", "us")).caseSensitive(false)))
                .containsExactly("b");
        assertThat(tasks(seen.newScan().filter(Expressions.equal("region", "us")))
                        .getFirst()
                        .residual())
                .isEqualTo(Expressions.alwaysTrue());
    }

    @Test
    void aTableWithoutRowsHasAnEmptyPlan() {
        Table table = created(2);
        assertThat(names(table.newScan())).isEmpty();
        assertThat(plan("{}").path("status").asText()).isEqualTo("completed");
    }

    @Test
    void filesAreLeftOutByTheirBoundsAndStatsComeForAskedColumnsOnly() {
        Table table = created(2, PartitionSpec.unpartitioned());
        table.newFastAppend()
                .appendFile(ids("low", 1, 10))
                .appendFile(ids("high", 11, 20))
                .commit();
        String filter = "\"filter\":{\"type\":\"gt\",\"term\":\"id\",\"value\":15}";
        JsonNode plan = plan("{" + filter + "}");
        assertThat(paths(plan)).containsExactly(path("high"));
        JsonNode task = plan.path("file-scan-tasks").get(0);
        assertThat(task.path("residual-filter").path("type").asText()).isEqualTo("gt");
        assertThat(task.path("data-file").has("lower-bounds")).isFalse();
        String wide = "{\"filter\":{\"type\":\"not-eq\",\"term\":\"region\",\"value\":\"" + "x".repeat(3_000) + "\"}}";
        CatalogReply unkept =
                room.get(PATH + "/plan/" + plan(wide).path("plan-id").asText());
        refused(unkept, 404, "NoSuchPlanIdException");
        JsonNode stats = plan("{" + filter + ",\"stats-fields\":[\"id\"]}");
        assertThat(stats.path("file-scan-tasks")
                        .get(0)
                        .path("data-file")
                        .path("lower-bounds")
                        .path("keys"))
                .hasSize(1);
    }

    @Test
    void positionDeletesComeWithTheFilesThatTheyApplyTo() {
        Table table = created(2);
        table.newFastAppend()
                .appendFile(file("eu", "a"))
                .appendFile(file("us", "b"))
                .commit();
        DeleteFile delete = FileMetadata.deleteFileBuilder(BY_REGION)
                .ofPositionDeletes()
                .withPath(path("d"))
                .withPartitionPath("region=eu")
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(100)
                .withRecordCount(1)
                .build();
        table.newRowDelta().addDeletes(delete).commit();
        for (FileScanTask task : tasks(catalog.loadTable(TABLE).newScan())) {
            assertThat(task.deletes().stream().map(DeleteFile::location))
                    .isEqualTo(name(task).equals("a") ? List.of(path("d")) : List.of());
        }
    }

    @Test
    void deletionVectorsAreReferredToByTheirOffset() {
        Table table = created(3);
        table.newFastAppend()
                .appendFile(file("eu", "a"))
                .appendFile(file("eu", "b"))
                .commit();
        table.newRowDelta()
                .addDeletes(vector("a", 4))
                .addDeletes(vector("b", 50))
                .commit();
        List<FileScanTask> tasks = tasks(catalog.loadTable(TABLE).newScan());
        assertThat(tasks).hasSize(2);
        for (FileScanTask task : tasks) {
            DeleteFile vector = task.deletes().getFirst();
            assertThat(vector.referencedDataFile()).isEqualTo(task.file().location());
            assertThat(vector.contentOffset()).isEqualTo(name(task).equals("a") ? 4 : 50);
        }
        JsonNode plan = plan("{}");
        assertThat(plan.path("delete-files")).hasSize(2);
        assertThat(plan.path("file-scan-tasks").get(0).path("delete-file-references"))
                .hasSize(1);
    }

    private static DeleteFile vector(String of, long offset) {
        return FileMetadata.deleteFileBuilder(BY_REGION)
                .ofPositionDeletes()
                .withPath("s3://dev/data/dv.puffin")
                .withPartitionPath("region=eu")
                .withFormat(FileFormat.PUFFIN)
                .withFileSizeInBytes(100)
                .withRecordCount(1)
                .withReferencedDataFile(path(of))
                .withContentOffset(offset)
                .withContentSizeInBytes(40)
                .build();
    }

    @Test
    void aManifestOfManyFilesIsAnsweredInPartsThatMakeItUp() {
        Table table = created(2);
        AppendFiles append = table.newFastAppend();
        for (int i = 0; i < 11_000; i++) append.appendFile(file("eu", "f" + i));
        append.commit();
        JsonNode plan = plan("{}");
        assertThat(plan.path("file-scan-tasks")).hasSize(5_000);
        assertThat(plan.path("plan-tasks")).isNotEmpty();
        assertThat(names(catalog.loadTable(TABLE).newScan())).hasSize(11_000).doesNotHaveDuplicates();
        assertThat(plan("{\"min-rows-requested\":10}").has("plan-tasks")).isFalse();
    }

    @Test
    void everyFileIsInOnePartWhateverTheLimits() {
        Table table = created(2);
        List<String> all = new ArrayList<>();
        for (int commit = 0; commit < 6; commit++) {
            AppendFiles append = table.newFastAppend();
            for (int i = 0; i <= commit * 2; i++) {
                String name = commit + "-" + i;
                append.appendFile(file(i % 2 == 0 ? "eu" : "us", name));
                all.add(path(name));
            }
            append.commit();
        }
        for (PlanLimits limits : List.of(limits(1, 1, 1), limits(3, 1, 2), limits(5, 2, 3), limits(100, 100, 9))) {
            assertThat(scattered(metadata(table), limits))
                    .as(limits.toString())
                    .containsExactlyInAnyOrderElementsOf(all);
        }
        PlanLimits short1 = new PlanLimits(100, 1_000, 100, 1 << 20, 10, 10, 9, 1, 1);
        assertThat(scattered(metadata(table), short1)).containsExactlyInAnyOrderElementsOf(all);
    }

    private static PlanLimits limits(int tasks, int manifests, int tokens) {
        return new PlanLimits(tasks, 1 << 20, manifests, 1 << 20, 10, 10, tokens, 1, 1);
    }

    private static TableMetadata metadata(Table table) {
        return ((BaseTable) table).operations().current();
    }

    /// What a scan finds when each plan task is answered by another process.
    private List<String> scattered(TableMetadata metadata, PlanLimits limits) {
        PlanTableScanResponse first = new ScanPlans(room.buckets, limits)
                .plan(metadata, PlanTableScanRequest.builder().build());
        List<String> found = new ArrayList<>();
        first.fileScanTasks().forEach(task -> found.add(task.file().location()));
        Deque<String> open = new ArrayDeque<>();
        if (first.planTasks() != null) open.addAll(first.planTasks());
        while (!open.isEmpty()) {
            var next = new ScanPlans(room.buckets, limits).tasks(metadata, open.removeFirst());
            assertThat(next.fileScanTasks().size()).isLessThanOrEqualTo(limits.tasks());
            next.fileScanTasks().forEach(task -> found.add(task.file().location()));
            if (next.planTasks() != null) open.addAll(next.planTasks());
        }
        return found;
    }

    @Test
    void aPlanAndItsTasksAreAnsweredAfterARestartAndForTheirSnapshot() {
        Table table = created(2);
        table.newFastAppend().appendFile(file("eu", "a")).commit();
        String id = plan("{}").path("plan-id").asText();
        table.newFastAppend().appendFile(file("eu", "b")).commit();
        Room other = room.restarted();
        CatalogReply again = other.get(PATH + "/plan/" + id);
        assertThat(again.status()).isEqualTo(200);
        assertThat(paths(Room.json(again))).containsExactly(path("a"));
        assertThat(paths(Room.json(fetch(other, id)))).containsExactly(path("a"));
        assertThat(other.call("DELETE", PATH + "/plan/" + id, "").status()).isEqualTo(204);
    }

    @Test
    void whatIsNoPartOfThisTablesPlansIsNotFound() {
        Table table = created(2);
        table.newFastAppend().appendFile(file("eu", "a")).commit();
        String id = plan("{}").path("plan-id").asText();
        String changed = id.substring(0, 20) + (id.charAt(20) == 'A' ? 'B' : 'A') + id.substring(21);
        for (String garbage : List.of("", "x", "%", "AAAAAAAA", "é", id + "AAAA", changed)) {
            refused(fetch(room, garbage), 404, "NoSuchPlanTaskException");
        }
        refused(room.get(PATH + "/plan/" + changed), 404, "NoSuchPlanIdException");
        refused(room.call("DELETE", PATH + "/plan/nonsense", ""), 404, "NoSuchPlanIdException");
        catalog.createTable(TableIdentifier.of("ns", "other"), SCHEMA);
        String other = PATH.replace("tbl", "other");
        refused(room.post(other + "/tasks", "{\"plan-task\":\"" + id + "\"}"), 404, "NoSuchPlanTaskException");
        refused(room.post(PATH + "x/plan", "{}"), 404, "NoSuchTableException");
        table.newFastAppend().appendFile(file("eu", "b")).commit();
        table.expireSnapshots()
                .expireSnapshotId(table.history().getFirst().snapshotId())
                .commit();
        refused(fetch(room, id), 404, "NoSuchPlanTaskException");
    }

    @Test
    void aRequestThatDoesNotFitTheTableIsBad() {
        Table table = created(2);
        table.newFastAppend().appendFile(file("eu", "a")).commit();
        refused(room.post(PATH + "/plan", "{\"snapshot-id\":17}"), 400, "BadRequestException");
        refused(room.post(PATH + "/plan", "{\"start-snapshot-id\":17}"), 400, "BadRequestException");
        refused(room.post(PATH + "/plan", "not json"), 400, "BadRequestException");
        refused(room.post(PATH + "/plan", "{\"stats-fields\":[\"nope\"]}"), 400, "BadRequestException");
        refused(room.post(PATH + "/tasks", "{}"), 400, "BadRequestException");
        String huge = "{\"filter\":{\"type\":\"eq\",\"term\":\"region\",\"value\":\"" + "x".repeat(1 << 20) + "\"}}";
        refused(room.post(PATH + "/plan", huge), 400, "BadRequestException");
        CatalogReply unknown =
                room.post(PATH + "/plan", "{\"filter\":{\"type\":\"eq\",\"term\":\"nope\",\"value\":1}}");
        refused(unknown, 400, "ValidationException");
        assertThat(Room.text(unknown)).contains("nope");
    }

    @Test
    void anOldSnapshotIsScannedByTheNamesThatItHad() {
        Table table = created(2);
        table.newFastAppend().appendFile(file("eu", "a")).commit();
        long old = table.currentSnapshot().snapshotId();
        String request = "{\"snapshot-id\":" + old + ",\"use-snapshot-schema\":true,\"filter\":"
                + "{\"type\":\"eq\",\"term\":\"region\",\"value\":\"eu\"}}";
        String id = plan(request).path("plan-id").asText();
        table.updateSchema().renameColumn("region", "area").commit();
        assertThat(paths(plan(request))).containsExactly(path("a"));
        assertThat(paths(Room.json(fetch(room, id)))).containsExactly(path("a"));
        table.newFastAppend().appendFile(file("us", "b")).commit();
        Table seen = catalog.loadTable(TABLE);
        assertThat(names(seen.newScan().useSnapshot(old).filter(Expressions.equal("region", "eu"))))
                .containsExactly("a");
        assertThat(names(seen.newScan().filter(Expressions.equal("area", "us"))))
                .containsExactly("b");
    }

    @Test
    void appendsBetweenSnapshotsAreThoseAfterTheFirst() {
        Table table = created(2);
        List<Long> snapshots = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            table.newFastAppend().appendFile(file("eu", name)).commit();
            snapshots.add(table.currentSnapshot().snapshotId());
        }
        String between = "{\"start-snapshot-id\":%d,\"end-snapshot-id\":%d}";
        JsonNode plan = plan(String.format(Locale.ROOT, between, snapshots.get(0), snapshots.get(2)));
        assertThat(paths(plan)).containsExactlyInAnyOrder(path("b"), path("c"));
        String backwards = String.format(Locale.ROOT, between, snapshots.get(2), snapshots.get(0));
        refused(room.post(PATH + "/plan", backwards), 400, "BadRequestException");
    }

    @Test
    void planningIsNoWriteAndLeavesNothingUnknown() {
        Map<String, String> headers = new HashMap<>();
        for (String call : List.of("POST " + PATH + "/plan", "POST " + PATH + "/tasks", "DELETE " + PATH + "/plan/x")) {
            String[] parts = call.split(" ", -1);
            assertThat(new CallCatalog(parts[0], parts[1], "", headers, ByteBuffer.allocate(0)).writes())
                    .as(call)
                    .isFalse();
        }
        for (String call :
                List.of("POST " + PATH, "DELETE " + PATH, "POST " + PATH + "/plan/x", "DELETE " + PATH + "/plan")) {
            String[] parts = call.split(" ", -1);
            assertThat(new CallCatalog(parts[0], parts[1], "", headers, ByteBuffer.allocate(0)).writes())
                    .as(call)
                    .isTrue();
        }
    }

    @Test
    void storageThatDoesNotAnswerIsToldAsSuchAndNotAsAnUnknownCommit() {
        Table table = created(2);
        table.newFastAppend().appendFile(file("eu", "a")).commit();
        String id = plan("{}").path("plan-id").asText();
        room.buckets.fail((request, after) -> new Failure(Failure.Kind.UNAVAILABLE, "host 10.1.1.1"));
        refused(room.post(PATH + "/plan", "{}"), 503, "ServiceUnavailableException");
        refused(fetch(room, id), 503, "ServiceUnavailableException");
        room.buckets.heal();
        assertThat(fetch(room, id).status()).isEqualTo(200);
    }

    @Test
    void aPlanTaskWhoseManifestsAreGoneIsNotFound() {
        Table table = created(2);
        table.newFastAppend().appendFile(file("eu", "a")).commit();
        String id = plan("{}").path("plan-id").asText();
        table.io().deleteFile(table.currentSnapshot().manifestListLocation());
        refused(fetch(room, id), 404, "NoSuchPlanTaskException");
        refused(room.post(PATH + "/plan", "{}"), 500, "InternalServerError");
    }
}
