package io.storageengine.ingest.flow;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.storageengine.catalog.CatalogOptions;
import io.storageengine.catalog.CatalogService;
import io.storageengine.catalog.secrets.EncryptedSecrets;
import io.storageengine.catalog.threads.Threads;
import io.storageengine.core.Clock;
import io.storageengine.core.Done;
import io.storageengine.core.Ids;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.LoadTable;
import io.storageengine.core.message.LoadedTable;
import io.storageengine.core.message.TableRef;
import io.storageengine.core.store.BucketInfo;
import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ListPage;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.iceberg.StoreFileIO;
import io.storageengine.iceberg.TableJson;
import io.storageengine.iceberg.TestClock;
import io.storageengine.store.CountingStore;
import io.storageengine.store.Fault;
import io.storageengine.store.FaultPlan;
import io.storageengine.store.FaultStore;
import io.storageengine.store.memory.MemoryBuckets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;

/// The storage that outlives processes, in memory, with a plan of what goes wrong and a count of requests.
final class World {
    static final TableRef TABLE = new TableRef("dev", List.of("demo"), "t");
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    final Clock clock = new TestClock();
    private final MemoryBuckets buckets;
    private final Map<String, CountingStore> counting = new ConcurrentHashMap<>();
    private final Map<String, FaultStore> faulty = new ConcurrentHashMap<>();
    private volatile FaultPlan plan = call -> Fault.NONE;

    World(long seed) {
        buckets = new MemoryBuckets(clock, new Ids(new java.util.Random(seed)));
        buckets.create("cluster").orThrow();
        catalog(buckets, 1).ensureNative("dev").orThrow();
    }

    /// What goes wrong from now on.
    void plan(FaultPlan next) {
        plan = next;
    }

    /// Lets late requests have their effect.
    void land() {
        faulty.values().forEach(FaultStore::land);
    }

    CatalogService catalog(Buckets over, long seed) {
        java.util.Random random = new java.util.Random(seed);
        return new CatalogService(
                over.bucket("cluster"),
                over,
                new EncryptedSecrets(over.bucket("cluster"), KEY, random),
                CatalogOptions.serve("catalog-" + seed, Map.of()),
                new SimpleMeterRegistry(),
                clock,
                Threads.VIRTUAL,
                random);
    }

    CountingStore counted(String bucket) {
        return counting.computeIfAbsent(bucket, name -> new CountingStore(buckets.bucket(name)));
    }

    /// The buckets as processes see them.
    Buckets seen() {
        return new Seen();
    }

    private ObjectStore store(String bucket) {
        return faulty.computeIfAbsent(bucket, name -> new FaultStore(counted(name), call -> plan.next(call), clock));
    }

    private final class Seen implements Buckets {
        @Override
        public ObjectStore bucket(String name) {
            return store(name);
        }

        @Override
        public Outcome<Done> create(String name) {
            return buckets.create(name);
        }

        @Override
        public Outcome<Done> head(String name) {
            return buckets.head(name);
        }

        @Override
        public Outcome<Done> delete(String name) {
            return buckets.delete(name);
        }

        @Override
        public Outcome<List<BucketInfo>> list() {
            return buckets.list();
        }

        @Override
        public void close() {}
    }

    /// The table's metadata as a reader finds it.
    TableMetadata metadata(TableRef table) {
        LoadedTable loaded =
                (LoadedTable) catalog(buckets, 99).answer(new LoadTable(table)).orThrow();
        return TableJson.metadata(loaded.metadataLocation(), loaded.metadata());
    }

    /// All rows of a table, read by Iceberg's own reader.
    List<Record> rows(TableRef table) {
        StaticTableOperations operations = new StaticTableOperations(metadata(table), new StoreFileIO(buckets));
        try (CloseableIterable<Record> read =
                IcebergGenerics.read(new BaseTable(operations, table.display())).build()) {
            List<Record> rows = new ArrayList<>();
            read.forEach(row -> rows.add(row.copy()));
            return rows;
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /// Keys of a bucket.
    List<String> keys(String bucket, String prefix) {
        List<String> keys = new ArrayList<>();
        ListRequest request = ListRequest.of(prefix);
        while (true) {
            ListPage page = buckets.bucket(bucket).list(request).orThrow();
            page.objects().stream().map(ObjectInfo::key).forEach(keys::add);
            if (page.isLast()) return keys;
            request = request.after(page.next());
        }
    }
}
