package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.catalog.rebase.AppendRebase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestWriter;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Iceberg's own writers that lose races on a table with `se.commit.rebase-appends`. They do not retry, so a
/// refusal is seen.
final class RebaseTest {
    private static final TableIdentifier TABLE = TableIdentifier.of("ns", "tbl");

    private final Room room = Room.dev();
    private final AtomicReference<Runnable> rival = new AtomicReference<>(() -> {});
    private final RESTCatalog catalog = client(() -> {});
    private final RESTCatalog racing = client(() -> rival.getAndSet(() -> {}).run());

    private RESTCatalog client(Runnable beforeCommits) {
        MemoryIo.BUCKETS.set(room.buckets);
        RESTCatalog client = new RESTCatalog(
                Room.anybody(), properties -> new DirectClient(room.service, "/catalogs/dev", beforeCommits));
        client.initialize(
                "it",
                Map.of(
                        "uri",
                        "http://none.invalid/",
                        "rest-metrics-reporting-enabled",
                        "false",
                        "io-impl",
                        MemoryIo.class.getName()));
        return client;
    }

    private Table created(int version, Map<String, String> more) {
        catalog.createNamespace(Namespace.of("ns"), new HashMap<>());
        Map<String, String> properties = new HashMap<>(Map.of(
                "format-version",
                Integer.toString(version),
                AppendRebase.PROPERTY,
                "true",
                "commit.retry.num-retries",
                "0"));
        properties.putAll(more);
        Table table = catalog.buildTable(TABLE, AvroFiles.SCHEMA)
                .withProperties(properties)
                .create();
        table.newFastAppend().appendFile(file("first", 1)).commit();
        return table;
    }

    private static DataFile file(String name, long rows) {
        return DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath("s3://dev/data/" + name + ".parquet")
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(100 * rows)
                .withRecordCount(rows)
                .build();
    }

    private Table now() {
        return catalog.loadTable(TABLE);
    }

    private static TableMetadata metadata(Table table) {
        return ((BaseTable) table).operations().current();
    }

