package io.storageengine.ingest.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Ask;
import io.storageengine.core.Backoff;
import io.storageengine.core.Ids;
import io.storageengine.core.Outcome;
import io.storageengine.core.log.LogOptions;
import io.storageengine.core.log.ObjectLog;
import io.storageengine.core.message.Answer;
import io.storageengine.core.message.CommitFiles;
import io.storageengine.core.message.CommittedFiles;
import io.storageengine.core.message.Question;
import io.storageengine.core.message.TableRef;
import io.storageengine.core.message.Watermark;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.iceberg.FakeCatalog;
import io.storageengine.iceberg.TableFiles;
import io.storageengine.iceberg.TestClock;
import io.storageengine.ingest.wal.Block;
import io.storageengine.ingest.wal.LogPosition;
import io.storageengine.ingest.wal.OpenLog;
import io.storageengine.store.memory.MemoryBuckets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

class TableBuffersTest {
    private static final TableRef TABLE = new TableRef("dev", List.of("demo"), "t");
    private final TestClock clock = new TestClock();
    private final Random random = new Random(1);
    private final MemoryBuckets buckets = new MemoryBuckets(clock, new Ids(random));
    private final ObjectStore store = MemoryBuckets.oneStore(clock, new Ids(random));
    private final FakeCatalog catalog = new FakeCatalog();
    private final BlockingQueue<CommitFiles> commits = new LinkedBlockingQueue<>();
    private final Memory memory = new Memory(64 << 20, 64 << 20, clock);
    private final OpenLog log = new OpenLog(
            "log", "wal/", store, new ObjectLog(store, "wal/", "w", LogOptions.WRITE_AHEAD, clock, random), clock);

    /// A mark covers an entry whole. A commit between two rows of one entry would move it past the second,
    /// which would then count as committed: the crash test found an acknowledged row lost so.
    @Test
    void nothingIsCommittedBeforeAllRowsOfAnEntryHaveCome() throws Exception {
        commitsAnEntryOnce();
    }

    /// Replay reads the log again for tables that were full: entries that were told once are told once more.
    @Test
    void thatHoldsInReplaysLaterRoundsToo() throws Exception {
        log.written(9);
        assertThat(log.telling(1)).isEqualTo(9);
        commitsAnEntryOnce();
    }

    private void commitsAnEntryOnce() throws Exception {
        catalog.create(
                TABLE,
                new Schema(Types.NestedField.optional(1, "id", Types.LongType.get())),
                PartitionSpec.unpartitioned(),
                Map.of());
        TableBuffers buffers = buffers();
        LogPosition entry = new LogPosition(log, 1);
        arrival(buffers, "first").durable(entry);
        assertThat(commits.poll(100, TimeUnit.MILLISECONDS)).isNull();
        arrival(buffers, "second").durable(entry);
        log.written(2);
        CommitFiles commit = commits.poll(30, TimeUnit.SECONDS);
        assertThat(commit).isNotNull();
        assertThat(commit.files()).containsExactly("first", "second");
        assertThat(commit.watermarks()).containsExactly(new Watermark("log", 0, 1));
    }

    private TableBuffers buffers() {
        Ask ask = new Ask() {
            @Override
            @SuppressWarnings("unchecked")
            public <A extends Answer> Outcome<A> ask(Question<A> question, long timeoutMillis) {
                if (!(question instanceof CommitFiles commit)) return catalog.ask(question, timeoutMillis);
                commits.add(commit);
                return Outcome.ok((A) new CommittedFiles(1));
            }
        };
        Tables tables = new Tables(ask, new TableFiles(buckets), 1_000);
        TableWriter writer = new TableWriter(tables, Executors.newSingleThreadExecutor(), random, 1);
        Flush flush = new Flush(ask, tables, writer, new Parking(store, clock), 1_000, 1_000);
        return new TableBuffers(flush, memory, clock, random, new Backoff(1, 10));
    }

    /// Rows that are due at once.
    private Arrival arrival(TableBuffers buffers, String file) {
        String uuid = catalog.metadata(TABLE).uuid();
        Block block = new Block(TABLE, uuid, 1, 0, new Block.Files(List.of(file)), Optional.empty(), Optional.empty());
        return new Arrival(block, null, new Pace(0, 1), memory, buffers::add);
    }
}
