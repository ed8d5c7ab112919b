package io.storageengine.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Ask;
import io.storageengine.core.Backoff;
import io.storageengine.core.Failure;
import io.storageengine.core.Ids;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.Answer;
import io.storageengine.core.message.Claim;
import io.storageengine.core.message.CommitFiles;
import io.storageengine.core.message.CommitTable;
import io.storageengine.core.message.CommittedFiles;
import io.storageengine.core.message.Question;
import io.storageengine.core.message.TableRef;
import io.storageengine.core.message.Watermark;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.iceberg.FakeCatalog;
import io.storageengine.iceberg.FakeCatalog.Fault;
import io.storageengine.iceberg.StoreFileIO;
import io.storageengine.iceberg.TableFiles;
import io.storageengine.iceberg.TableJson;
import io.storageengine.iceberg.TestClock;
import io.storageengine.store.memory.MemoryBuckets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CommitServiceTest {
    private static final TableRef TABLE = new TableRef("dev", List.of("demo"), "t");
    private static final Schema SCHEMA = new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));
    private static final CommitOptions OPTIONS =
            new CommitOptions(20_000, 1_000, 100, 64, 10_000, 100, new Backoff(1, 5));
    private final MemoryBuckets buckets = new MemoryBuckets(new TestClock(), new Ids(new SplittableRandom(1)));
    private final FakeCatalog catalog = new FakeCatalog();
    private CommitService service = service(catalog, OPTIONS);

    private CommitService service(Ask ask, CommitOptions options) {
        return new CommitService(ask, new TableFiles(buckets), new TestClock(), new java.util.Random(9), options);
    }

    @BeforeEach
    void makeTable() {
        buckets.create("warehouse").orThrow();
        catalog.create(TABLE, SCHEMA, PartitionSpec.unpartitioned(), Map.of());
    }

    @Test
    void filesOfOneCommitAreInOneSnapshot() {
        Outcome<CommittedFiles> done = commit(files(List.of("a", "b"), mark("log", 0, 3)));
        assertThat(done.orThrow().snapshotId())
                .isEqualTo(catalog.metadata(TABLE).currentSnapshot().snapshotId());
        assertThat(live()).containsExactly("a", "b");
        assertThat(catalog.marks(TABLE)).containsEntry("log", 3L);
        assertThat(catalog.metadata(TABLE).snapshots()).hasSize(1);
    }

    @Test
    void aCommitCostsOneManifestAndOneListOfPuts() {
        commit(files(List.of("a", "b"), mark("log", 0, 3))).orThrow();
        assertThat(stored()).hasSize(2);
        assertThat(catalog.commitsAsked).hasValue(1);
    }

    @Test
    void withoutFilesOnlyMarksAndClaimsMove() {
        Outcome<CommittedFiles> done =
                commit(new CommitFiles(TABLE, uuid(), List.of(), List.of(mark("log", 0, 3)), List.of(claim("k"))));
        assertThat(done.orThrow().snapshotId()).isEqualTo(-1);
        assertThat(catalog.metadata(TABLE).currentSnapshot()).isNull();
        assertThat(catalog.claims(TABLE)).containsKey("k");
        assertThat(stored()).isEmpty();
    }

    @Test
    void marksThatMovedAreToldAndNothingIsWritten() {
        catalog.setMark(TABLE, "log", 5);
        assertFails(commit(files(List.of("a"), mark("log", 0, 3))), Failure.Kind.CONFLICT, "WatermarkMismatch");
        assertThat(live()).isEmpty();
        assertThat(stored()).isEmpty();
    }

    @Test
    void aClaimOfAnotherIsToldAndTheManifestsGo() {
        commit(new CommitFiles(TABLE, uuid(), List.of(), List.of(mark("log", 0, 1)), List.of(claim("k"))));
        Outcome<CommittedFiles> second = commit(
                new CommitFiles(TABLE, uuid(), List.of(file("a")), List.of(mark("log", 1, 2)), List.of(claim("k"))));
        assertFails(second, Failure.Kind.CONFLICT, "ClaimExists");
        assertThat(stored()).isEmpty();
    }

    @Test
    void aTableThatIsGoneIsNotFound() {
        CommitFiles commit = files(List.of("a"), mark("log", 0, 1));
        catalog.drop(TABLE);
        assertFails(commit(commit), Failure.Kind.NOT_FOUND, "NoSuchTableException");
        catalog.create(TABLE, SCHEMA, PartitionSpec.unpartitioned(), Map.of());
        assertFails(commit(commit), Failure.Kind.NOT_FOUND, "NoSuchTableException");
    }

    @Test
    void aLostRaceIsRebasedOnTheWinner() {
        Ask racing = new RacingAsk();
        service = service(racing, OPTIONS);
        commit(files(List.of("a"), mark("log", 0, 1))).orThrow();
        assertThat(catalog.metadata(TABLE).snapshots()).hasSize(3);
        assertThat(live()).containsExactly("a", "other-1", "other-2");
        assertThat(stored()).as("manifests of lost drafts are gone").hasSize(referenced());
    }

    /// Another writer gets in before our first two tries.
    private final class RacingAsk implements Ask {
        private int races;

        @Override
        public <A extends Answer> Outcome<A> ask(Question<A> question, long timeoutMillis) {
            if (question instanceof CommitTable && races < 2) {
                String name = "other-" + ++races;
                service(catalog, OPTIONS).answer(files(List.of(name), mark("other", races - 1, races)));
            }
            return catalog.ask(question, timeoutMillis);
        }
    }

    @Test
    void aCommitWhoseAnswerWasLostIsFoundAndNotRepeated() {
        catalog.fail(Fault.ANSWER_LOST);
        Outcome<CommittedFiles> done = commit(files(List.of("a"), mark("log", 0, 1)));
        assertThat(done.orThrow().snapshotId())
                .isEqualTo(catalog.metadata(TABLE).currentSnapshot().snapshotId());
        assertThat(live()).containsExactly("a");
        assertThat(catalog.commitsAsked).hasValue(1);
    }

    @Test
    void aCommitThatNeverArrivedIsRepeated() {
        catalog.fail(Fault.REQUEST_LOST, Fault.UNAVAILABLE, Fault.REQUEST_LOST);
        commit(files(List.of("a"), mark("log", 0, 1))).orThrow();
        assertThat(live()).containsExactly("a");
        assertThat(catalog.metadata(TABLE).snapshots()).hasSize(1);
    }

    @Test
    void aCommitThatLandsLateIsInOnce() {
        catalog.fail(Fault.LATE);
        commit(files(List.of("a"), mark("log", 0, 1))).orThrow();
        assertThat(live()).containsExactly("a");
        assertThat(catalog.marks(TABLE)).containsEntry("log", 1L);
    }

    @Test
    void marksAloneSurviveLostAnswers() {
        catalog.fail(Fault.ANSWER_LOST);
        CommitFiles commit = new CommitFiles(TABLE, uuid(), List.of(), List.of(mark("l", 0, 2)), List.of(claim("k")));
        assertThat(commit(commit).orThrow().snapshotId()).isEqualTo(-1);
    }

    @Test
    void pastTheDeadlineNobodyKnowsIsSaidOnlyWhenItIsSo() {
        CommitOptions impatient = new CommitOptions(1, 1_000, 100, 64, 10_000, 100, new Backoff(2, 5));
        service = service(catalog, impatient);
        catalog.failAlways(Optional.of(Fault.UNAVAILABLE));
        assertThat(commit(files(List.of("a"), mark("log", 0, 1))).failedWith(Failure.Kind.UNAVAILABLE))
                .isTrue();
        assertThat(stored()).isEmpty();
        catalog.failAlways(Optional.of(Fault.REQUEST_LOST));
        assertThat(commit(files(List.of("a"), mark("log", 0, 1))).failedWith(Failure.Kind.UNKNOWN))
                .isTrue();
        assertThat(stored()).as("never deleted after UNKNOWN").isNotEmpty();
    }

    @Test
    void oneBadCommitOfAGroupDoesNotHarmTheOthers() throws Exception {
        catalog.setMark(TABLE, "bad", 7);
        CountDownLatch firstInside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        service = service(new GateAsk(firstInside, go), OPTIONS);
        List<Future<Outcome<CommittedFiles>>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            answers.add(threads.submit(() -> commit(files(List.of("first"), mark("first", 0, 1)))));
            firstInside.await();
            for (int i = 0; i < 9; i++) {
                CommitFiles next = i == 4
                        ? files(List.of("bad"), mark("bad", 6, 8))
                        : i == 5 ? broken() : files(List.of("f" + i), mark("log" + i, 0, 1));
                answers.add(threads.submit(() -> commit(next)));
            }
            while (!service.isWaiting(TABLE.catalog(), uuid(), 9)) Thread.onSpinWait();
            go.countDown();
        }
        int failed = 0;
        for (Future<Outcome<CommittedFiles>> answer : answers) if (!answer.get().isOk()) failed++;
        assertThat(failed).isEqualTo(2);
        assertThat(live()).containsExactly("f0", "f1", "f2", "f3", "f6", "f7", "f8", "first");
    }

    @Test
    void thoseThatWaitShareOneSnapshot() throws Exception {
        CountDownLatch firstInside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        service = service(new GateAsk(firstInside, go), OPTIONS);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Outcome<CommittedFiles>>> answers = new ArrayList<>();
            answers.add(threads.submit(() -> commit(files(List.of("a0"), mark("log", 0, 1)))));
            firstInside.await();
            for (int i = 1; i <= 9; i++) {
                CommitFiles next = files(List.of("a" + i), mark("log" + i, 0, 1));
                answers.add(threads.submit(() -> commit(next)));
            }
            while (!service.isWaiting(TABLE.catalog(), uuid(), 9)) Thread.onSpinWait();
            go.countDown();
            for (Future<Outcome<CommittedFiles>> answer : answers)
                assertThat(answer.get().isOk()).isTrue();
        }
        assertThat(live()).hasSize(10);
        assertThat(catalog.metadata(TABLE).snapshots()).hasSize(2);
    }

    /// Holds the first commit until told.
    private final class GateAsk implements Ask {
        private final CountDownLatch inside;
        private final CountDownLatch go;

        GateAsk(CountDownLatch inside, CountDownLatch go) {
            this.inside = inside;
            this.go = go;
        }

        @Override
        public <A extends Answer> Outcome<A> ask(Question<A> question, long timeoutMillis) {
            if (question instanceof CommitTable) {
                inside.countDown();
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return catalog.ask(question, timeoutMillis);
        }
    }

    @Test
    void manifestsAreMerged() {
        catalog.change(TABLE, base -> base.replaceProperties(Map.of("commit.manifest.min-count-to-merge", "3")));
        for (int i = 0; i < 10; i++)
            commit(files(List.of("f" + i), mark("log", i, i + 1))).orThrow();
        assertThat(live()).hasSize(10);
        assertThat(manifests(catalog.metadata(TABLE).currentSnapshot()).size()).isLessThanOrEqualTo(3);
    }

    @Test
    void rowIdsAreGivenWithoutGaps() {
        for (int i = 0; i < 3; i++)
            commit(files(List.of("f" + i), mark("log", i, i + 1))).orThrow();
        assertThat(catalog.metadata(TABLE).nextRowId()).isEqualTo(30);
    }

    private CommitFiles files(List<String> names, Watermark mark) {
        return new CommitFiles(TABLE, uuid(), names.stream().map(this::file).toList(), List.of(mark), List.of());
    }

    private CommitFiles broken() {
        return new CommitFiles(TABLE, uuid(), List.of("{\"spec-id\":77}"), List.of(mark("broken", 0, 1)), List.of());
    }

    private Outcome<CommittedFiles> commit(CommitFiles commit) {
        return service.answer(commit).map(CommittedFiles.class::cast);
    }

    private String uuid() {
        return catalog.metadata(TABLE).uuid();
    }

    private String file(String name) {
        DataFile file = DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath("s3://warehouse/data/" + name)
                .withFormat("parquet")
                .withRecordCount(10)
                .withFileSizeInBytes(100)
                .build();
        return TableJson.dataFile(file, PartitionSpec.unpartitioned());
    }

    private static Watermark mark(String log, long expected, long next) {
        return new Watermark(log, expected, next);
    }

    private static Claim claim(String key) {
        return new Claim(key, "hash", "log", 1, "{}", 0);
    }

    private static void assertFails(Outcome<?> outcome, Failure.Kind kind, String code) {
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.failure().kind()).isEqualTo(kind);
            assertThat(failed.failure().code()).isEqualTo(code);
        });
    }

    private Set<String> live() {
        Set<String> names = new TreeSet<>();
        Snapshot current = catalog.metadata(TABLE).currentSnapshot();
        if (current == null) return names;
        TableMetadata metadata = catalog.metadata(TABLE);
        for (ManifestFile manifest : manifests(current))
            ManifestFiles.read(manifest, new StoreFileIO(buckets), metadata.specsById())
                    .forEach(file -> assertThat(names.add(file.location().substring("s3://warehouse/data/".length())))
                            .as("twice")
                            .isTrue());
        return names;
    }

    private List<ManifestFile> manifests(Snapshot snapshot) {
        return snapshot.allManifests(new StoreFileIO(buckets));
    }

    private Set<String> stored() {
        return buckets.bucket("warehouse").list(ListRequest.of("")).orThrow().objects().stream()
                .map(ObjectInfo::key)
                .collect(Collectors.toSet());
    }

    /// Manifest lists and manifests that the table's snapshots name.
    private int referenced() {
        Set<String> files = new TreeSet<>();
        for (Snapshot snapshot : catalog.metadata(TABLE).snapshots()) {
            files.add(snapshot.manifestListLocation());
            manifests(snapshot).forEach(manifest -> files.add(manifest.path()));
        }
        return files.size();
    }
}
