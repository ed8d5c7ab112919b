package io.storageengine.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotParser;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

class HistoryRuleTest {
    private static final long HOUR = 3_600_000;
    private static final long NOW = 1_700_000_000_000L;

    /// Snapshots 1 to `count`, an hour apart, the last one now.
    private static TableMetadata table(int count) {
        Schema schema = new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));
        TableMetadata table =
                TableMetadata.newTableMetadata(schema, PartitionSpec.unpartitioned(), "s3://b/t", Map.of());
        TableMetadata.Builder with = TableMetadata.buildFrom(table);
        for (int i = 1; i <= count; i++)
            with.setBranchSnapshot(snapshot(i, NOW - (count - i) * HOUR), SnapshotRef.MAIN_BRANCH);
        return with.build();
    }

    private static Snapshot snapshot(int id, long millis) {
        String parent = id == 1 ? "" : "\"parent-snapshot-id\":" + (id - 1) + ",";
        return SnapshotParser.fromJson("{\"snapshot-id\":" + id + "," + parent + "\"sequence-number\":" + id
                + ",\"timestamp-ms\":" + millis + ",\"summary\":{\"operation\":\"append\"},"
                + "\"manifest-list\":\"s3://b/t/" + id + ".avro\",\"schema-id\":0}");
    }

    private static List<Long> spare(HistoryRule rule, TableMetadata table) {
        return rule.spare(table, NOW).stream().map(Snapshot::snapshotId).toList();
    }

    @Test
    void theNewestStayAndOthersUntilTheyAreADayOld() {
        assertThat(HistoryRule.of(Map.of())).isEqualTo(new HistoryRule(24 * HOUR, 100, 1_000));
        assertThat(spare(new HistoryRule(24 * HOUR, 2, 1_000), table(28))).containsExactly(1L, 2L, 3L);
        assertThat(spare(new HistoryRule(24 * HOUR, 27, 1_000), table(28))).containsExactly(1L);
        assertThat(spare(new HistoryRule(24 * HOUR, 100, 1_000), table(28))).isEmpty();
        assertThat(spare(new HistoryRule(1, 1, 1), table(0))).isEmpty();
    }

    @Test
    void ofTooManyTheOldestGoBeforeTheirTime() {
        assertThat(spare(new HistoryRule(24 * HOUR, 2, 5), table(8))).containsExactly(1L, 2L, 3L);
    }

    @Test
    void whatAnotherBranchOrATagHasIsLeftAlone() {
        TableMetadata table = TableMetadata.buildFrom(table(8))
                .setRef("old", SnapshotRef.tagBuilder(2).build())
                .build();
        assertThat(spare(new HistoryRule(24 * HOUR, 2, 5), table)).containsExactly(3L);
    }

    @Test
    void theTablesPropertiesAreTaken() {
        Map<String, String> set = Map.of(
                "history.expire.max-snapshot-age-ms",
                "5",
                "history.expire.min-snapshots-to-keep",
                "7",
                HistoryRule.COUNT_MAX,
                "6");
        assertThat(HistoryRule.of(set)).isEqualTo(new HistoryRule(5, 7, 7));
        assertThat(HistoryRule.of(Map.of("history.expire.max-snapshot-age-ms", "soon")))
                .isEqualTo(HistoryRule.of(Map.of()));
    }
}
