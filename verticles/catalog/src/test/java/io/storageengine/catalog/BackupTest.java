package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.catalog.backup.BackupStorage;
import io.storageengine.catalog.backup.CatalogExport;
import io.storageengine.catalog.backup.LostCatalog;
import io.storageengine.catalog.backup.RecoveryPlan;
import io.storageengine.catalog.backup.Transfers;
import io.storageengine.catalog.registry.CatalogConfig;
import io.storageengine.catalog.registry.ClusterPlace;
import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.Change;
import io.storageengine.catalog.state.StateChanges;
import io.storageengine.catalog.state.StateCodec;
import io.storageengine.catalog.state.TableName;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.message.Claim;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.PutOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// Exports, imports and rebuilt catalogs, as `se catalog` makes them.
final class BackupTest {
    private static final String BASE = "/catalogs/dev/v1";

    private final Room room = Room.dev();

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String tables(String space) {
        return BASE + "/namespaces/" + encoded(space) + "/tables";
    }

    private BackupStorage storage() {
        return new BackupStorage(
                room.buckets,
                room.buckets.bucket("cluster-storage"),
                ClusterPlace.ELSEWHERE,
                room.clock,
                new SplittableRandom(5));
    }

    private CatalogReply done(CatalogReply reply) {
        assertThat(reply.status()).as(Room.text(reply)).isBetween(200, 299);
        return reply;
    }

    private void space(String... levels) {
        String list = "\"" + String.join("\",\"", levels) + "\"";
        done(room.post(BASE + "/namespaces", "{\"namespace\":[" + list + "],\"properties\":{\"owner\":\"é\"}}"));
    }

    private void table(String space, String name) {
        done(room.post(tables(space), Samples.createTable(name)));
    }

    private void commit(String space, String name, String value) {
        done(room.post(tables(space) + "/" + encoded(name), Samples.setProperty("p", value)));
    }

    private void view(String space, String name) {
        done(room.post(BASE + "/namespaces/" + encoded(space) + "/views", Samples.createView(name, "select 1")));
    }

    private static String names(Room of, String base, String space) {
        String path = base + "/namespaces/" + encoded(space);
        return Room.text(of.get(path + "/tables"))
                + Room.text(of.get(path + "/views"))
                + Room.text(of.get(path))
                + Room.text(of.get(base + "/namespaces?parent=" + encoded(space)));
    }

    private String property(String space, String name) {
        return Room.json(room.restarted().get(tables(space) + "/" + encoded(name)))
                .path("metadata")
                .path("properties")
                .path("p")
                .asText();
    }

    /// Deletes the objects of the log whose names begin so.
    private void loseLog(String what) {
        var bucket = room.buckets.bucket("dev");
        List<String> keys = bucket.list(ListRequest.of("_se/catalog/" + what)).orThrow().objects().stream()
                .map(ObjectInfo::key)
                .toList();
        assertThat(keys).isNotEmpty();
        assertThat(bucket.deleteAll(keys).orThrow()).isEmpty();
    }

    private static List<String> shown(List<RecoveryPlan.Item> items) {
        return items.stream().map(item -> item.name().display()).toList();
    }

    @Test
    void anImportedCatalogHasWhatTheExportedOneHad() {
        space("ns");
        space("ns", "b c/d");
        table("ns", "t");
        table("ns\u001fb c/d", "tä b%l😀e");
        view("ns", "v");
        commit("ns", "t", "1");
        CatalogExport export = new Transfers(storage()).export("dev");
        commit("ns", "t", "2");
        CatalogExport read = CatalogExport.decode(export.encode());
        var done = new Transfers(storage()).importFrom(read, "copy", Optional.of("s3://copy/deep/"));
        assertThat(done.missing()).isEmpty();
        assertThat(done.warehouse()).isEqualTo(new CatalogConfig.Native("copy", "deep/"));
        Room other = room.restarted();
        for (String space : List.of("ns", "ns\u001fb c/d")) {
            assertThat(names(other, "/catalogs/copy/v1", space)).isEqualTo(names(other, BASE, space));
        }
        String table = Room.text(other.get("/catalogs/copy/v1/namespaces/ns/tables/t"));
        assertThat(table).contains("\"p\":\"1\"");
        assertThat(property("ns", "t")).isEqualTo("2");
        String odd = "/namespaces/" + encoded("ns\u001fb c/d") + "/tables/" + encoded("tä b%l😀e");
        assertThat(other.get("/catalogs/copy/v1" + odd).status()).isEqualTo(200);
    }

