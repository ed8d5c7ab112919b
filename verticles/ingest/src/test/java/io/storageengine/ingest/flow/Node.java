package io.storageengine.ingest.flow;

import io.storageengine.catalog.CatalogService;
import io.storageengine.commit.CommitOptions;
import io.storageengine.commit.CommitService;
import io.storageengine.core.Ask;
import io.storageengine.core.Backoff;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.log.LogOptions;
import io.storageengine.core.message.Answer;
import io.storageengine.core.message.BeginRows;
import io.storageengine.core.message.BegunRows;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.message.EndRows;
import io.storageengine.core.message.EndedRows;
import io.storageengine.core.message.Question;
import io.storageengine.core.message.RowOptions;
import io.storageengine.core.message.SendRows;
import io.storageengine.core.message.TableRef;
import io.storageengine.core.store.Buckets;
import io.storageengine.iceberg.TableFiles;
import io.storageengine.ingest.IngestOptions;
import io.storageengine.ingest.IngestService;
import io.storageengine.ingest.rows.RowLimits;
import io.storageengine.ingest.session.SessionOptions;
import io.storageengine.ingest.table.Pace;
import io.storageengine.ingest.wal.WalOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;

/// One process: the three rooms, which ask each other without a bus, and a way to end it at once.
final class Node implements AutoCloseable {
    static final SessionOptions SESSIONS = new SessionOptions(
            1 << 30, 1 << 20, 4 << 20, 100, 10_000, 10_000, 10_000, 20_000, new Pace(50, 64 << 20), RowLimits.DEFAULT);
    final IngestService ingest;
    private final ExecutorService cpuPool = Executors.newFixedThreadPool(2);
    private final CatalogService catalog;
    private final CommitService commit;
    private volatile boolean isDead;
    private volatile Predicate<Question<?>> lostAnswer = question -> false;
    private volatile Function<Question<?>, Optional<Failure>> refusal;

    Node(World world, long seed) {
        this(world, seed, options());
    }

    Node(World world, long seed, IngestOptions options) {
        this(world, seed, options, question -> Optional.empty());
    }

    /// @param refusal which questions between rooms fail from the start on
    Node(World world, long seed, IngestOptions options, Function<Question<?>, Optional<Failure>> refusal) {
        this.refusal = refusal;
        Buckets buckets = world.seen();
        Ask ask = new Rooms();
        Random random = new Random(seed);
        catalog = world.catalog(buckets, seed);
        CommitOptions commits = new CommitOptions(5_000, 5_000, 1_000, 64, 10_000, 100, new Backoff(1, 50));
        commit = new CommitService(ask, new TableFiles(buckets), world.clock, random, commits);
        ingest = new IngestService(
                buckets.bucket("cluster"), ask, new TableFiles(buckets), cpuPool, world.clock, random, options);
        ingest.start();
    }

    static IngestOptions options() {
        LogOptions log = new LogOptions(true, 300, LogOptions.WRITE_AHEAD.retentionMillis());
        WalOptions wal = new WalOptions(1, 20, 1_000, 8 << 20, new Backoff(1, 50), log);
        return new IngestOptions("node", 256 << 20, 128 << 20, 4, 5_000, 10_000, new Backoff(1, 50), SESSIONS, wal);
    }

    /// The rooms' doors; a dead process answers nobody.
    private final class Rooms implements Ask {
        @Override
        @SuppressWarnings("unchecked")
        public <A extends Answer> Outcome<A> ask(Question<A> question, long timeoutMillis) {
            if (isDead)
                return Outcome.failed(
                        question.writes() ? Failure.Kind.UNKNOWN : Failure.Kind.UNAVAILABLE, "the process is dead");
            Optional<Failure> refused = refusal.apply(question);
            if (refused.isPresent()) return Outcome.failed(refused.get());
            boolean isLost = lostAnswer.test(question);
            Outcome<? extends Answer> answer = switch (question.room()) {
                case CATALOG -> catalog.answer(question);
                case COMMIT -> commit.answer(question);
                case INGEST -> ingest.answer(question);
            };
            return isLost ? Outcome.failed(Failure.Kind.UNKNOWN, "the answer got lost") : (Outcome<A>) answer;
        }
    }

