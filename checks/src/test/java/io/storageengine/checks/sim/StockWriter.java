package io.storageengine.checks.sim;

import io.storageengine.catalog.DirectClient;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.iceberg.StoreFileIO;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestWriter;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.Transactions;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SessionCatalog.SessionContext;
import org.apache.iceberg.catalog.TableCommit;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.RESTException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.rest.RESTSessionCatalog;
import org.apache.iceberg.types.Types;

/// A process with Iceberg's own client: what it is refused it cleans up, what it does not know it leaves.
final class StockWriter implements Runnable {
    static final int TABLES = 3;
    /// The table that most writers want.
    private static final int CROWDED = 1;
    /// The summary field that tells which action made a snapshot.
    static final String TOKEN = "token";

    private static final String KEY = "idempotency-key";
    private static final int SENDS_MAX = 3;
    private static final long LATE_MILLIS = 20 * 60_000;
    private static final Schema SCHEMA = new Schema(Types.NestedField.required(1, "id", Types.LongType.get()));

    private final SimProcess process;
    private final World world;
    private final Supplier<RestNode> nodes;
    private final RestChecker checker;
    private final List<String> offered;
    private final RestVariant variant;
    private final FileIO io;
    private final RESTSessionCatalog session;
    private int left;
    private boolean isDone;

    /// @param offered metadata files of tables that may soon be purged; for all writers
    /// @param actions how many it does
    StockWriter(
            SimProcess process,
            Map<String, SimDisk> disks,
            Supplier<RestNode> nodes,
            RestChecker checker,
            List<String> offered,
            RestVariant variant,
            int actions) {
        this.process = process;
        this.world = process.world();
        this.nodes = nodes;
        this.checker = checker;
        this.offered = offered;
        this.variant = variant;
        this.left = actions;
        this.io = new StoreFileIO(
                new SimBuckets(disks, disk -> new SimStore(disk, process, LogVariant.RETENTION_MILLIS)));
        this.session = new RESTSessionCatalog(
                properties -> new DirectClient(this::send, "/catalogs/" + RestSimulation.CATALOG),
                (context, properties) -> io);
    }

    SimProcess process() {
        return process;
    }

    /// Nothing more comes of it.
    boolean isOver() {
        return isDone || process.isDead();
    }

    FileIO io() {
        return io;
    }

    static TableIdentifier name(int table) {
        return TableIdentifier.of("ns", "t" + table);
    }

    private static SessionContext anybody() {
        return SessionContext.createEmpty();
    }

    BaseTable load(int table) {
        return (BaseTable) session.loadTable(anybody(), name(table));
    }

    /// All tables that there are.
    List<BaseTable> all() {
        return session.listTables(anybody(), Namespace.of("ns")).stream()
                .map(name -> (BaseTable) session.loadTable(anybody(), name))
                .toList();
    }

    private void begin() {
        session.initialize("sim", Map.of("uri", "http://none.invalid/", "rest-metrics-reporting-enabled", "false"));
    }

    /// Two tables whose appends are rebased, and one where they are not; old metadata files are cleaned up.
    boolean makeTables() {
        begin();
        session.createNamespace(anybody(), Namespace.of("ns"), new HashMap<>());
        for (int i = 0; i < TABLES; i++) {
            Map<String, String> properties = new HashMap<>(Map.of(
                    "format-version", "3",
                    "se.commit.rebase-appends", Boolean.toString(i > 0),
                    "write.metadata.delete-after-commit.enabled", "true",
                    "write.metadata.previous-versions-max", "3",
                    "commit.retry.num-retries", Integer.toString(i),
                    "commit.retry.min-wait-ms", "1",
                    "commit.retry.max-wait-ms", "1"));
            session.buildTable(anybody(), name(i), SCHEMA)
                    .withProperties(properties)
                    .create();
        }
        return true;
    }

    @Override
    public void run() {
        while (!isBegun()) process.sleep(200);
        while (left > 0) {
            left--;
            process.sleep(1 + world.random().nextLong(100));
            try {
                act();
            } catch (RuntimeException notEvenBegun) {
                world.say(process.name() + " could not begin: " + notEvenBegun.getMessage());
            }
        }
        isDone = true;
    }

    private boolean isBegun() {
        try {
            begin();
            return true;
        } catch (RuntimeException away) {
            world.say(process.name() + " hears nothing: " + away.getMessage());
            return false;
        }
    }

    private void act() {
        int first = world.random().nextBoolean() ? CROWDED : world.random().nextInt(TABLES);
        int second = (first + 1) % TABLES;
        switch (world.random().nextInt(10)) {
            case 0, 1 -> commit(List.of(first, second));
            case 2 -> setProperty(first);
            case 3 -> makeAndPurge();
            case 4 -> adopt();
            default -> commit(List.of(first));
        }
    }

    private BaseTable read(int table) {
        long began = world.nanos();
        BaseTable found = load(table);
        checker.read(process.name(), table, found.operations().current(), began);
        return found;
    }

    /// A table as it was read, and the manifest that it is to get.
    private record Part(int number, BaseTable table, ManifestFile manifest) {}

