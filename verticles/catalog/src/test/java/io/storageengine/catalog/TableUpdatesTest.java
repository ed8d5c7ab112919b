package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.storageengine.core.message.CatalogReply;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Every update and every requirement of the specification's commits.
final class TableUpdatesTest {
    private static final String NS = "/catalogs/dev/v1/namespaces/ns";
    private static final String TABLE = NS + "/tables/t";
    private static final String SPEC = "{\"spec-id\":1,\"fields\":[{\"field-id\":1000,\"source-id\":1,"
            + "\"name\":\"id_b\",\"transform\":\"bucket[4]\"}]}";
    private static final String BLOBS = ",\"blob-metadata\":[]}";

    /// An update and where its effect is seen in the metadata.
    private record Step(String update, String pointer, String expected) {
        String action() {
            return update.substring(0, update.indexOf('"', 1)).replace("\"", "");
        }
    }

    /// Each update on what those before it leave behind.
    private static final List<Step> STEPS = List.of(
            new Step("assign-uuid\",\"uuid\":\"%UUID\"", "/table-uuid", "\"%UUID\""),
            new Step("upgrade-format-version\",\"format-version\":3", "/format-version", "3"),
            new Step(
                    "add-schema\",\"schema\":{\"type\":\"struct\",\"fields\":["
                            + "{\"id\":1,\"name\":\"id\",\"required\":true,\"type\":\"long\"},"
                            + "{\"id\":2,\"name\":\"d\",\"required\":false,\"type\":\"string\"}]}",
                    "/schemas/1/fields/1/name",
                    "\"d\""),
            new Step("set-current-schema\",\"schema-id\":1", "/current-schema-id", "1"),
            new Step("add-spec\",\"spec\":" + SPEC, "/partition-specs/1/fields/0/name", "\"id_b\""),
            new Step("set-default-spec\",\"spec-id\":1", "/default-spec-id", "1"),
            new Step(
                    "add-sort-order\",\"sort-order\":{\"order-id\":1,\"fields\":[{\"transform\":\"identity\","
                            + "\"source-id\":1,\"direction\":\"asc\",\"null-order\":\"nulls-first\"}]}",
                    "/sort-orders/1/fields/0/source-id",
                    "1"),
            new Step("set-default-sort-order\",\"sort-order-id\":1", "/default-sort-order-id", "1"),
            new Step(
                    "add-snapshot\",\"snapshot\":{\"snapshot-id\":7,\"sequence-number\":1,\"timestamp-ms\":"
                            + "1700000000000,\"schema-id\":1,\"summary\":{\"operation\":\"append\"},"
                            + "\"manifest-list\":\"s3://dev/m.avro\",\"first-row-id\":0,\"added-rows\":5}",
                    "/next-row-id",
                    "5"),
            new Step(
                    "set-snapshot-ref\",\"ref-name\":\"main\",\"type\":\"branch\",\"snapshot-id\":7",
                    "/current-snapshot-id",
                    "7"),
            new Step(
                    "set-snapshot-ref\",\"ref-name\":\"t1\",\"type\":\"tag\",\"snapshot-id\":7,"
                            + "\"max-ref-age-ms\":1000",
                    "/refs/t1/max-ref-age-ms",
                    "1000"),
            new Step("remove-snapshot-ref\",\"ref-name\":\"t1\"", "/refs/t1", ""),
            new Step("set-properties\",\"updates\":{\"k\":\"v\"}", "/properties/k", "\"v\""),
            new Step("remove-properties\",\"removals\":[\"k\"]", "/properties/k", ""),
            new Step(
                    "set-statistics\",\"snapshot-id\":7,\"statistics\":{\"snapshot-id\":7,\"statistics-path\":"
                            + "\"s3://dev/s\",\"file-size-in-bytes\":1,\"file-footer-size-in-bytes\":1" + BLOBS,
                    "/statistics/0/statistics-path",
                    "\"s3://dev/s\""),
            new Step("remove-statistics\",\"snapshot-id\":7", "/statistics/0", ""),
            new Step(
                    "set-partition-statistics\",\"partition-statistics\":{\"snapshot-id\":7,\"statistics-path\":"
                            + "\"s3://dev/p\",\"file-size-in-bytes\":1}",
                    "/partition-statistics/0/statistics-path",
                    "\"s3://dev/p\""),
            new Step("remove-partition-statistics\",\"snapshot-id\":7", "/partition-statistics/0", ""),
            new Step(
                    "add-encryption-key\",\"encryption-key\":{\"key-id\":\"k1\","
                            + "\"encrypted-key-metadata\":\"bWV0YQ==\"}",
                    "/encryption-keys/0/key-id",
                    "\"k1\""),
            new Step("remove-encryption-key\",\"key-id\":\"k1\"", "/encryption-keys/0", ""),
            new Step("remove-partition-specs\",\"spec-ids\":[0]", "/partition-specs/1", ""),
            new Step("remove-schemas\",\"schema-ids\":[0]", "/schemas/1", ""),
            new Step("set-location\",\"location\":\"s3://dev/elsewhere\"", "/location", "\"s3://dev/elsewhere\""),
            new Step("remove-snapshot-ref\",\"ref-name\":\"main\"", "/refs/main", ""),
            new Step("remove-snapshots\",\"snapshot-ids\":[7]", "/snapshots/0", ""));