    @Test
    void marksAndClaimsOfTablesAreInTheImport() {
        UUID uuid = new UUID(1, 2);
        TableName name = new TableName("ns", "t");
        CatalogState state = CatalogState.EMPTY;
        for (Change change : List.of(
                new Change.SpaceCreated("ns", Map.of("a", "b")),
                new Change.TableCreated(name, uuid, "s3://dev/t/metadata/00000-x.metadata.json"),
                new Change.TableCommitted(
                        uuid,
                        "s3://dev/t/metadata/00001-x.metadata.json",
                        Map.of("log-1", 7L),
                        List.of(new Claim("key", "hash", "log-1", 7, "answer", 3_600_000))))) {
            state = state.apply(change, 3_600_000);
        }
        CatalogExport export = new CatalogExport("dev", new CatalogConfig.Native("dev", ""), 3, 5, state);
        CatalogState read = CatalogExport.decode(export.encode()).state();
        CatalogState made = CatalogState.EMPTY;
        for (Change change : StateChanges.of(read)) made = made.apply(change, 3_600_000);
        assertThat(StateCodec.encode(made)).isEqualTo(StateCodec.encode(state));
        assertThat(made.table(name).orElseThrow().progress().marks()).containsEntry("log-1", 7L);
    }

    @Test
    void nothingIsImportedOverWhatIsThere() {
        space("ns");
        CatalogExport export = new Transfers(storage()).export("dev");
        Transfers transfers = new Transfers(storage());
        assertThatThrownBy(() -> transfers.importFrom(export, "dev", Optional.of("s3://other")))
                .hasMessageContaining("--catalog");
        assertThatThrownBy(() -> transfers.importFrom(export, "copy", Optional.empty()))
                .hasMessageContaining("--warehouse")
                .hasMessageContaining("POST /catalogs");
        assertThatThrownBy(() -> transfers.importFrom(export, "No", Optional.of("s3://other")))
                .hasMessageContaining("catalog id");
        assertThatThrownBy(() -> transfers.export("nope")).hasMessageContaining("nope");
        assertThat(room.restarted().get("/catalogs/copy/v1/config").status()).isEqualTo(404);
    }

    @Test
    void metadataThatWasNotCopiedIsNamed() {
        space("ns");
        table("ns", "t");
        byte[] file = new Transfers(storage()).export("dev").encode();
        Room elsewhere = Room.dev();
        BackupStorage other = new BackupStorage(
                elsewhere.buckets,
                elsewhere.buckets.bucket("cluster-storage"),
                ClusterPlace.ELSEWHERE,
                elsewhere.clock,
                new SplittableRandom(6));
        var done = new Transfers(other).importFrom(CatalogExport.decode(file), "copy", Optional.of("s3://copy"));
        assertThat(done.missing()).hasSize(1).first().asString().startsWith("s3://dev/ns/t-");
    }

    @Test
    void aFileThatIsDamagedCutShortOrSomethingElseIsRefused() {
        space("ns");
        table("ns", "t");
        byte[] file = new Transfers(storage()).export("dev").encode();
        for (int length = 0; length < file.length; length++) {
            byte[] cut = Arrays.copyOf(file, length);
            assertThatThrownBy(() -> CatalogExport.decode(cut)).hasMessageContaining("xport of a catalog");
        }
        for (int at = 0; at < file.length; at++) {
            byte[] changed = file.clone();
            changed[at] ^= 4;
            assertThatThrownBy(() -> CatalogExport.decode(changed)).hasMessageContaining("xport of a catalog");
        }
        byte[] longer = Arrays.copyOf(file, file.length + 1);
        assertThatThrownBy(() -> CatalogExport.decode(longer)).hasMessageContaining("cut short");
    }

    @Test
    void aLostLogIsRebuiltFromTheMetadataFiles() {
        space("ns");
        space("ns", "deep");
        table("ns", "t");
        table("ns\u001fdeep", "odd näme");
        table("ns", "dropped");
        view("ns", "v");
        for (int i = 1; i <= 7; i++) commit("ns", "t", "" + i);
        done(room.call("DELETE", tables("ns") + "/dropped", ""));
        loseLog("");
        LostCatalog lost = LostCatalog.find(storage(), "dev");
        RecoveryPlan plan = lost.plan();
        assertThat(shown(plan.taken())).containsExactly("ns.deep.odd_n_me", "ns.dropped", "ns.t", "ns.v");
        assertThat(plan.taken().getFirst().doubt()).contains("'_'");
        assertThat(plan.taken().getLast().doubt()).isEmpty();
        assertThat(plan.leftOut()).isEmpty();
        assertThat(plan.otherLines()).isEmpty();
        assertThat(room.buckets
                        .bucket("dev")
                        .list(ListRequest.of("_se/"))
                        .orThrow()
                        .objects())
                .isEmpty();
        lost.rebuild(plan);
        assertThat(property("ns", "t")).isEqualTo("7");
        Room other = room.restarted();
        assertThat(names(other, BASE, "ns")).contains("\"v\"", "\"dropped\"", "deep");
        assertThat(done(other.post(tables("ns") + "/t", Samples.setProperty("p", "8")))
                        .status())
                .isEqualTo(200);
        assertThatThrownBy(() -> lost.rebuild(plan)).hasMessageContaining("first entry");
    }