    /// Appends one file each to these tables, at once.
    private void commit(List<Integer> numbers) {
        String token = process.name() + "-" + left + "-";
        List<BaseTable> tables = numbers.stream().map(this::read).toList();
        List<String> mine = new ArrayList<>();
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < numbers.size(); i++)
            parts.add(new Part(numbers.get(i), tables.get(i), manifest(tables.get(i), token, mine)));
        checker.trying(token, numbers, world.nanos());
        try {
            Part first = parts.getFirst();
            if (parts.size() > 1) transaction(parts, token);
            else append(first.table().newFastAppend(), first.manifest(), token);
            checker.acked(token, world.nanos());
        } catch (CommitFailedException refused) {
            refused(token, mine);
        } catch (RuntimeException unknown) {
            world.say(process.name() + " does not know: " + unknown);
            if (variant == RestVariant.UNKNOWN_IS_DONE) checker.acked(token, world.nanos());
            if (variant == RestVariant.UNKNOWN_IS_REFUSED) refused(token, mine);
        }
    }

    private void refused(String token, List<String> files) {
        checker.refused(token);
        for (String file : files) {
            try {
                io.deleteFile(file);
            } catch (RuntimeException stays) {
                world.say(file + " stays: " + stays.getMessage());
            }
        }
    }

    private static void append(AppendFiles append, ManifestFile manifest, String token) {
        append.scanManifestsWith(SimProcess.ONE.together())
                .appendManifest(manifest)
                .set(TOKEN, token)
                .commit();
    }

    private void transaction(List<Part> parts, String token) {
        List<TableCommit> commits = new ArrayList<>();
        for (Part part : parts) {
            BaseTable table = part.table();
            BaseTransaction made = (BaseTransaction) Transactions.newTransaction(table.name(), table.operations());
            append(made.newFastAppend(), part.manifest(), token);
            commits.add(TableCommit.create(name(part.number()), made.startMetadata(), made.currentMetadata()));
        }
        if (variant == RestVariant.SPLITS_TRANSACTIONS) {
            for (TableCommit commit : commits) session.commitTransaction(anybody(), List.of(commit));
        } else {
            session.commitTransaction(anybody(), commits);
        }
    }

    /// Writes a file of no rows' worth of bytes that is said to have one, and a manifest that names it.
    private ManifestFile manifest(BaseTable table, String token, List<String> written) {
        String data = table.location() + "/data/" + token + ".parquet";
        try (PositionOutputStream out = io.newOutputFile(data).create()) {
            out.write(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        written.add(data);
        DataFile file = DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath(data)
                .withFileSizeInBytes(1)
                .withRecordCount(1)
                .build();
        String path = table.location() + "/metadata/" + token + "-m0.avro";
        ManifestWriter<DataFile> writer = ManifestFiles.write(3, table.spec(), io.newOutputFile(path), null);
        try (writer) {
            writer.add(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        written.add(path);
        return writer.toManifestFile();
    }

    /// Makes a table of its own, offers it to the others, and purges it.
    private void makeAndPurge() {
        String token = process.name() + "-" + left;
        TableIdentifier name = TableIdentifier.of("ns", "x-" + token);
        BaseTable made = (BaseTable) session.buildTable(anybody(), name, SCHEMA).create();
        append(made.newFastAppend(), manifest(made, token, new ArrayList<>()), token);
        TableMetadata last = made.operations().refresh();
        offered.add(last.metadataFileLocation());
        process.sleep(1 + world.random().nextLong(200));
        if (variant == RestVariant.PURGES_WHAT_IT_LET_GO) {
            session.dropTable(anybody(), name);
            CatalogUtil.dropTableData(io, last);
        } else {
            session.purgeTable(anybody(), name);
        }
    }

    /// Registers a table that another is about to purge.
    private void adopt() {
        if (offered.isEmpty()) return;
        String location = offered.get(world.random().nextInt(offered.size()));
        session.registerTable(anybody(), TableIdentifier.of("ns", "y-" + process.name() + "-" + left), location);
    }

    private void setProperty(int table) {
        BaseTable found = read(table);
        checker.setting(process.name(), table, left);
        found.updateProperties()
                .set("p-" + process.name(), Integer.toString(left))
                .commit();
        checker.set(process.name(), table, left);
    }

    /// Sends a call as a client's transport does: again when there is no answer, and it is a read or has a key;
    /// again when the node was busy.
    private CatalogReply send(CallCatalog call) {
        boolean mayRepeat = call.headers().containsKey(KEY) || !call.writes();
        CallCatalog next = call;
        boolean isLate = world.chance(0.1);
        for (int sends = 1; ; sends++) {
            Optional<CatalogReply> reply = nodes.get().call(next);
            if (reply.isPresent() && !isBusy(reply.get())) return answered(call, reply.get());
            if (sends == SENDS_MAX || (reply.isEmpty() && !mayRepeat))
                return reply.orElseThrow(() -> new RESTException("no answer"));
            process.sleep(isLate ? LATE_MILLIS + world.random().nextLong(LATE_MILLIS / 3) : 100);
            isLate = false;
            if (variant == RestVariant.FORGETS_KEYS) next = withoutKey(call);
        }
    }

    private static boolean isBusy(CatalogReply reply) {
        return reply.status() == 429 || reply.status() == 503;
    }

    /// A proxy on the way may send again what was answered: the answer stays.
    private CatalogReply answered(CallCatalog call, CatalogReply reply) {
        if (call.headers().containsKey(KEY) && reply.status() < 500 && world.chance(0.2)) {
            Optional<CatalogReply> again = nodes.get().call(call);
            boolean isSame = again.isEmpty()
                    || isBusy(again.get())
                    || again.get().status() >= 500
                    || again.get().status() == reply.status();
            LogChecker.demand(isSame, call.path(), "was answered", reply.status(), "and then", again);
        }
        return reply;
    }

    private static CallCatalog withoutKey(CallCatalog call) {
        Map<String, String> headers = new HashMap<>(call.headers());
        headers.remove(KEY);
        return new CallCatalog(call.method(), call.path(), call.query(), headers, call.body());
    }
}