    private static List<DataFile> files(Table table) {
        try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
            List<DataFile> files = new ArrayList<>();
            tasks.forEach(task -> files.add(task.file()));
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What was written since the last drain and is still there, but for the log's entries.
    private Set<String> left() {
        Set<String> there = new HashSet<>();
        for (String request : room.buckets.drain()) {
            if (request.startsWith("PUT ") && !request.contains("/_se/")) there.add(request.substring(4));
            if (request.startsWith("DELETE ")) there.remove(request.substring(7));
        }
        return there;
    }

    @ParameterizedTest
    @CsvSource({"2, true", "3, true", "2, false", "3, false"})
    void manyWritersOfOneTableAllLandAndLeaveItWhole(int version, boolean isFast) {
        Table table = created(version, Map.of());
        table.newDelete().deleteFile("s3://dev/data/first.parquet").commit();
        long rowsBefore = version >= 3 ? 1 : 0;
        room.buckets.drain();
        ConcurrentLinkedQueue<Long> landed = new ConcurrentLinkedQueue<>();
        int writers = 6;
        int appends = 6;
        try (ExecutorService threads = Executors.newFixedThreadPool(writers)) {
            List<Future<?>> running = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                int first = writer * appends;
                running.add(threads.submit(() -> append(first, appends, isFast, landed)));
            }
            for (Future<?> one : running) one.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
        assertThat(landed.size()).isGreaterThanOrEqualTo(writers * appends * 95 / 100);

        Table seen = now();
        List<DataFile> files = files(seen);
        assertThat(files.stream().map(DataFile::location))
                .containsExactlyInAnyOrderElementsOf(landed.stream()
                        .map(id -> "s3://dev/data/" + id + ".avro")
                        .toList());
        assertThat(files.stream().map(DataFile::dataSequenceNumber).sorted())
                .containsExactlyElementsOf(
                        IntStream.range(0, landed.size()).mapToObj(i -> i + 3L).toList());
        List<Long> expected = landed.stream()
                .flatMap(id -> IntStream.range(0, rows(id)).mapToObj(row -> id * 100 + row))
                .toList();
        assertThat(AvroFiles.ids(seen)).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(seen.currentSnapshot().summary())
                .containsEntry("total-records", Integer.toString(expected.size()))
                .containsEntry("total-data-files", Integer.toString(landed.size()))
                .containsEntry(
                        "total-files-size",
                        Long.toString(files.stream()
                                .mapToLong(DataFile::fileSizeInBytes)
                                .sum()));
        assertHistoryIsOneLine(seen, landed.size() + 2);
        if (version >= 3) assertRowIdsAreOnce(seen, files, rowsBefore);
        assertOnlyWhatIsReferencedIsLeft(seen);
    }

    private static int rows(long id) {
        return (int) (id % 3) + 1;
    }

    private void append(int first, int count, boolean isFast, ConcurrentLinkedQueue<Long> landed) {
        Table table = client(() -> {}).loadTable(TABLE);
        for (long id = first; id < first + count; id++) {
            DataFile file = AvroFiles.written(table, id, rows(id));
            AppendFiles append = isFast ? table.newFastAppend() : table.newAppend();
            try {
                append.appendFile(file).commit();
                landed.add(id);
            } catch (CommitFailedException lost) {
                // Counted by its absence.
                assertThat(lost).hasMessageContaining("Commit failed");
            }
        }
    }

    private static void assertHistoryIsOneLine(Table table, int length) {
        TableMetadata metadata = metadata(table);
        int seen = 0;
        long sequence = Long.MAX_VALUE;
        for (Snapshot at = table.currentSnapshot(); at != null; seen++) {
            assertThat(at.sequenceNumber()).isLessThan(sequence);
            sequence = at.sequenceNumber();
            at = at.parentId() == null ? null : metadata.snapshot(at.parentId());
        }
        assertThat(seen).isEqualTo(length).isEqualTo(metadata.snapshots().size());
    }

    private static void assertRowIdsAreOnce(Table table, List<DataFile> files, long start) {
        long next = start;
        for (DataFile file : files.stream()
                .sorted(Comparator.comparing(DataFile::firstRowId))
                .toList()) {
            assertThat(file.firstRowId()).isEqualTo(next);
            next += file.recordCount();
        }
        assertThat(metadata(table).nextRowId()).isEqualTo(next);
        long first = 0;
        for (Snapshot snapshot : metadata(table).snapshots().stream()
                .sorted(Comparator.comparingLong(Snapshot::sequenceNumber))
                .toList()) {
            assertThat(snapshot.firstRowId()).isEqualTo(first);
            first += snapshot.addedRows();
        }
    }

    private void assertOnlyWhatIsReferencedIsLeft(Table table) {
        Set<String> referenced = new HashSet<>();
        for (Snapshot snapshot : table.snapshots()) {
            referenced.add(snapshot.manifestListLocation());
            snapshot.allManifests(table.io()).stream().map(ManifestFile::path).forEach(referenced::add);
        }
        Set<String> lists = left().stream()
                .filter(key -> key.endsWith(".avro") && key.contains("/metadata/"))
                .map(key -> "s3://" + key)
                .collect(Collectors.toSet());
        assertThat(referenced).containsAll(lists);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void aLostAppendKeepsItsSnapshotAndItsWriterClearsAwayItsOwnList(int version) {
        created(version, Map.of());
        rival.set(() -> {
            now().newFastAppend().appendFile(file("rival", 5)).commit();
            room.buckets.drain();
        });
        Table mine = racing.loadTable(TABLE);
        mine.newAppend().appendFile(file("mine", 7)).set("said", "this").commit();
        assertOnlyWhatIsReferencedIsLeft(now());
        Snapshot head = now().currentSnapshot();
        assertThat(head.snapshotId()).isEqualTo(mine.currentSnapshot().snapshotId());
        assertThat(head.sequenceNumber()).isEqualTo(3);
        assertThat(head.summary())
                .containsEntry("said", "this")
                .containsEntry("added-records", "7")
                .containsEntry("total-records", "13")
                .containsEntry("total-data-files", "3")
                .containsEntry("total-files-size", "1300")
                .containsEntry("manifests-created", "1")
                .containsEntry("manifests-kept", "2");
        assertThat(files(now()).stream().map(DataFile::location).map(path -> path.substring("s3://dev/data/".length())))
                .containsExactlyInAnyOrder("first.parquet", "rival.parquet", "mine.parquet");
        if (version == 3) assertThat(head.firstRowId()).isEqualTo(6);
    }

    /// A rival is faster, and the change is then refused; nothing that was written for it is left.
    private void assertRefused(Runnable faster, Consumer<Table> change) {
        Table mine = racing.loadTable(TABLE);
        Set<String> refusedLeft = new HashSet<>();
        AtomicReference<Long> head = new AtomicReference<>();
        room.buckets.drain();
        rival.set(() -> {
            Set<String> before = left();
            faster.run();
            room.buckets.drain();
            refusedLeft.addAll(before);
            head.set(now().currentSnapshot().snapshotId());
        });
        assertThatThrownBy(() -> change.accept(mine)).isInstanceOf(CommitFailedException.class);
        assertThat(left().stream().filter(key -> !refusedLeft.contains(key))).isEmpty();
        assertThat(now().currentSnapshot().snapshotId()).isEqualTo(head.get());
    }

    private void rivalAppends() {
        now().newFastAppend().appendFile(file("rival", 5)).commit();
    }

    private static void append(Table table) {
        table.newFastAppend().appendFile(file("mine", 7)).commit();
    }

    @Test
    void aTableThatDoesNotAskForItRefuses() {
        created(3, Map.of(AppendRebase.PROPERTY, "false"));
        assertRefused(this::rivalAppends, RebaseTest::append);
    }

    @Test
    void anAppendThatLostToAnythingElseIsRefused() {
        created(2, Map.of());
        assertRefused(
                () -> now().newDelete()
                        .deleteFile("s3://dev/data/first.parquet")
                        .commit(),
                RebaseTest::append);
        assertRefused(
                () -> now().newOverwrite()
                        .addFile(file("other", 2))
                        .overwriteByRowFilter(Expressions.alwaysTrue())
                        .commit(),
                RebaseTest::append);
        assertRefused(
                () -> {
                    rivalAppends();
                    now().updateSchema().addColumn("more", Types.LongType.get()).commit();
                },
                RebaseTest::append);
        assertRefused(
                () -> {
                    rivalAppends();
                    now().updateSpec().addField("id").commit();
                },
                RebaseTest::append);
        assertRefused(
                () -> {
                    Table table = now();
                    long parent = table.currentSnapshot().parentId();
                    table.manageSnapshots().setCurrentSnapshot(parent).commit();
                },
                RebaseTest::append);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void whatIsMoreThanAnAppendIsRefused(int version) {
        created(version, Map.of());
        assertRefused(
                this::rivalAppends,
                table -> table.newDelete()
                        .deleteFile("s3://dev/data/first.parquet")
                        .commit());
        assertRefused(
                this::rivalAppends,
                table -> table.newOverwrite()
                        .overwriteByRowFilter(Expressions.alwaysTrue())
                        .addFile(file("mine", 1))
                        .commit());
        assertRefused(
                this::rivalAppends,
                table -> table.newReplacePartitions().addFile(file("mine", 1)).commit());
        assertRefused(
                this::rivalAppends,
                table -> table.newFastAppend()
                        .appendFile(file("mine", 1))
                        .set("wap.id", "w")
                        .commit());
        assertRefused(this::rivalAppends, table -> {
            Transaction both = table.newTransaction();
            both.updateProperties().set("k", "v").commit();
            both.newFastAppend().appendFile(file("mine", 1)).commit();
            both.commitTransaction();
        });
        assertRefused(this::rivalAppends, table -> {
            Transaction both = table.newTransaction();
            both.newFastAppend().appendFile(file("mine", 1)).commit();
            both.newFastAppend().appendFile(file("more", 1)).commit();
            both.commitTransaction();
        });
    }

    @Test
    void addedDeletesAreRefused() {
        created(2, Map.of());
        assertRefused(
                this::rivalAppends,
                table -> table.newRowDelta()
                        .addRows(file("mine", 1))
                        .addDeletes(FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
                                .ofEqualityDeletes(1)
                                .withPath("s3://dev/data/delete.parquet")
                                .withFormat(FileFormat.PARQUET)
                                .withFileSizeInBytes(10)
                                .withRecordCount(1)
                                .build())
                        .commit());
    }

    @Test
    void aMergedManifestIsRefused() {
        created(2, Map.of("commit.manifest.min-count-to-merge", "2"));
        rivalAppends();
        assertRefused(
                () -> now().newFastAppend().appendFile(file("other", 5)).commit(),
                table -> table.newAppend().appendFile(file("mine", 7)).commit());
    }

    @Test
    void anAppendIsPutOnAnAppendThatMerged() {
        created(2, Map.of("commit.manifest.min-count-to-merge", "2"));
        rival.set(() -> now().newAppend().appendFile(file("rival", 5)).commit());
        append(racing.loadTable(TABLE));
        assertThat(files(now())).hasSize(3);
        assertThat(now().currentSnapshot().allManifests(now().io())).hasSize(2);
    }

    /// Another list could not give such an entry the number of another snapshot.
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void anEntryWithASequenceNumberOfItsOwnIsRefused(long number) {
        Table table = created(2, Map.of());
        OutputFile out = table.io().newOutputFile(table.location() + "/metadata/own-m0.avro");
        ManifestWriter<DataFile> writer = ManifestFiles.write(2, PartitionSpec.unpartitioned(), out, null);
        try (writer) {
            writer.add(file("mine", 7), number);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        assertThat(metadata(table).nextSequenceNumber()).isEqualTo(2);
        assertRefused(
                this::rivalAppends,
                mine -> mine.newFastAppend()
                        .appendManifest(writer.toManifestFile())
                        .commit());
    }

    @Test
    void aManifestThatAWriterBringsIsAppended() {
        Table table = created(3, Map.of());
        OutputFile out = table.io().newOutputFile(table.location() + "/metadata/own-m0.avro");
        ManifestWriter<DataFile> writer = ManifestFiles.write(3, PartitionSpec.unpartitioned(), out, null);
        try (writer) {
            writer.add(file("mine", 7));
            writer.add(file("more", 2));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        rival.set(this::rivalAppends);
        racing.loadTable(TABLE)
                .newFastAppend()
                .appendManifest(writer.toManifestFile())
                .commit();
        assertThat(files(now()).stream().map(DataFile::firstRowId)).containsExactlyInAnyOrder(0L, 1L, 6L, 13L);
    }

    @Test
    void aListThatCannotBeReadIsARefusalAndNoFault() {
        created(3, Map.of());
        Table mine = racing.loadTable(TABLE);
        rival.set(() -> {
            String list = room.buckets.drain().stream()
                    .filter(request -> request.startsWith("PUT dev/") && request.contains("/snap-"))
                    .reduce((first, last) -> last)
                    .orElseThrow()
                    .substring("PUT dev/".length());
            rivalAppends();
            room.buckets.bucket("dev").delete(list).orThrow();
        });
        assertThatThrownBy(() -> append(mine)).isInstanceOf(CommitFailedException.class);
        assertThat(files(now())).hasSize(2);
    }
}