    @Test
    void ofTwoTablesOfOneNameTheNewestIsTakenAndTheOtherListed() throws Exception {
        space("ns");
        table("ns", "t");
        commit("ns", "t", "old");
        done(room.post(
                BASE + "/tables/rename",
                "{\"source\":{\"namespace\":[\"ns\"],\"name\":\"t\"},"
                        + "\"destination\":{\"namespace\":[\"ns\"],\"name\":\"moved\"}}"));
        // The library dates metadata by the machine's clock, in milliseconds.
        room.clock.sleep(5);
        table("ns", "t");
        commit("ns", "t", "new");
        loseLog("");
        LostCatalog lost = LostCatalog.find(storage(), "dev");
        RecoveryPlan plan = lost.plan();
        assertThat(shown(plan.taken())).containsExactly("ns.t");
        assertThat(shown(plan.leftOut())).containsExactly("ns.t");
        lost.rebuild(plan);
        assertThat(property("ns", "t")).isEqualTo("new");
    }

    @Test
    void tablesOfAnotherWarehouseInsideAndFilesThatAreNoMetadataAreNotTaken() {
        space("ns");
        table("ns", "t");
        done(room.post(
                "/catalogs",
                "{\"catalog_id\":\"inner\",\"config\":{\"type\":\"native\",\"warehouse\":\"s3://dev/inner\"}}"));
        done(room.post("/catalogs/inner/v1/namespaces", "{\"namespace\":[\"x\"]}"));
        done(room.post("/catalogs/inner/v1/namespaces/x/tables", Samples.createTable("theirs")));
        var junk = Content.of("{}".getBytes(StandardCharsets.UTF_8));
        room.buckets
                .bucket("dev")
                .put("ns/x/metadata/00009-a.metadata.json", junk, PutOptions.PLAIN)
                .orThrow();
        loseLog("");
        RecoveryPlan plan = LostCatalog.find(storage(), "dev").plan();
        assertThat(shown(plan.taken())).containsExactly("ns.t");
        assertThat(plan.unreadable()).hasSize(1).first().asString().contains("00009-a");
    }

    @Test
    void whatIsThereOfALogIsNeverOverwritten() {
        space("ns");
        table("ns", "t");
        assertThatThrownBy(() -> LostCatalog.find(storage(), "dev")).hasMessageContaining("can be read");
        loseLog("log/00000000000000000001");
        assertThatThrownBy(() -> LostCatalog.find(storage(), "dev"))
                .hasMessageContaining("cannot be read")
                .hasMessageContaining("move the objects there away");
        assertThatThrownBy(() -> new Transfers(storage()).export("dev")).hasMessageContaining("beginning");
        assertThatThrownBy(() -> LostCatalog.find(storage(), "nope")).hasMessageContaining("POST /catalogs");
    }

    @Test
    void aTableWhoseNewestMetadataCannotBeReadIsMarked() {
        space("ns");
        table("ns", "t");
        table("ns", "whole");
        commit("ns", "t", "1");
        var bucket = room.buckets.bucket("dev");
        String key = bucket.list(ListRequest.of("ns/t-")).orThrow().objects().stream()
                .map(ObjectInfo::key)
                .filter(name -> name.contains("/00001-"))
                .findFirst()
                .orElseThrow();
        bucket.put(key, Content.of("{".getBytes(StandardCharsets.UTF_8)), PutOptions.PLAIN)
                .orThrow();
        loseLog("");
        RecoveryPlan plan = LostCatalog.find(storage(), "dev").plan();
        assertThat(shown(plan.taken())).containsExactly("ns.t", "ns.whole");
        assertThat(plan.taken().getFirst().doubt()).contains("AN OLDER STATE");
        assertThat(plan.taken().getFirst().metadata().file()).contains("/00000-");
        assertThat(plan.taken().getLast().doubt()).isEmpty();
    }

    @Test
    void twoMetadataFilesOfOneVersionAreBothNamed() {
        space("ns");
        table("ns", "t");
        commit("ns", "t", "1");
        var bucket = room.buckets.bucket("dev");
        String key = bucket.list(ListRequest.of("ns/t-")).orThrow().objects().stream()
                .map(ObjectInfo::key)
                .filter(name -> name.contains("/00001-"))
                .findFirst()
                .orElseThrow();
        bucket.put(
                        key.replace("/00001-", "/00001-f"),
                        Content.of(bucket.read(key).orThrow()),
                        PutOptions.PLAIN)
                .orThrow();
        loseLog("");
        RecoveryPlan plan = LostCatalog.find(storage(), "dev").plan();
        assertThat(plan.taken()).hasSize(1);
        assertThat(plan.otherLines()).hasSize(1);
        assertThat(plan.otherLines().getFirst().file()).contains("/00001-");
    }
}