    private final Room room = Room.dev();
    private String uuid = "";

    @BeforeEach
    void makeTable() {
        room.post("/catalogs/dev/v1/namespaces", "{\"namespace\":[\"ns\"]}");
        CatalogReply reply = room.post(NS + "/tables", Samples.createTable("t"));
        uuid = Room.json(reply).path("metadata").path("table-uuid").asText();
    }

    private CatalogReply commit(String requirements, String updates) {
        return room.post(TABLE, "{\"requirements\":[" + requirements + "],\"updates\":[" + updates + "]}");
    }

    @Test
    void everyUpdateHasItsEffect() {
        Set<String> actions = new TreeSet<>();
        for (Step step : STEPS) {
            actions.add(step.action());
            String update = "{\"action\":\"" + step.update().replace("%UUID", uuid) + "}";
            CatalogReply reply = commit("", update);
            assertThat(reply.status()).as("%s: %s", update, Room.text(reply)).isEqualTo(200);
            JsonNode seen =
                    Room.json(room.restarted().get(TABLE)).path("metadata").at(step.pointer());
            String expected = step.expected().replace("%UUID", uuid);
            assertThat(seen.toString()).as(update).isEqualTo(expected);
        }
        assertThat(actions).as("those of the specification").hasSize(23);
    }

    @ParameterizedTest
    @CsvSource({
        "'{\"action\":\"do-magic\"}',do-magic",
        "'{\"action\":\"add-view-version\",\"view-version\":{}}',",
        "'{\"action\":\"upgrade-format-version\",\"format-version\":4}','Format version 4 is not supported'"
    })
    void anUpdateThatIsNoneIsRefusedByName(String update, String named) {
        CatalogReply reply = commit("", update);
        assertThat(reply.status()).isEqualTo(400);
        if (named != null) assertThat(Room.text(reply)).contains(named);
    }

    @Test
    void aRequirementThatIsNoneIsRefusedByName() {
        CatalogReply reply = commit("{\"type\":\"assert-moon-phase\"}", "");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(Room.text(reply)).contains("assert-moon-phase");
    }

    @ParameterizedTest
    @CsvSource({
        "'\"assert-table-uuid\",\"uuid\":\"%\"',%UUID,00000000-0000-4000-8000-000000000000",
        "'\"assert-ref-snapshot-id\",\"ref\":\"main\",\"snapshot-id\":%',null,9",
        "'\"assert-last-assigned-field-id\",\"last-assigned-field-id\":%',1,2",
        "'\"assert-current-schema-id\",\"current-schema-id\":%',0,1",
        "'\"assert-last-assigned-partition-id\",\"last-assigned-partition-id\":%',999,1000",
        "'\"assert-default-spec-id\",\"default-spec-id\":%',0,1",
        "'\"assert-default-sort-order-id\",\"default-sort-order-id\":%',0,1"
    })
    void everyRequirementHoldsOrIsALostRace(String requirement, String good, String bad) {
        String property = "{\"action\":\"set-properties\",\"updates\":{\"k\":\"v\"}}";
        String text = "{\"type\":" + requirement + "}";
        CatalogReply lost = commit(text.replace("%", bad), property);
        assertThat(lost.status()).as(Room.text(lost)).isEqualTo(409);
        assertThat(Room.text(lost)).contains("CommitFailedException");
        CatalogReply done = commit(text.replace("%", good.replace("%UUID", uuid)), property);
        assertThat(done.status()).as(Room.text(done)).isEqualTo(200);
    }

    private static String branch(String name, long id, long firstRowId, long rows) {
        return "{\"action\":\"add-snapshot\",\"snapshot\":{\"snapshot-id\":" + id + ",\"sequence-number\":" + id
                + ",\"timestamp-ms\":1700000000000,\"schema-id\":0,\"summary\":{\"operation\":\"append\"},"
                + "\"manifest-list\":\"s3://dev/m" + id + ".avro\",\"first-row-id\":" + firstRowId
                + ",\"added-rows\":" + rows + "}},{\"action\":\"set-snapshot-ref\",\"ref-name\":\"" + name
                + "\",\"type\":\"branch\",\"snapshot-id\":" + id + "}";
    }

    @Test
    void rowIdsAreGivenOnceOverAllBranches() {
        commit("", "{\"action\":\"upgrade-format-version\",\"format-version\":3}");
        String both = branch("main", 1, 0, 10) + "," + branch("audit", 2, 10, 5);
        CatalogReply first = commit("", both);
        assertThat(Room.json(first).path("metadata").path("next-row-id").asLong())
                .as(Room.text(first))
                .isEqualTo(15);
        for (String stale :
                List.of(branch("other", 3, 14, 1), branch("other", 3, 15, 3) + "," + branch("audit", 4, 16, 1))) {
            CatalogReply reply = commit("", stale);
            assertThat(reply.status()).as(Room.text(reply)).isEqualTo(409);
        }
        CatalogReply good = commit("", branch("audit", 3, 15, 2));
        assertThat(Room.json(good).path("metadata").path("next-row-id").asLong())
                .isEqualTo(17);
    }
}
