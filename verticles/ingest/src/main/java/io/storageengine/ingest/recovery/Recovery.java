package io.storageengine.ingest.recovery;

import io.storageengine.core.Backoff;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.log.LogOptions;
import io.storageengine.core.log.ObjectLog;
import io.storageengine.core.message.TableRef;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.ingest.session.Desk;
import io.storageengine.ingest.session.Keys;
import io.storageengine.ingest.table.Parking;
import io.storageengine.ingest.wal.OpenLog;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes over the write-ahead logs that earlier processes left: seals them, learns the keys of their requests,
/// then replays them while new requests are served already. Never gives up.
public final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final long POLL_MILLIS = 20;
    private final ObjectStore store;
    private final Desk desk;
    private final Parking parking;
    private final LogOptions options;
    private final Backoff backoff;
    private final RandomGenerator random;
    private final String process;
    private final CompletableFuture<Set<String>> surveyed = new CompletableFuture<>();
    private final ConcurrentHashMap<String, CompletableFuture<Boolean>> learned = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Thread> threads = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, CompletableFuture<DeadLog>> surveys = new ConcurrentHashMap<>();

    /// @param process an id for this process, that no other has or had
    public Recovery(
            ObjectStore store,
            Desk desk,
            Parking parking,
            LogOptions options,
            Backoff backoff,
            RandomGenerator random,
            String process) {
        this.store = store;
        this.desk = desk;
        this.parking = parking;
        this.options = options;
        this.backoff = backoff;
        this.random = random;
        this.process = process;
    }

    /// Begins, on threads of its own.
    ///
    /// @param keys of a catalog's requests
    public void start(Function<String, Keys> keys) {
        start("survey", () -> {
            Map<String, Set<String>> logs =
                    forever("The list of logs", () -> LogSurvey.logs(store).orThrow());
            logs.keySet().forEach(catalog -> learned.put(catalog, new CompletableFuture<>()));
            logs.forEach(
                    (catalog, ids) -> ids.forEach(id -> surveys.put(catalog + "/" + id, new CompletableFuture<>())));
            surveyed.complete(Set.copyOf(logs.keySet()));
            logs.forEach((catalog, ids) -> start(catalog, () -> recover(catalog, ids, keys.apply(catalog))));
        });
    }

    /// Done when all requests that may have been taken before are known, so that none is taken twice.
    public CompletableFuture<Boolean> ready(String catalog) {
        return surveyed.thenCompose(dirty -> learned.getOrDefault(catalog, CompletableFuture.completedFuture(true)));
    }

    /// Ends one log that may still be written, and brings what it holds into its tables; waits until that is done
    /// for one table.
    ///
    /// @throws FailureException when it is not done in time; it goes on
    public void takeOver(String catalog, String id, TableRef table, String uuid, Keys keys, long millis)
            throws InterruptedException {
        long end = desk.clock().nanos() + millis * 1_000_000;
        String log = catalog + "/" + id;
        try {
            surveyed.get(millis, TimeUnit.MILLISECONDS);
            CompletableFuture<DeadLog> mine = new CompletableFuture<>();
            CompletableFuture<DeadLog> before = surveys.putIfAbsent(log, mine);
            if (before == null) start(log, () -> recover(catalog, Set.of(id), keys));
            CompletableFuture<DeadLog> survey = before == null ? mine : before;
            long last = survey.get(left(end), TimeUnit.MILLISECONDS).lastPosition(uuid);
            while (desk.tables().load(table, uuid).orThrow().marks().getOrDefault(id, 0L) < last) {
                if (left(end) <= 0) throw new TimeoutException();
                desk.buffers().hasten(id, uuid);
                desk.clock().sleep(POLL_MILLIS);
            }
        } catch (TimeoutException late) {
            throw new FailureException(
                    Failure.Kind.UNAVAILABLE,
                    "Rows of " + table.display() + " in another node's log are being brought in: try again later");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private long left(long end) {
        return Math.max(0, (end - desk.clock().nanos()) / 1_000_000);
    }

    private void recover(String catalog, Set<String> ids, Keys keys) throws InterruptedException {
        List<DeadLog> logs = ids.stream().map(id -> open(catalog, id)).toList();
        for (DeadLog log : logs)
            forever("Log " + log.log().id(), () -> {
                log.survey(keys);
                return true;
            });
        CompletableFuture<Boolean> isLearned = learned.get(catalog);
        if (isLearned != null) isLearned.complete(true);
        for (DeadLog log : logs)
            surveys.computeIfAbsent(catalog + "/" + log.log().id(), is -> new CompletableFuture<>())
                    .complete(log);
        for (DeadLog log : logs) new Replay(desk, parking, backoff, random, log).run();
        LOG.info("{} logs of catalog {} are replayed", logs.size(), catalog);
    }

    private DeadLog open(String catalog, String id) {
        String prefix = LogSurvey.ROOT + catalog + "/" + id + "/";
        ObjectLog entries = new ObjectLog(store, prefix, process, options, desk.clock(), random);
        return new DeadLog(new OpenLog(id, prefix, store, entries, desk.clock()), entries);
    }

    private interface Try<T> {
        T run();
    }

    private <T> T forever(String what, Try<T> work) throws InterruptedException {
        for (int tries = 1; ; tries++) {
            try {
                return work.run();
            } catch (FailureException failed) {
                LOG.warn("{} cannot be read yet: {}", what, failed.getMessage());
            }
            desk.clock().sleep(backoff.millis(tries, random));
        }
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private void start(String name, Work work) {
        Thread thread = Thread.ofVirtual().name("recovery " + name).unstarted(() -> {
            try {
                work.run();
            } catch (InterruptedException stopped) {
                LOG.info("The replay of {} stops; the next start goes on", name);
            } catch (RuntimeException bug) {
                LOG.error("The replay of {} broke off", name, bug);
            } finally {
                threads.remove(name);
            }
        });
        threads.put(name, thread);
        thread.start();
    }

    /// Whether nothing is left to replay.
    public boolean isDone() {
        return surveyed.isDone() && threads.isEmpty();
    }

    /// Stops at once; the next start goes on.
    public void halt() {
        threads.values().forEach(Thread::interrupt);
    }
}