    /// Which questions between rooms fail from now on.
    void refuse(Function<Question<?>, Optional<Failure>> which) {
        refusal = which;
    }

    static RowOptions plain() {
        return new RowOptions(
                RowOptions.Format.NDJSON,
                RowOptions.Encoding.IDENTITY,
                true,
                RowOptions.Ack.DURABLE,
                RowOptions.OnError.REFUSE,
                "",
                -1);
    }

    static RowOptions keyed(String key) {
        return new RowOptions(
                RowOptions.Format.NDJSON,
                RowOptions.Encoding.IDENTITY,
                true,
                RowOptions.Ack.DURABLE,
                RowOptions.OnError.REFUSE,
                key,
                -1);
    }

    static RowOptions committed() {
        return with(RowOptions.OnError.REFUSE, RowOptions.Ack.COMMITTED, RowOptions.Encoding.IDENTITY);
    }

    static RowOptions with(RowOptions.OnError onError, RowOptions.Ack ack, RowOptions.Encoding encoding) {
        return new RowOptions(RowOptions.Format.NDJSON, encoding, true, ack, onError, "", -1);
    }

    Outcome<EndedRows> send(TableRef table, RowOptions options, String body) {
        return send(table, options, body.getBytes(StandardCharsets.UTF_8), 64 * 1024);
    }

    /// A whole request, its body in pieces of that size.
    Outcome<EndedRows> send(TableRef table, RowOptions options, byte[] body, int pieceBytes) {
        Outcome<BegunRows> begun = answer(new BeginRows(table, options));
        if (begun instanceof Outcome.Failed<BegunRows>(Failure failure)) return Outcome.failed(failure);
        String session = begun.orThrow().session();
        for (int at = 0; at < body.length; at += pieceBytes) {
            ByteBuffer piece = ByteBuffer.wrap(body, at, Math.min(pieceBytes, body.length - at));
            Outcome<?> taken = answer(new SendRows(session, table.catalog(), piece));
            if (taken instanceof Outcome.Failed<?>(Failure failure)) return Outcome.failed(failure);
        }
        return answer(new EndRows(session, table.catalog()));
    }

    @SuppressWarnings("unchecked")
    <A extends Answer> Outcome<A> answer(Question<A> question) {
        return (Outcome<A>) ingest.answer(question);
    }

    /// The next question that fits is answered, but its answer does not arrive.
    void loseAnswer(Predicate<Question<?>> which) {
        lostAnswer = which;
    }

    CatalogReply call(CallCatalog call) {
        return (CatalogReply) catalog.answer(call).orThrow();
    }

    /// Forgets a catalog's registration.
    void unregister(String catalog) {
        answered(204, new CallCatalog("DELETE", "/catalogs/" + catalog, "", Map.of(), ByteBuffer.allocate(0)));
    }

    /// Registers a native catalog at its default warehouse.
    void register(String catalog) {
        String body = "{\"catalog_id\":\"" + catalog + "\",\"config\":{\"type\":\"native\"}}";
        ByteBuffer bytes = ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8));
        answered(201, new CallCatalog("POST", "/catalogs", "", Map.of("content-type", "application/json"), bytes));
    }

    /// Drops a table, as an engine would.
    void drop(TableRef table) {
        String path = "/catalogs/" + table.catalog() + "/v1/namespaces/" + String.join("%1F", table.namespace())
                + "/tables/" + table.name();
        answered(204, new CallCatalog("DELETE", path, "", Map.of(), ByteBuffer.allocate(0)));
    }

    private void answered(int status, CallCatalog call) {
        int answered = call(call).status();
        if (answered != status) throw new IllegalStateException(call.method() + " " + call.path() + ": " + answered);
    }

    /// Waits until all that was accepted is in its tables.
    void awaitIdle() throws InterruptedException {
        while (!ingest.isIdle()) TimeUnit.MILLISECONDS.sleep(5);
    }

    /// The process ends here and now.
    void kill() {
        isDead = true;
        ingest.halt();
        cpuPool.shutdownNow();
    }

    @Override
    public void close() {
        kill();
    }
}
