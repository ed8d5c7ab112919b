package io.storageengine.ingest;

import io.storageengine.core.Ask;
import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Ids;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.AbortRows;
import io.storageengine.core.message.Answer;
import io.storageengine.core.message.AwaitRows;
import io.storageengine.core.message.BeginRows;
import io.storageengine.core.message.BegunRows;
import io.storageengine.core.message.CallChannel;
import io.storageengine.core.message.ChannelStatus;
import io.storageengine.core.message.CommittedRows;
import io.storageengine.core.message.EndRows;
import io.storageengine.core.message.ListParked;
import io.storageengine.core.message.Question;
import io.storageengine.core.message.ReplayParked;
import io.storageengine.core.message.SendRows;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.iceberg.TableFiles;
import io.storageengine.ingest.channel.Channels;
import io.storageengine.ingest.recovery.Recovery;
import io.storageengine.ingest.session.ChannelCalls;
import io.storageengine.ingest.session.CommittedToken;
import io.storageengine.ingest.session.Desk;
import io.storageengine.ingest.session.Keys;
import io.storageengine.ingest.session.ParkedShelf;
import io.storageengine.ingest.session.Sessions;
import io.storageengine.ingest.session.Tenant;
import io.storageengine.ingest.table.Flush;
import io.storageengine.ingest.table.Memory;
import io.storageengine.ingest.table.Parking;
import io.storageengine.ingest.table.TableBuffers;
import io.storageengine.ingest.table.TableWriter;
import io.storageengine.ingest.table.Tables;
import io.storageengine.ingest.wal.WriteAheadLog;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The ingest room's core: rows come in by requests, become durable in the catalog's write-ahead log, and are
/// committed to their tables in the background.
///
/// Thread-safe; [#answer] waits on its caller's (virtual) thread.
public final class IngestService {
    private static final Logger LOG = LoggerFactory.getLogger(IngestService.class);
    private final ObjectStore store;
    private final Clock clock;
    private final RandomGenerator random;
    private final IngestOptions options;
    private final Memory memory;
    private final TableBuffers buffers;
    private final Desk desk;
    private final Sessions sessions;
    private final Recovery recovery;
    private final ConcurrentHashMap<String, Tenant> tenants = new ConcurrentHashMap<>();

    /// @param clusterStore holds the write-ahead logs and parked rows
    /// @param cpuPool encodes data files; the caller's
    /// @param random thread-safe
    public IngestService(
            ObjectStore clusterStore,
            Ask ask,
            TableFiles files,
            ExecutorService cpuPool,
            Clock clock,
            RandomGenerator random,
            IngestOptions options) {
        this.store = clusterStore;
        this.clock = clock;
        this.random = random;
        this.options = options;
        this.memory = new Memory(options.memoryBytesMax(), options.tableBytesMax(), clock);
        Tables tables = new Tables(ask, files, options.askTimeoutMillis());
        TableWriter writer = new TableWriter(tables, cpuPool, random, options.writersMax());
        Parking parking = new Parking(clusterStore, clock);
        Flush flush =
                new Flush(ask, tables, writer, parking, options.askTimeoutMillis(), options.commitTimeoutMillis());
        this.buffers = new TableBuffers(flush, memory, clock, random, options.backoff());
        this.desk =
                new Desk(ask, options.askTimeoutMillis(), tables, writer, buffers, memory, clock, options.sessions());
        this.sessions = new Sessions(desk, random);
        String process = options.node() + "-" + new Ids(random).uuid();
        this.recovery =
                new Recovery(clusterStore, desk, parking, options.wal().log(), options.backoff(), random, process);
    }

    /// Begins to take over what earlier processes left.
    public void start() {
        recovery.start(catalog -> tenant(catalog).keys());
    }

    private Tenant tenant(String catalog) {
        return tenants.computeIfAbsent(catalog, this::newTenant);
    }

