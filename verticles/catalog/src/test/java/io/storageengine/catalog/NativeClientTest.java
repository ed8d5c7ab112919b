package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.core.store.Content;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.PutOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableCommit;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Iceberg's own Java client on a native catalog.
final class NativeClientTest {
    private static final Schema SCHEMA = new Schema(
            Types.NestedField.required(1, "id", Types.LongType.get()),
            Types.NestedField.optional(2, "data", Types.StringType.get()));
    private static final TableIdentifier TABLE = TableIdentifier.of("ns", "tbl");

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
                        "io-impl",
                        MemoryIo.class.getName()));
        return catalog;
    }

    private static DataFile file(String name, long rows) {
        return DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath("s3://dev/data/" + name + ".parquet")
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(1_000)
                .withRecordCount(rows)
                .build();
    }

    private Table created(int formatVersion) {
        MemoryIo.BUCKETS.set(room.buckets);
        catalog.createNamespace(Namespace.of("ns"), new HashMap<>(Map.of("owner", "me")));
        return catalog.buildTable(TABLE, SCHEMA)
                .withProperty("format-version", Integer.toString(formatVersion))
                .create();
    }

    private static TableMetadata metadata(Table table) {
        return ((BaseTable) table).operations().current();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aTableIsCreatedAppendedToAndReadByAnotherProcess(int formatVersion) {
        Table table = created(formatVersion);
        table.newFastAppend().appendFile(file("a", 10)).commit();
        table.newFastAppend().appendFile(file("b", 5)).commit();

        Table seen = clientOf(room.restarted()).loadTable(TABLE);
        assertThat(seen.currentSnapshot().snapshotId())
                .isEqualTo(table.currentSnapshot().snapshotId());
        assertThat(metadata(seen).formatVersion()).isEqualTo(formatVersion);
        assertThat(seen.location()).matches("s3://dev/ns/tbl-[0-9a-f]{8}");
        assertThat(metadata(seen).metadataFileLocation())
                .startsWith(seen.location() + "/metadata/00002-")
                .endsWith(".metadata.json");
        assertThat(metadata(seen).previousFiles()).hasSize(2);
        if (formatVersion == 3) {
            List<Snapshot> snapshots = List.copyOf(metadata(seen).snapshots());
            assertThat(snapshots.stream().map(Snapshot::firstRowId)).containsExactly(0L, 10L);
            assertThat(metadata(seen).nextRowId()).isEqualTo(15);
        }
    }

    @Test
    void aStagedCreateMakesTheTableOnlyWhenItIsCommitted() {
        MemoryIo.BUCKETS.set(room.buckets);
        catalog.createNamespace(Namespace.of("ns"));
        Transaction first = catalog.buildTable(TABLE, SCHEMA).createTransaction();
        Transaction second = catalog.buildTable(TABLE, SCHEMA).createTransaction();
        first.newFastAppend().appendFile(file("a", 1)).commit();
        assertThat(catalog.tableExists(TABLE)).isFalse();
        first.commitTransaction();
        assertThat(catalog.loadTable(TABLE).currentSnapshot().summary()).containsEntry("added-records", "1");
        assertThatThrownBy(second::commitTransaction)
                .isInstanceOf(AlreadyExistsException.class)
                .hasMessageContaining("Requirement failed: table already exists");
    }

    @Test
    void aLostRaceIsToldAsSuch() {
        Table table = created(3);
        Table other = catalog.loadTable(TABLE);
        UpdateSchema stale = other.updateSchema().addColumn("more", Types.IntegerType.get());
        table.updateSchema().addColumn("first", Types.IntegerType.get()).commit();
        assertThatThrownBy(stale::commit)
                .isInstanceOf(CommitFailedException.class)
                .hasMessageContaining("Requirement failed: last assigned field id changed");
    }

    @Test
    void concurrentAppendsByTwoClientsBothLand() {
        Table table = created(3);
        Table other = catalog.loadTable(TABLE);
        table.newFastAppend().appendFile(file("a", 3)).commit();
        other.newFastAppend().appendFile(file("b", 4)).commit();
        Table seen = catalog.loadTable(TABLE);
        assertThat(seen.snapshots()).hasSize(2);
        assertThat(metadata(seen).nextRowId()).isEqualTo(7);
    }

    @Test
    void severalTablesAreCommittedTogetherOrNotAtAll() {
        Table table = created(3);
        TableIdentifier second = TableIdentifier.of("ns", "second");
        Table other = catalog.createTable(second, SCHEMA);
        TableCommit one = TableCommit.create(TABLE, metadata(table), withProperty(table, "k"));
        TableCommit two = TableCommit.create(second, metadata(other), withProperty(other, "k"));
        catalog.commitTransaction(one, two);
        assertThat(catalog.loadTable(TABLE).properties()).containsEntry("k", "v");
        assertThat(catalog.loadTable(second).properties()).containsEntry("k", "v");
        TableMetadata before = metadata(catalog.loadTable(second));
        other.refresh();
        other.updateSchema().addColumn("more", Types.IntegerType.get()).commit();
        TableMetadata stale = TableMetadata.buildFrom(before)
                .addSchema(new Schema(Types.NestedField.required(1, "id", Types.LongType.get())))
                .setCurrentSchema(-1)
                .build();
        assertThatThrownBy(() -> catalog.commitTransaction(
                        TableCommit.create(TABLE, metadata(catalog.loadTable(TABLE)), withProperty(table, "l")),
                        TableCommit.create(second, before, stale)))
                .isInstanceOf(CommitFailedException.class);
        assertThat(catalog.loadTable(TABLE).properties()).doesNotContainKey("l");
    }

    private static TableMetadata withProperty(Table table, String name) {
        return TableMetadata.buildFrom(metadata(table))
                .setProperties(Map.of(name, "v"))
                .build();
    }

    @Test
    void aTableThatDidNotChangeIsNotSentTwice() {
        created(2);
        List<Integer> statuses = new ArrayList<>();
        RESTCatalog noting = new RESTCatalog(
                Room.anybody(), properties -> new DirectClient(room.service, "/catalogs/dev", statuses::add));
        noting.initialize(
                "it",
                Map.of(
                        "uri",
                        "http://none.invalid/",
                        "rest-metrics-reporting-enabled",
                        "false",
                        "io-impl",
                        MemoryIo.class.getName()));
        noting.loadTable(TABLE);
        statuses.clear();
        Table again = noting.loadTable(TABLE);
        assertThat(statuses).containsExactly(304);
        again.newFastAppend().appendFile(file("a", 1)).commit();
        statuses.clear();
        assertThat(noting.loadTable(TABLE).currentSnapshot().summary()).containsEntry("added-records", "1");
        assertThat(statuses).containsExactly(200);
    }

    @Test
    void aReplacedTableKeepsItsUuidAndItsNumbersGoUp() {
        Table table = created(2);
        table.newFastAppend().appendFile(file("a", 3)).commit();
        TableMetadata before = metadata(table);
        Transaction replace = catalog.buildTable(TABLE, SCHEMA).replaceTransaction();
        replace.newFastAppend().appendFile(file("b", 4)).commit();
        replace.commitTransaction();
        TableMetadata after = metadata(catalog.loadTable(TABLE));
        assertThat(after.uuid()).isEqualTo(before.uuid());
        assertThat(after.lastSequenceNumber()).isGreaterThan(before.lastSequenceNumber());
    }

    @Test
    void tablesAreRenamedRegisteredAndDropped() {
        Table table = created(2);
        table.newFastAppend().appendFile(file("a", 3)).commit();
        TableIdentifier renamed = TableIdentifier.of("ns", "Other Name.x");
        catalog.renameTable(TABLE, renamed);
        assertThat(catalog.tableExists(TABLE)).isFalse();
        assertThat(catalog.listTables(Namespace.of("ns"))).containsExactly(renamed);
        String location = metadata(catalog.loadTable(renamed)).metadataFileLocation();
        assertThatThrownBy(() -> catalog.registerTable(renamed, location))
                .isInstanceOf(AlreadyExistsException.class)
                .hasMessageContaining("Table already exists: ns.Other Name.x");
        assertThat(catalog.dropTable(renamed, false)).isTrue();
        assertThat(catalog.dropTable(renamed)).isFalse();
        Table back = catalog.registerTable(TABLE, location);
        assertThat(back.currentSnapshot().summary()).containsEntry("added-records", "3");
        assertThatThrownBy(() -> catalog.renameTable(TABLE, TableIdentifier.of("nowhere", "t")))
                .isInstanceOf(NoSuchNamespaceException.class);
    }

    @Test
    void aPurgedTablesManifestsAndFilesGoAndThoseElsewhereStay() throws InterruptedException {
        Table table = created(3);
        String inside = table.location().substring("s3://dev/".length()) + "/data/a.parquet";
        for (String key : List.of(inside, "data/b.parquet")) {
            room.buckets
                    .bucket("dev")
                    .put(key, Content.of(new byte[1]), PutOptions.IF_ABSENT)
                    .orThrow();
        }
        DataFile mine = DataFiles.builder(PartitionSpec.unpartitioned())
                .copy(file("a", 1))
                .withPath("s3://dev/" + inside)
                .build();
        table.newFastAppend().appendFile(mine).commit();
        table.newFastAppend().appendFile(file("b", 1)).commit();
        assertThat(catalog.dropTable(TABLE, true)).isTrue();
        var store = room.buckets.bucket("dev");
        for (int i = 0; i < 2_000; i++) {
            if (store.list(ListRequest.of("ns/")).orThrow().objects().isEmpty()) break;
            room.clock.sleep(5);
        }
        assertThat(store.list(ListRequest.of("ns/")).orThrow().objects()).isEmpty();
        assertThat(store.head("data/b.parquet").isOk()).isTrue();
    }

    @Test
    void historyIsReadWhenOnlyReferencedSnapshotsAreLoadedFirst() {
        created(2).newFastAppend().appendFile(file("a", 3)).commit();
        RESTCatalog refs =
                new RESTCatalog(Room.anybody(), properties -> new DirectClient(room.service, "/catalogs/dev"));
        refs.initialize(
                "it",
                Map.of(
                        "uri",
                        "http://none.invalid/",
                        "rest-metrics-reporting-enabled",
                        "false",
                        "io-impl",
                        MemoryIo.class.getName(),
                        "snapshot-loading-mode",
                        "refs"));
        Table table = refs.loadTable(TABLE);
        table.newFastAppend().appendFile(file("b", 4)).commit();
        assertThat(refs.loadTable(TABLE).snapshots()).hasSize(2);
    }

    @Test
    void branchesTagsPropertiesAndSpecsAreCommitted() {
        Table table = created(3);
        table.newFastAppend().appendFile(file("a", 3)).commit();
        long id = table.currentSnapshot().snapshotId();
        table.manageSnapshots().createTag("t1", id).createBranch("b1", id).commit();
        table.newFastAppend().appendFile(file("b", 4)).toBranch("b1").commit();
        table.updateProperties().set("k", "v").commit();
        table.updateSpec().addField("data").commit();
        table.replaceSortOrder().asc("id").commit();
        table.updateSchema().addColumn("c", Types.TimestampType.withZone()).commit();
        table.expireSnapshots().retainLast(1).commit();
        TableMetadata seen = metadata(catalog.loadTable(TABLE));
        assertThat(seen.refs()).containsKeys("t1", "b1", "main");
        assertThat(seen.nextRowId()).isEqualTo(7);
        assertThat(seen.properties()).containsEntry("k", "v");
        assertThat(seen.spec().fields()).hasSize(1);
        assertThat(seen.schema().findField("c")).isNotNull();
    }

    @Test
    void namespacesBehaveAsTheClientExpects() {
        SupportsNamespaces spaces = catalog;
        Namespace nested = Namespace.of("Top Level", "a.b+c/d", "ünï%1F".replace("%1F", "☃"));
        spaces.createNamespace(nested, new HashMap<>(Map.of("k", "v")));
        assertThat(spaces.listNamespaces()).containsExactly(Namespace.of("Top Level"));
        assertThat(spaces.listNamespaces(Namespace.of("Top Level")))
                .containsExactly(Namespace.of("Top Level", "a.b+c/d"));
        assertThat(spaces.loadNamespaceMetadata(nested)).containsEntry("k", "v");
        assertThat(spaces.setProperties(nested, new HashMap<>(Map.of("x", "y"))))
                .isTrue();
        spaces.removeProperties(nested, new HashSet<>(Set.of("k", "absent")));
        assertThat(spaces.loadNamespaceMetadata(nested)).isEqualTo(Map.of("x", "y"));
        assertThatThrownBy(() -> spaces.dropNamespace(Namespace.of("Top Level")))
                .isInstanceOf(NamespaceNotEmptyException.class)
                .hasMessageContaining("is not empty");
        assertThat(spaces.dropNamespace(nested)).isTrue();
        assertThat(spaces.dropNamespace(nested)).isFalse();
        assertThat(spaces.namespaceExists(nested)).isFalse();
        assertThatThrownBy(() -> catalog.loadTable(TableIdentifier.of(nested, "t")))
                .isInstanceOf(NoSuchTableException.class)
                .hasMessageContaining("Table does not exist: Top Level.a.b+c/d.ünï☃.t");
    }

    @Test
    void namesOfAnyKindAreKept() {
        MemoryIo.BUCKETS.set(room.buckets);
        Catalog tables = catalog;
        Namespace space = Namespace.of("s p.A");
        catalog.createNamespace(space);
        for (String name : List.of("Upper", "with space", "dot.ted", "sl/ash", "plus+%20", "日本", "..", "_se", "'\"")) {
            TableIdentifier id = TableIdentifier.of(space, name);
            Table table = tables.createTable(id, SCHEMA);
            table.newFastAppend().appendFile(file("f", 1)).commit();
            assertThat(tables.loadTable(id).location()).isEqualTo(table.location());
        }
        assertThat(clientOf(room.restarted()).listTables(space)).hasSize(9);
    }
}
