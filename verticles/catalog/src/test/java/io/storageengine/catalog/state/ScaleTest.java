package io.storageengine.catalog.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.catalog.iceberg.TablePaths;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// A hundred thousand tables in a thousand namespaces.
class ScaleTest {
    private static final int SPACES = 1_000;
    private static final int TABLES = 100_000;
    private static final int BYTES_PER_TABLE = 300;

    private static String space(int number) {
        return "department_%04d".formatted(number);
    }

    private static String table(int number) {
        return "events_of_%06d".formatted(number);
    }

    private static CatalogState large() {
        TablePaths paths = new TablePaths("warehouse", "");
        Random random = new Random(1);
        CatalogState state = CatalogState.EMPTY;
        for (int i = 0; i < SPACES; i++) state = state.apply(new Change.SpaceCreated(space(i), Map.of()), 0);
        for (int i = 0; i < TABLES; i++) {
            UUID uuid = new UUID(random.nextLong(), random.nextLong());
            String space = space(i % SPACES);
            String place = paths.place(List.of(space), table(i), uuid);
            String location =
                    place + "/metadata/00017-" + new UUID(random.nextLong(), random.nextLong()) + ".metadata.json";
            state = state.apply(new Change.TableCreated(new TableName(space, table(i)), uuid, location), 0);
        }
        return state;
    }

    /// What is in use when what only caches hold is gone too.
    private static long usedBytes() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            memory.gc();
            used = Math.min(used, memory.getHeapMemoryUsage().getUsed());
        }
        return used;
    }

    /// A text of these characters: an object of 24 bytes and an array of 12 and one for each.
    private static long textBytes(String text) {
        return 24L + (12L + text.length() + 7) / 8 * 8;
    }

    @Test
    void aTableTakesLittleMemoryBeyondItsNames() {
        ByteBuffer checkpoint = StateCodec.encode(large());
        long before = usedBytes();
        CatalogState state = StateCodec.decode(checkpoint);
        long used = usedBytes() - before;
        assertThat(state.tableCount()).isEqualTo(TABLES);
        long names = TABLES * textBytes(table(0)) + SPACES * (textBytes(space(0)) + 200);
        long perTable = (used - names) / TABLES;
        assertThat(perTable).isBetween(100L, (long) BYTES_PER_TABLE);
    }
}