    private Tenant newTenant(String catalog) {
        WriteAheadLog log =
                new WriteAheadLog(store, "wal/" + catalog + "/", options.node(), options.wal(), clock, random);
        Keys keys = new Keys();
        Channels channels = new Channels(
                desk.ask(),
                desk.askTimeoutMillis(),
                desk.tables(),
                buffers,
                log,
                (id, table, uuid, millis) -> recovery.takeOver(catalog, id, table, uuid, keys, millis),
                options.sessions().commitMillis());
        return new Tenant(log, keys, channels);
    }

    public Outcome<? extends Answer> answer(Question<?> question) {
        return switch (question) {
            case BeginRows begin -> begin(begin);
            case SendRows send -> sessions.send(send);
            case EndRows end -> sessions.end(end);
            case AbortRows abort -> sessions.abort(abort);
            case CallChannel call -> call(call);
            case AwaitRows wait -> waiting(wait);
            case ListParked list -> whenReady(list, () -> shelf(list).list(list));
            case ReplayParked replay -> whenReady(replay, () -> shelf(replay).replay(replay));
            default ->
                Outcome.failed(
                        Failure.Kind.BUG,
                        "Not for the ingest room: " + question.getClass().getSimpleName());
        };
    }

    private interface Work<T> {
        T run() throws InterruptedException;
    }

    private Outcome<BegunRows> begin(BeginRows begin) {
        return whenReady(
                begin, () -> sessions.begin(begin, tenant(begin.catalog())).orThrow());
    }

    private Outcome<ChannelStatus> call(CallChannel call) {
        return whenReady(call, () -> {
            Tenant tenant = tenant(call.catalog());
            return new ChannelCalls(desk, tenant.channels(), tenant.log()).answer(call);
        });
    }

    private ParkedShelf shelf(Question<?> question) {
        return new ParkedShelf(store, desk, tenant(question.catalog()));
    }

    private Outcome<CommittedRows> waiting(AwaitRows wait) {
        return whenReady(wait, () -> new CommittedToken(desk).await(wait));
    }

    /// Works once all requests that may have been taken before the last stop are known.
    private <T> Outcome<T> whenReady(Question<?> question, Work<T> work) {
        try {
            recovery.ready(question.catalog()).get(options.sessions().roomMillis(), TimeUnit.MILLISECONDS);
            return Outcome.ok(work.run());
        } catch (FailureException failed) {
            return Outcome.failed(failed.failure());
        } catch (TimeoutException busy) {
            return Outcome.failed(
                    Failure.Kind.UNAVAILABLE, "What was accepted before the last stop is being read: try again later");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return Outcome.failed(Failure.Kind.UNAVAILABLE, "The node is stopping");
        }
    }

    /// Whether everything that was accepted is in its table.
    public boolean isIdle() {
        return sessions.isIdle() && buffers.isEmpty() && recovery.isDone();
    }

    /// Bytes that rows on their way take.
    public long memoryBytes() {
        return memory.usedBytes();
    }

    /// Takes no more requests, commits everything that was accepted and seals the logs. What is not done when
    /// the time is over is durable, and done by the next start.
    public void stop(long graceMillis) throws InterruptedException {
        long end = clock.nanos() + graceMillis * 1_000_000;
        sessions.close(graceMillis / 2);
        buffers.drain();
        while (!isIdle() && left(end) > 0) clock.sleep(5);
        if (!isIdle()) LOG.warn("Rows that are in no table yet stay in the write-ahead log for the next start");
        for (Tenant tenant : tenants.values()) tenant.log().close(Math.max(left(end), 1));
        halt();
    }

    private long left(long end) {
        return (end - clock.nanos()) / 1_000_000;
    }

    /// Stops at once, as if the process had ended: what is not done is left to the next start.
    public void halt() {
        sessions.halt();
        recovery.halt();
        buffers.halt();
        tenants.values().forEach(tenant -> tenant.log().halt());
    }
}
